"""Expected counts for tests/it/readers/json.rs, made without qassay: python3 tests/it/readers/json_counts.py SHARED > tests/it/readers/json.tsv

Reads with Python's own json, zipfile and PyYAML the files of the JSON and YAML families beside QALD-JSON: NLQ, LC-QuAD,
TEXT2SPARQL questions and answers, and QALD-JSON in a zip archive. It shares no code with the Rust readers.
The column `digest` is a checksum over ids, texts, queries, values and extra fields as they must be read.
"""

import collections
import glob
import hashlib
import io
import json
import os
import sys
import zipfile

import yaml

ORDER_MATTERS = {"ck25:27", "ck25:37", "db25:46", "db25:96"}


def question(identifier, texts=(), queries=(), rows=(), booleans=(), extras=(), flags=()):
    """`texts` and `queries` are (language, text), `rows` lists of (variable, value, language), `extras` (name, JSON)."""
    return {
        "id": str(identifier), "is_number": isinstance(identifier, int), "texts": list(texts),
        "queries": [(language, text.strip()) for language, text in queries], "rows": list(rows),
        "booleans": list(booleans), "extras": [(name, compact(value)) for name, value in extras], "flags": list(flags),
    }


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def nlq(rows):
    questions = {}
    for row in rows:
        found = questions.setdefault(row["id"], question(row["id"], extras=[("type", row["type"])]))
        found["texts"].append((row["lang"], row["question"]))
        found["queries"].append((row["lang"], row["sparql"].strip()))
        found["rows"].append([("answer", row["answer"], row["lang"])])
    return list(questions.values())


def lc_quad(rows):
    return [
        question(
            row["_id"], [("en", row["corrected_question"])], [("", row["sparql_query"])],
            extras=[(key, row[key]) for key in row if key in ("intermediary_question", "sparql_template_id")],
        )
        for row in rows
    ]


def order(identifier):
    return ["result_order_matters"] if identifier.rpartition("-")[0] in ORDER_MATTERS else []


def text2sparql_answers(rows):
    return [
        question(
            row["qname"], [(row["qname"].rpartition("-")[2], row["question"])], [("", row["query"])],
            extras=[(key, row[key]) for key in row if key in ("dataset", "endpoint", "uri")], flags=order(row["qname"]),
        )
        for row in rows
    ]


def text2sparql_questions(document):
    prefix = document["dataset"]["prefix"]
    return [
        question(
            f"{prefix}:{q['id']}-{language}", [(language, text)], [("", q["query"]["sparql"])],
            extras=[("features", name) for name in q.get("features", []) if name != "RESULT_ORDER_MATTERS"],
            flags=["result_order_matters" for name in q.get("features", []) if name == "RESULT_ORDER_MATTERS"],
        )
        for q in document["questions"]
        for language, text in q["question"].items()
    ]


def qald_json(document):
    questions = []
    for q in document["questions"]:
        rows, booleans = [], []
        for answer in q["answers"]:
            booleans += [answer["boolean"]] if "boolean" in answer else []
            for row in answer.get("results", {}).get("bindings", []):
                # two rows hold the head and the boolean of an ASK query in place of values
                cells = [
                    (name, json.dumps(cell) if isinstance(cell, bool) else cell["value"], "")
                    for name, cell in row.items() if isinstance(cell, bool) or "value" in cell
                ]
                rows += [cells] if cells else []
        texts = [(text["language"], text["string"]) for text in q["question"]]
        questions.append(question(q["id"], texts, [("", q["query"]["sparql"])], rows, booleans))
    return questions


def unzip(content):
    archive = zipfile.ZipFile(io.BytesIO(content))
    (name,) = archive.namelist()
    return archive.read(name)


READERS = [
    ("nlq", "AKSW/NLIWOD/*/**/NLQ-OKBQA/nlq1_vis.json", lambda content: nlq(json.loads(content))),
    ("lc-quad", "AskNowQA/LC-QuAD/*/*-data.json", lambda content: lc_quad(json.loads(content))),
    ("text2sparql-answers", "AKSW/text2sparql*/*/docs/results/*/*_answers.json",
     lambda content: text2sparql_answers(json.loads(content))),
    ("text2sparql-questions", "AKSW/text2sparql*/*/docs/benchmark/questions_db25.yaml",
     lambda content: text2sparql_questions(yaml.safe_load(content))),
    ("qald-json", "danrd/sparqlgen/*/beastiary_with_qald_format.json.zip",
     lambda content: qald_json(json.loads(unzip(content)))),
]


def languages(questions, field):
    counts = collections.Counter(language or "-" for q in questions for language, _ in q[field])
    return " ".join(f"{language}={count}" for language, count in sorted(counts.items()))


def lost(q):
    texts = [text for field in ("texts", "queries") for _, text in q[field]]
    return "\ufffd" in "".join(texts + [value for row in q["rows"] for _, value, _ in row])


def digest(questions):
    found = hashlib.sha256()
    for q in questions:
        records = [["question", q["id"]]]
        records += [["text", language, text] for language, text in q["texts"]]
        records += [["query", language, text] for language, text in q["queries"]]
        records += [["flag", name] for name in q["flags"]]
        records += [["boolean", json.dumps(value)] for value in q["booleans"]]
        records += [["row", *(field for cell in row for field in cell)] for row in q["rows"]]
        records += [["extra", name, value] for name, value in q["extras"]]
        for record in records:
            found.update(("\x1f".join(record) + "\x1e").encode("utf-8"))
    return found.hexdigest()[:16]


def main(mirror):
    print("file\tformat\tquestions\tnumber ids\ttexts\tqueries\trows\tbooleans\textras\tlost characters\tdigest")
    for name, pattern, read in READERS:
        for path in sorted(glob.glob(os.path.join(mirror, pattern), recursive=True)):
            with open(path, "rb") as file:
                questions = read(file.read())
            columns = [
                os.path.relpath(path, mirror), name, len(questions), sum(q["is_number"] for q in questions),
                languages(questions, "texts"), languages(questions, "queries"), sum(len(q["rows"]) for q in questions),
                sum(len(q["booleans"]) for q in questions), sum(len(q["extras"]) for q in questions),
                sum(map(lost, questions)), digest(questions),
            ]
            print("\t".join(map(str, columns)))


main(os.path.join(sys.argv[1], "data", "mirror"))
