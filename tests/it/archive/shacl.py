"""Validates an evaluation against ontology/shapes.ttl with pyshacl: a second opinion on queries/check/model-*.rq.

    python3 tests/it/archive/shacl.py FILE…                  .trig or .nq (also .ttl, .nt, and .gz of these)
    python3 tests/it/archive/shacl.py --mutations FILE…      also breaks the data in a few ways, and sees that each is found

The files are the graphs of an archive, and the ontology with all that profiles have from what they are based on:

    qassay query 'CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <https://w3id.org/qassay/ns/0.1.0> { ?s ?p ?o } }' > ontology.nt

Small data only: the aggregates take time that grows with the square of the questions. Exit code: 0 conforms, 1 does not, 2 wrong use, 77 pyshacl is not installed
(pip install pyshacl==0.40.1).
"""

import gzip
import sys
from pathlib import Path

try:
    import pyshacl
    import rdflib
except ImportError as error:
    print(f"SKIPPED: NOTHING WAS VALIDATED. {error}. Try: pip install pyshacl==0.40.1", file=sys.stderr)
    sys.exit(77)

# rdflib would rewrite literals ("1.50" to "1.5"), and hide what the patterns of the shapes look for.
rdflib.NORMALIZE_LITERALS = False

ONTOLOGY = Path(__file__).resolve().parents[3] / "ontology"
FORMATS = {".trig": "trig", ".nq": "nquads", ".ttl": "turtle", ".nt": "nt"}
SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")
QASSAY = rdflib.Namespace("https://w3id.org/qassay/ns#")
CODE = rdflib.Namespace("https://w3id.org/qassay/code#")


def read(paths):
    """All triples of the files, whatever graph they are in, as one graph."""
    merged = rdflib.Graph()
    for path in map(Path, paths):
        name = path.with_suffix("") if path.suffix == ".gz" else path
        if name.suffix not in FORMATS or not path.is_file():
            print(f"{path}: no such file, or not one of {', '.join(FORMATS)} (or .gz of these)", file=sys.stderr)
            sys.exit(2)
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        dataset = rdflib.Dataset(default_union=True)
        dataset.parse(data=data, format=FORMATS[name.suffix])
        for subject, predicate, object_, _ in dataset.quads():
            merged.add((subject, predicate, object_))
    return merged


def violations(data, shapes):
    """The violations as (node, message, value, query that says the same)."""
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inference="none", advanced=False)
    found = []
    for result in report.subjects(rdflib.RDF.type, SH.ValidationResult):
        shape = report.value(result, SH.sourceConstraint) or report.value(result, SH.sourceShape)
        query = shapes.value(shape, rdflib.RDFS.seeAlso) or shapes.value(shapes.value(None, SH.property, shape), rdflib.RDFS.seeAlso)
        found.append((
            str(report.value(result, SH.focusNode)),
            str(report.value(result, SH.resultMessage) or report.value(result, SH.sourceConstraintComponent)),
            str(report.value(result, SH.value) or ""),
            str(query or "").rpartition("/")[2],
        ))
    return sorted(set(found))


def broken(data):
    """Copies of the data, each with one thing wrong."""
    one = next(data.subjects(QASSAY.truePositives))
    macro = next(s for s in data.subjects(QASSAY.metric, CODE.macroF1) if (s, QASSAY.questionGroup, CODE["group-all"]) in data)
    decimal = rdflib.XSD.decimal
    for title, subject, predicate, value in (
        ("another F1", one, QASSAY.f1, rdflib.Literal("0.123", datatype=decimal)),
        ("F1 not in canonical form", one, QASSAY.f1, rdflib.Literal("1.0", datatype=decimal)),
        ("no question", one, QASSAY.question, None),
        ("one true positive too many", one, QASSAY.truePositives, rdflib.Literal("99", datatype=rdflib.XSD.integer)),
        ("another macro F1", macro, QASSAY.value, rdflib.Literal("0.123", datatype=decimal)),
        ("another digest", next(data.subjects(QASSAY.inputDigest)), QASSAY.inputDigest, rdflib.Literal("0" * 64, datatype=rdflib.XSD.hexBinary)),
    ):
        copy = rdflib.Graph()
        for triple in data:
            copy.add(triple)
        copy.remove((subject, predicate, None))
        if value is not None:
            copy.add((subject, predicate, value))
        yield title, copy


def main(arguments):
    mutations = "--mutations" in arguments
    files = [argument for argument in arguments if argument != "--mutations"]
    if not files or any(argument.startswith("-") for argument in files):
        print(__doc__, file=sys.stderr)
        return 2
    shapes = read([ONTOLOGY / "shapes.ttl"])
    data = read(files)
    found = violations(data, shapes)
    for node, message, value, query in found:
        print(f"{node}\n    {message}{f': {value}' if value else ''}{f'   (queries/check/{query}.rq)' if query else ''}")
    print(f"{len(data)} triples, {len(found)} violations")
    missed = 0
    if mutations:
        for title, copy in broken(data):
            found_now = violations(copy, shapes)
            print(f"{'found' if len(found_now) > len(found) else 'MISSED'}: {title} ({len(found_now) - len(found)} more violations)")
            missed += len(found_now) <= len(found)
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
