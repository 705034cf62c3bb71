"""Expected counts for tests/it/readers/qald.rs, made without qassay: python3 tests/it/readers/qald_counts.py SHARED > tests/it/readers/qald.tsv

The column `digest` is a checksum over all texts, keywords, queries, flags and answers as they must be read.
Counts with Python's own json and ElementTree what the readers must find in every QALD-like file of the mirror.
It shares no code and no data with the Rust readers; where the two disagree, one of them is wrong.
"""

import collections
import glob
import hashlib
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

ANSWER_TYPES = {"resource", "string", "number", "date", "boolean", "listofresource"}
KINDS = {
    "sparql": "sparql", "query": "sparql", "executable_sparql": "sparql",
    "pseudo": "pseudo", "pseudoquery": "pseudo", "predicted_sparql": "pseudo",
}
FLAGS = ["aggregation", "onlydbo", "onlyesdbp", "hybrid", "yago", "statistical"]


class Counts:
    def __init__(self, file_format):
        self.format = file_format
        self.questions = self.with_answers = self.rows = self.booleans = self.queries = 0
        self.issues = collections.Counter()
        self.once = set()  # (code, word): issues that are told once per file
        self.ids = collections.Counter()
        self.digest = hashlib.sha256()

    def tell_once(self, code, word):
        if (code, word) not in self.once:
            self.once.add((code, word))
            self.issues[code] += 1

    def record(self, *fields):
        self.digest.update(("\x1f".join(fields) + "\x1e").encode("utf-8"))

    def question(self, identifier, texts, keywords, answer_type, flags, queries, answers):
        """What all formats share.

        `texts` and `keywords` are (language, text), `flags` (name, value), `queries` (kind, text);
        `answers` has a boolean or a list of (variable, value, datatype, language) for each boolean and row.
        """
        given = bool(answers)
        self.questions += 1
        self.with_answers += given
        identifier = str(identifier).strip() if identifier is not None else ""
        if identifier == "":
            self.issues["missing-id"] += 1
        else:
            self.ids[identifier] += 1
            self.issues["duplicate-id"] += self.ids[identifier] > 1
        if texts is not None and not any(t.strip() for _, t in texts):
            self.issues["missing-text"] += 1
        if answer_type is not None and answer_type.strip().lower() not in ANSWER_TYPES:
            self.issues["unknown-answer-type"] += 1
        # equal words about one question are one issue; the words name the flag
        self.issues["odd-flag"] += sum(str(value).strip().lower() not in ("true", "false") for _, value in flags)
        self.issues["empty-query"] += any(not text.strip() for _, text in queries)
        real = dict.fromkeys((kind.lower(), text.strip()) for kind, text in queries if text.strip())
        out_of_scope = any(text.upper() == "OUT OF SCOPE" for _, text in real)
        self.queries += sum(text.upper() != "OUT OF SCOPE" for _, text in real)
        self.issues["wrong-type"] += bool(out_of_scope and given)
        self.record("question", identifier, answer_type or "")
        for language, text in texts or []:
            self.record("text", language, text)
        for language, text in keywords:
            self.record("keywords", language, text)
        for kind, text in real:
            if text.upper() != "OUT OF SCOPE":
                self.record(KINDS[kind], text)
        for name, value in flags:
            self.record("flag", name, value if isinstance(value, str) else json.dumps(value))
        for answer in answers:
            if isinstance(answer, bool):
                self.record("boolean", json.dumps(answer))
            else:
                self.record("row", *[field for cell in answer for field in cell])

    def row(self, row, head, seen):
        """A row of SPARQL results. `seen` keeps what was already told about this question."""
        self.rows += 1
        cells = []
        for variable, cell in row.items():
            if variable.startswith('"') and variable.endswith('"'):
                if ("quoted", variable) not in seen:
                    seen.add(("quoted", variable))
                    self.issues["quoted-variable"] += 1
                variable = variable[1:-1]
            if head is not None and variable not in head and ("undeclared", variable) not in seen:
                seen.add(("undeclared", variable))
                self.issues["undeclared-variable"] += 1
            if cell.get("type") not in ("uri", "literal", "typed-literal", "bnode"):
                self.tell_once("unknown-term-kind", cell.get("type"))
            cells.append((variable, cell["value"], cell.get("datatype", ""), cell.get("xml:lang", "")))
        return cells


def qald_json(document):
    counts = Counts("qald-json")
    for outer in document["questions"]:
        q = outer["question"] if isinstance(outer.get("question"), dict) else outer
        flags = [(k, v) for source in (q, q.get("metadata", {})) for k, v in source.items() if k in FLAGS]
        texts, keywords, queries = [], [], []
        for entry in q.get("language") or q.get("body") or (q["question"] if q is outer else []):
            texts += [(entry["language"], entry[k]) for k in ("string", "question") if k in entry]
            keywords += [(entry["language"], entry["keywords"])] if "keywords" in entry else []
            queries += [("sparql", entry["SPARQL"])] if "SPARQL" in entry else []
        query = q.get("query", {})
        queries += [("sparql", query)] if isinstance(query, str) else [(k, v) for k, v in query.items()]
        found, seen = [], set()
        answers = q.get("answers", [])
        for answer in [answers] if isinstance(answers, dict) else answers:
            if set(answer) == {"string"}:
                counts.rows += 1
                found.append([("string", answer["string"], "", "")])
                continue
            if "boolean" in answer:
                counts.booleans += 1
                found.append(answer["boolean"])
            head = answer.get("head", {}).get("vars")
            for row in answer.get("results", {}).get("bindings", []):
                found.append(counts.row(row, head, seen))
        counts.question(q.get("id", outer.get("id")), texts, keywords, q.get("answertype"), flags, queries, found)
    return counts


def wiki_web_questions(document):
    counts = Counts("wikiwebquestions")
    for q in document:
        texts = [("", q["utterance"])] if "utterance" in q else None
        queries = [(k, q[k]) for k in ("predicted_sparql", "executable_sparql", "sparql") if k in q]
        found = [counts.row(row, None, set()) for row in q["results"]]
        counts.question(q.get("id", q.get("dev_set_id")), texts, [], None, [], queries, found)
    return counts


# the questions of TEXT2SPARQL 2025 that have an ndcg in the evaluations of the campaign
ORDER_MATTERS = {"ck25:27", "ck25:37", "db25:46", "db25:96"}


def text2sparql(document):
    counts = Counts("text2sparql")
    for identifier, texts in document.items():
        if list(texts) == ["true"]:
            counts.booleans += 1
            found = [texts["true"] > 0]
        else:
            counts.rows += len(texts)
            found = [[("text", text, "", "")] for text in texts]
        flags = [("result_order_matters", "true")] if identifier.rpartition("-")[0] in ORDER_MATTERS else []
        counts.question(identifier, None, [], None, flags, [], found)
    return counts


def is_text2sparql(document):
    if not isinstance(document, dict) or not document:
        return False
    first = next(iter(document))
    values = [texts for texts in document.values() if texts]
    return re.fullmatch(r"[^:]+:[^/].*-[a-z]{2,3}", first) is not None and "set_F" not in values[0]


def qald_xml(path):
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    with open(path, encoding="utf-8-sig") as file:
        content = file.read()
    repaired = 0
    if path.endswith("qald-5_train_raw.xml"):
        # questions without </answers>, which no strict parser takes
        parts = content.split("</question>")
        for i, part in enumerate(parts):
            if part.count("<answers>") > part.count("</answers>"):
                parts[i] = part + "</answers>"
                repaired += 1
        content = "</question>".join(parts)
    root = ET.fromstring(content.encode("utf-8"), parser)
    counts = Counts("qald-xml")
    counts.issues["not-well-formed"] = repaired
    counts.issues["no-questions"] = int(root.find("question") is None)
    for name in root.attrib:
        if name != "id":
            counts.tell_once("unknown-field", name)
    for q in root.findall("question"):
        for name in q.attrib:
            if name not in ["id", "answertype", *FLAGS]:
                counts.tell_once("unknown-field", name)
        texts, keywords = (
            [(e.get("lang", ""), "".join(e.itertext()).strip()) for e in q.findall(tag)]
            for tag in ("string", "keywords")
        )
        queries = [(e.tag, e.text or "") for e in q if e.tag in ("query", "pseudoquery")]
        found, comment, stray = [], False, False
        for answers in q.iter("answers"):
            for answer in answers.iter():
                comment |= answer.tag is ET.Comment
            for answer in answers:
                if answer.tag is ET.Comment:
                    continue
                stray |= answer.tag != "answer"
                counts.rows += 1
                cells = list(answer) if answer.tag == "answer" and len(answer) else [answer]
                found.append([(cell.tag, (cell.text or "").strip(), "", "") for cell in cells])
        counts.issues["comment-in-answers"] += comment
        counts.issues["wrong-type"] += stray
        flags = [(name, value) for name, value in q.attrib.items() if name in FLAGS]
        counts.question(q.get("id"), texts, keywords, q.get("answertype"), flags, queries, found)
    return counts


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".xml"):
        counts = qald_xml(path)
    else:
        try:
            document = json.loads(content.decode("utf-8-sig"))
        except ValueError as error:
            print(f"not counted: {path}: {error}", file=sys.stderr)
            return None
        if isinstance(document, dict) and "questions" in document:
            counts = qald_json(document)
        elif isinstance(document, list) and document and {"utterance", "dev_set_id"} & set(document[0]):
            counts = wiki_web_questions(document)
        elif is_text2sparql(document):
            counts = text2sparql(document)
        else:
            return None
    counts.issues["byte-order-mark"] = int(content.startswith(b"\xef\xbb\xbf"))
    return counts


def main(shared):
    mirror = os.path.join(shared, "data", "mirror")
    survey = {}
    with open(os.path.join(shared, "specs", "datasets.tsv"), encoding="utf-8") as file:
        next(file)
        for line in file:
            _, repo, commit, path, _, _, questions, *_ = line.rstrip("\n").split("\t")
            survey[f"{repo}/{commit}/{path}"] = questions
    print("file\tformat\tquestions\twith answers\trows\tbooleans\tqueries\tdigest\tissues")
    for path in sorted(glob.glob(os.path.join(mirror, "**", "*"), recursive=True)):
        name = os.path.relpath(path, mirror)
        if not name.endswith((".json", ".xml")):
            continue
        counts = read(path)
        if counts is None:
            continue
        if name in survey:
            assert int(survey[name]) == counts.questions, (name, survey[name], counts.questions)
        issues = " ".join(f"{code}={count}" for code, count in sorted(counts.issues.items()) if count)
        numbers = [counts.questions, counts.with_answers, counts.rows, counts.booleans, counts.queries]
        print("\t".join([name, counts.format, *map(str, numbers), counts.digest.hexdigest()[:16], issues]))
    missing = [name for name in survey if name.startswith("ag-sc") and not os.path.exists(os.path.join(mirror, name))]
    print(len(missing), "files of the survey are not in the mirror:", *missing, sep="\n", file=sys.stderr)


main(sys.argv[1])
