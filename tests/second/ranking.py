#!/usr/bin/env python3
"""Rank measures by another implementation: pytrec_eval, which is trec_eval in C. `tests/it/scoring/ranking.rs` compares.

Usage: ranking.py > ranking.json    (needs `pip install pytrec_eval-terrier`; any run gives the same file)

For every question: the answers in trec_eval's order (grade, score, whether they are judged as not relevant), the grades
of all relevant documents, how many are judged as not relevant, and the measures in that order, and with ties broken for
and against the system. pytrec_eval does not have NLPCC's average precision, and rounds the recalls of interpolated precision as trec_eval
9 did: these are computed here, from their definitions.
"""
import json, math, random
import pytrec_eval

CUTS = [1, 2, 3, 5, 10, 20, 100]
MEASURES = {"recip_rank", "map", "Rprec", "ndcg", "num_ret", "num_rel", "num_rel_ret", "bpref", "gm_map"} | {
    f"{family}.{','.join(map(str, CUTS))}" for family in ("P", "recall", "ndcg_cut", "success")
}
# Where a question has nothing relevant, the ideal gain is 0; grades below 0 say that nobody judged.
GRADES = [[0, 1], [0, 0, 0, 1, 2, 3], [0], [-1, 0, 1, 5]]


def nlpcc(grades, known):
    found, total = 0, 0.0
    for rank, grade in enumerate(grades, 1):
        if grade > 0:
            found += 1
            total += found / rank
    least = min(known, len(grades))
    return total / least if least else 0.0


def interpolated(grades, known, percent):
    least = (2 * percent * known + 100) // 200
    found = [rank for rank, grade in enumerate(grades, 1) if grade > 0]
    return max((at / rank for at, rank in enumerate(found, 1) if at >= least), default=0.0)


def measures(qrels, ordered):
    """The measures of documents in this order: distinct scores leave nothing to a rule for ties."""
    run = {document: float(len(ordered) - place) for place, document in enumerate(ordered)}
    found = pytrec_eval.RelevanceEvaluator({"q": qrels}, MEASURES).evaluate({"q": run})["q"]
    grades = [qrels.get(document, 0) for document in ordered]
    # of one question it is the logarithm of what is averaged
    found["gm_map"] = math.exp(found["gm_map"])
    known = sum(grade > 0 for grade in qrels.values())
    found["map_nlpcc"] = nlpcc(grades, known)
    for percent in range(0, 101, 10):
        found[f"iprec_at_recall_{percent / 100:.2f}"] = interpolated(grades, known, percent)
    return found


def question(random, number):
    grades = GRADES[number % len(GRADES)]
    documents = [f"d{place:03}" for place in range(random.choice([1, 4, 30, 120]))]
    qrels = {document: random.choice(grades) for document in documents if random.random() < 0.7}
    qrels = qrels or {documents[0]: 1}
    retrieved = random.sample(documents, random.randint(1, len(documents)))
    # few scores: many ties
    highest = random.choice([2, 20, 1000])
    run = {document: random.randint(0, highest) for document in retrieved}
    gain = lambda document: max(qrels.get(document, 0), 0)
    order = lambda rule: sorted(sorted(run, reverse=True), key=lambda d: (-run[d], rule(d)))
    stated = order(lambda document: 0)
    # the rule for ties is trec_eval's own
    theirs = pytrec_eval.RelevanceEvaluator({"q": qrels}, MEASURES).evaluate(
        {"q": {document: float(score) for document, score in run.items()}})["q"]
    ours = measures(qrels, stated)
    theirs["gm_map"] = math.exp(theirs["gm_map"])
    assert all(ours[name] == value for name, value in theirs.items()), number
    return {
        "answers": [[gain(document), run[document], qrels.get(document) == 0] for document in stated],
        "gold": sorted((grade for grade in qrels.values() if grade > 0), reverse=True),
        "rejected": sum(grade == 0 for grade in qrels.values()),
        "stated": ours,
        "worst": measures(qrels, order(gain)),
        "best": measures(qrels, order(lambda document: -gain(document))),
    }


source = random.Random(20261121)
questions = [question(source, number) for number in range(48)]
print("[" + ",\n".join(json.dumps(one, sort_keys=True) for one in questions) + "]")
