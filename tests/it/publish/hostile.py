"""Reads everything that was published by readers of others: a folder, then the names that it must have as they are.

Prints what is wrong, a line each.
"""
import csv
import json
import pathlib
import sys
from urllib.parse import urlsplit
from xml.etree import ElementTree

import bibtexparser
import bibtexparser.bparser
import html5lib
import pyoxigraph
import yaml

root, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
wrong = []
literals, cells = set(), set()


def told(path, what):
    wrong.append(f"{path.relative_to(root)}: {what}")


def page(path):
    document = html5lib.parse(path.read_bytes(), treebuilder="etree", namespaceHTMLElements=False)
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        name = element.tag.split("}")[-1]
        if name in {"img", "iframe", "object", "embed", "base", "marquee"}:
            told(path, f"an element {name}")
        if name == "script":
            if element.get("type") == "application/ld+json":
                json.loads(element.text)
            elif not (element.get("src") or "").endswith(".js") or element.text:
                told(path, "a script of somebody")
        for key, value in element.attrib.items():
            if key.lower().startswith("on"):
                told(path, f"an attribute {key}")
            if key in {"href", "src", "action"} and urlsplit(value).scheme not in {"", "http", "https", "data"}:
                told(path, f"an address {value[:40]}")


def statements(path, form):
    for quad in pyoxigraph.parse(path=str(path), format=form, without_named_graphs=False):
        for term in (quad.subject, quad.predicate, quad.object):
            if isinstance(term, pyoxigraph.Literal):
                literals.add(term.value)


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if len({len(row) for row in rows}) > 1:
        told(path, "rows of several lengths")
    # As they are, also what a spreadsheet would compute: a table is data, and src/report/table.rs says so.
    cells.update(cell for row in rows for cell in row)


def read(path):
    ending = path.suffix
    if ending == ".html":
        page(path)
    elif ending in {".json", ".jsonld"}:
        json.loads(path.read_text("utf-8"))
    elif ending in {".xml", ".atom", ".svg"}:
        ElementTree.parse(path)
    elif ending == ".csv":
        table(path)
    elif ending == ".bib":
        parser = bibtexparser.bparser.BibTexParser(ignore_nonstandard_types=False)
        entries = bibtexparser.loads(path.read_text("utf-8"), parser).entries
        if len(entries) != 1 or not {"author", "title", "year"} <= entries[0].keys():
            told(path, f"entries {entries}")
    elif ending == ".cff":
        known = yaml.safe_load(path.read_text("utf-8"))
        if not isinstance(known["title"], str) or known["cff-version"] != "1.2.0" or "authors" not in known:
            told(path, f"says {known}")
    elif ending == ".ttl":
        statements(path, pyoxigraph.RdfFormat.TURTLE)
    elif ending == ".nq":
        statements(path, pyoxigraph.RdfFormat.N_QUADS)
    elif ending == ".trig":
        statements(path, pyoxigraph.RdfFormat.TRIG)
    elif ending == ".nt":
        statements(path, pyoxigraph.RdfFormat.N_TRIPLES)


seen = {}
for path in sorted(root.rglob("*")):
    name = str(path.relative_to(root))
    if path.is_symlink() or len(path.name.encode()) > 255 or any(ord(c) < 32 or c in '<>:"\\|?*' for c in name):
        told(path, "a name that not every system has")
    if seen.setdefault(name.lower(), name) != name:
        told(path, f"the name of {seen[name.lower()]} but for capitals")
    if path.is_file():
        try:
            read(path)
        except Exception as error:
            told(path, f"{type(error).__name__}: {str(error)[:200]}")
wrong += [f"no cell is {name!r}" for name in names if cells and name not in cells]
wrong += [f"nothing has the text {name!r}" for name in names if name not in literals]
print("\n".join(wrong))
