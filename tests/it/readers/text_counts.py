#!/usr/bin/env python3
"""Counts what is in the text files of the mirror, without qassay: the table of `tests/it/readers/text.rs`.

Usage: readers_text.py MIRROR > readers_text.tsv
Columns: file, format, questions, questions with answers, rows, candidates, extras, checksum. The checksum is over
every question: id, text, rows in their order, candidates with label, score, rank.
"""
import glob, hashlib, sys
from collections import OrderedDict
from decimal import Decimal

MIRROR = sys.argv[1]


class Question:
    def __init__(self, id):
        self.id, self.texts, self.rows, self.candidates, self.extras = id, [], [], [], []


def lines(text):
    return [line[:-1] if line.endswith("\r") else line for line in text.split("\n")]


def kbqa(text):
    questions = []
    for line in lines(text):
        if line.startswith("<question id="):
            tag, text = line.split(">", 1)
            questions.append(Question(tag[len("<question id="):].strip('"')))
            questions[-1].texts.append(text[1:])
        elif line.startswith("<answer id="):
            questions[-1].rows += [answer for answer in line.split("\t")[1:] if answer]
    return questions


def dbqa(text):
    questions = []
    for line in lines(text):
        if line:
            question, sentence, label = line.split("\t")
            if not questions or questions[-1].texts != [question]:
                questions.append(Question(""))
                questions[-1].texts.append(question)
            questions[-1].candidates.append(([sentence], label, "", ""))
            if int(label) > 0:
                questions[-1].rows.append(sentence)
    return questions


def scores(text):
    question = Question("")
    question.candidates = [([], "", score.strip(), "") for score in text.split()]
    return [question]


def qrels(text):
    questions = OrderedDict()
    for line in lines(text):
        if line and not line.startswith("#"):
            id, group, document, grade = line.split()
            question = questions.setdefault(id, Question(id))
            question.candidates.append(([document] + ([] if group == "0" else [group]), grade, "", ""))
            if int(grade) > 0:
                question.rows.append(document)
    return list(questions.values())


def run(text):
    questions = OrderedDict()
    for line in lines(text):
        if line.strip():
            id, _, document, rank, score, tag, *more = line.split()
            question = questions.setdefault(id, Question(id))
            question.candidates.append(([document], "", score, rank))
            for extra in [tag] + ([" ".join(more)] if more else []):
                if extra not in question.extras:
                    question.extras.append(extra)
    for question in questions.values():
        # a stable sort twice: by document descending, then by score descending
        question.candidates.sort(key=lambda c: c[0][0].encode(), reverse=True)
        question.candidates.sort(key=lambda c: -float(c[2]))
        question.rows = [candidate[0][0] for candidate in question.candidates]
    return list(questions.values())


def numeral(score):
    return format(Decimal(score), "f") if score else ""


FILES = [
    ("nlpcc-kbqa", kbqa, "JuneTse/NLPCCKBQAProj/*/KBQA2017SysData/datasets/results/*.txt"),
    ("nlpcc-dbqa", dbqa, "Leputa/NLPCC2017_Task5/*/evaltool/sample.QApair.txt"),
    ("nlpcc-scores", scores, "Leputa/NLPCC2017_Task5/*/evaltool/sample.score.txt"),
    ("trec-qrels", qrels, "usnistgov/trec_eval/*/test/qrels*"),
    ("trec-run", run, "usnistgov/trec_eval/*/test/results*"),
    ("trec-run", run, "usnistgov/trec_eval/*/test/prefs.results.test"),
]

print("file", "format", "questions", "given", "rows", "candidates", "extras", "digest", sep="\t")
for format_name, reader, pattern in FILES:
    for path in sorted(glob.glob(f"{MIRROR}/{pattern}")):
        content = open(path, "rb").read()
        questions = reader(content.decode("gb18030" if "sample.QApair" in path else "utf-8"))
        digest = hashlib.sha256()
        for q in questions:
            fields = [q.id] + q.texts + q.rows
            for parts, label, score, rank in q.candidates:
                fields += parts + [label, numeral(score), rank]
            digest.update(("\x1f".join(fields) + "\x1e").encode())
        print(path[len(MIRROR):].lstrip("/"), format_name, len(questions), sum(bool(q.rows) or format_name == "nlpcc-scores" for q in questions),
              sum(len(q.rows) for q in questions), sum(len(q.candidates) for q in questions),
              sum(len(q.extras) for q in questions), digest.hexdigest()[:16], sep="\t")
