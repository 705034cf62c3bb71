"""What pytrec_eval does with a file of judgements and one of a run: reads both, prints the means of MAP and nDCG."""

import sys

import pytrec_eval

with open(sys.argv[1], encoding="utf-8") as judgements, open(sys.argv[2], encoding="utf-8") as run:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judgements), {"map", "ndcg"})
    results = evaluator.evaluate(pytrec_eval.parse_run(run)).values()
for measure in ["map", "ndcg"]:
    print(measure, sum(result[measure] for result in results) / len(results))
