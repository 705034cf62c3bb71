"""How trec_eval 9 compares scores, by pytrec_eval, which is its C code: writes trec_scores.tsv, which tests/it/cli/ranking.rs reads.

python -m venv v && v/bin/pip install pytrec_eval-terrier && v/bin/python tests/second/trec_scores.py > tests/second/trec_scores.tsv

A question has a right document a and a wrong one b, with these scores; among equal ones b stands first. pytrec_eval takes scores as
numbers of 64 bits and hands them on as what trec_eval has: 1/2 where a is the greater one says that they became equal. Scores that 32 bits
do not reach are not here: qassay reads no score with more than 15 digits before the point.
"""

import pytrec_eval

SCORES = [
    "1.000000000001 1.0", "1.000001 1.0", "1.0 1.0", "1.00000005 1.0", "1.0000001 1.0", "1.00000006 1.0", "1.000000059604644775 1.0",
    "16777217 16777216", "16777218 16777216", "16777219 16777218", "-1.0 -1.000000000001", "-1.0 -1.0000001", "0.1 0.09999999999",
    "0.1 0.0999999", "1e-46 0", "1e-45 0", "1e-40 9e-41", "2 1", "1 2",
]  # fmt: skip

print("a\tb\trecip_rank")
evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"recip_rank"})
for scores in SCORES:
    a, b = scores.split()
    rank = evaluator.evaluate({"q": {"a": float(a), "b": float(b)}})["q"]["recip_rank"]
    print(a, b, rank, sep="\t")
