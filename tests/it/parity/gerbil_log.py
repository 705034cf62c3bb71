"""Turns an answer log of GERBIL into inputs of qassay and recounts it: python3 tests/it/parity/gerbil_log.py LOG [FOLDER]

Writes FOLDER/gold.json, FOLDER/answers.json (QALD-JSON) and FOLDER/links.nt (owl:sameAs), and compares the logged
tp, fp and fn of every row with the rules of era C (now) and era A (2019 to 2023) of ontology/gerbil.md, sections 0 and 2.
It shares no code with tests/it/parity/gerbil_log.rs, which does the same in Rust.

The log (utils/AnswersLogger of GERBIL) is Windows-1252 with TAB between nine columns. An answer is a Java set,
`[a, b]`: a literal is printed as its text, an annotation as `Annotation [uri=[u1, u2]]` with all members of its
owl:sameAs closure, in no order; gold annotations have one URI. Nothing is escaped: a literal with `, ` in it looks like
two. The number of gold items is tp + fn, so it is known where that happened. Characters that Windows-1252 does not
have were written as `?`.
"""

import json
import os
import re
import sys

ANNOTATION = "Annotation [uri=["
SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
KNOWN_KB = (
    "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/", "http://ontologydesignpatterns.org/ont/dul/",
    "http://www.ontologydesignpatterns.org/ont/d0.owl", "http://www.wikidata.org/entity/",
)


def items(cell, size):
    """The items of a printed set of `size` items: a text, or a list of URIs."""
    inner = cell[1:-1]
    found = []
    while inner:
        if inner.startswith(ANNOTATION):
            end = re.search(r"\]\](, |$)", inner)
            found.append(inner[len(ANNOTATION):end.start()].split(", "))
        else:
            end = re.search(r", |$", inner)
            found.append(inner[:end.start()])
        inner = inner[end.end():]
    if size == 1 and len(found) > 1 and all(isinstance(item, str) for item in found):
        return [cell[1:-1]]
    return found


def rows(path):
    with open(path, encoding="cp1252", newline="") as file:
        for line in file.read().split("\n")[1:]:
            columns = line.rstrip("\r").split("\t")
            if len(columns) == 9:
                tp, fp, fn = map(int, columns[3:6])
                yield columns[0], items(columns[1], tp + fp), items(columns[2], tp + fn), (tp, fp, fn)


def is_plain(uri):
    """Certainly an address for java.net.URI, for the UrlValidator and in N-Triples."""
    return re.fullmatch(r"https?://[A-Za-z0-9.-]+/[A-Za-z0-9/._~!$&'()*+,;=:@#-]*", uri) is not None


def is_iri(uri):
    return re.fullmatch(r"[a-z]+:[^\s<>\"{}|^`\\\x00-\x20]+", uri) is not None


def own_members(table):
    """A member for each recorded set that stands for it: it alone has links, to all other members.

    The log does not say which member the system gave. A directed chain of links gives back exactly the recorded set
    if the member is in no other set; and if it is no gold item, nothing matches without the links.
    """
    sets = {frozenset(item) for _, system, _, _ in table for item in system if isinstance(item, list)}
    taken = {item if isinstance(item, str) else item[0] for _, _, gold, _ in table for item in gold}
    taken |= {item for _, system, _, _ in table for item in system if isinstance(item, str)}
    owns = {}
    for members in sets:
        others = set().union(*(other for other in sets if other != members))
        free = [uri for uri in members if is_plain(uri) and uri not in others and uri not in taken]
        owns[members] = min(free, key=lambda uri: (not uri.startswith(KNOWN_KB[0]), len(uri), uri))
    return owns


def java_uri(text):
    """What java.net.URI accepts and GERBIL takes for an IRI (2.1.2), as far as the logs need it."""
    return (
        re.match(r"[A-Za-z][A-Za-z0-9+.-]*:.", text) is not None
        and re.search(r"\S:\S", text) is not None
        and re.search(r"[\s|\"<>{}^`\\\[\]]|%(?![0-9A-Fa-f]{2})", text) is None
        and text.count("#") < 2
    )


def pair(gold, system, wildcard):
    """Greedy one to one; with `wildcard` items outside the known KBs match each other (era A)."""
    def known(uris):
        return not wildcard or any(uri.startswith(KNOWN_KB) for uri in uris)

    free, tp = list(system), 0
    for uris in gold:
        for candidate in free:
            same = bool(uris & candidate) if known(uris) else not known(candidate)
            if same and known(uris) == known(candidate):
                free.remove(candidate)
                tp += 1
                break
    return tp, len(free), len(gold) - tp


def count(system, gold, closure, era):
    """tp, fp, fn by section 2.3 of ontology/gerbil.md; without label service, so that a literal is its own URI."""
    def split(texts):
        uris = bool(texts) and all(map(java_uri, texts))
        return (list(dict.fromkeys(texts)), []) if uris else ([], list(dict.fromkeys(texts)))

    gold_uris, gold_texts = split(gold)
    system_uris, system_texts = split(system)
    system_uris += [text for text in system_texts if is_plain(text)]
    system_texts = [text for text in system_texts if not is_plain(text)]
    system_sets = [closure.get(uri, frozenset([uri])) for uri in system_uris]
    right = set(system_texts) & set(gold_texts)
    system_sets += [frozenset([text]) for text in system_texts if text not in right]
    gold_sets = [frozenset([uri]) for uri in gold_uris]
    missed = [text for text in gold_texts if text not in right]
    if era == "A":
        gold_sets += [frozenset([text]) for text in missed]
        missed = []
    tp, fp, fn = pair(gold_sets, system_sets, era == "A")
    return tp + len(right), fp, fn + len(missed)


def questions(name, answers, texts):
    def binding(value):
        return {"x": {"type": "uri" if is_iri(value) and "://" in value else "literal", "value": value}}

    def entry(number, values, text):
        results = {"head": {"vars": ["x"]}, "results": {"bindings": [binding(value) for value in values]}}
        return {
            "id": str(number),
            "question": [{"language": "en", "string": text}],
            "answers": [results] if values else [],
        }

    entries = [entry(number, values, text) for number, (values, text) in enumerate(zip(answers, texts), 1)]
    return {"dataset": {"id": name}, "questions": entries}


def main(log, folder=None):
    table = list(rows(log))
    owns = own_members(table)
    closure = {own: members for members, own in owns.items()}
    texts = [text for text, _, _, _ in table]
    system = [
        [item if isinstance(item, str) else owns[frozenset(item)] for item in items]
        for _, items, _, _ in table
    ]
    gold = [[item if isinstance(item, str) else item[0] for item in items] for _, _, items, _ in table]
    for era in "CA":
        wrong = []
        for number, (row, given, wanted) in enumerate(zip(table, system, gold), 1):
            counts = count(given, wanted, closure, era)
            if counts != row[3]:
                wrong.append(f"  row {number} {row[0][:50]!r}: {counts}, logged {row[3]}")
        print(f"era {era}: {len(table) - len(wrong)} of {len(table)} rows", *wrong, sep="\n")
    if folder:
        os.makedirs(folder, exist_ok=True)
        for name, answers in [("gold", gold), ("answers", system)]:
            with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                json.dump(questions("gerbil-log", answers, texts), file, ensure_ascii=False, indent=1)
        with open(os.path.join(folder, "links.nt"), "w", encoding="utf-8") as file:
            for own, members in sorted(closure.items()):
                for member in sorted(members - {own}):
                    if is_iri(member):
                        file.write(f"<{own}> <{SAME_AS}> <{member}> .\n")


main(*sys.argv[1:])
