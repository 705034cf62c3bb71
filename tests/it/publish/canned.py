"""The rows of canned queries by an engine of somebody else.   canned.py ENGINE RECORD QUERIES

ENGINE is pyoxigraph or rdflib; QUERIES is a folder of .rq files. Every graph of the record is loaded, and nothing else. Prints
JSON: by the name of each query its results, in the form of the SPARQL 1.1 Query Results JSON Format.
"""

import glob
import json
import os
import sys

engine, record, queries = sys.argv[1:]
files = sorted(glob.glob(os.path.join(record, "**", "*.nq"), recursive=True))

if engine == "pyoxigraph":
    import pyoxigraph

    store = pyoxigraph.Store()
    for path in files:
        store.bulk_load(path=path, format=pyoxigraph.RdfFormat.N_QUADS)

    def ask(query):
        found = store.query(query, use_default_graph_as_union=True)
        return json.loads(found.serialize(format=pyoxigraph.QueryResultsFormat.JSON))

else:
    import rdflib

    rdflib.NORMALIZE_LITERALS = False
    dataset = rdflib.Dataset(default_union=True)
    for path in files:
        dataset.parse(path, format="nquads")

    def ask(query):
        return json.loads(dataset.query(query).serialize(format="json"))


answers = {}
for path in sorted(glob.glob(os.path.join(queries, "*.rq"))):
    answers[os.path.basename(path)[:-3]] = ask(open(path, encoding="utf-8").read())
json.dump(answers, sys.stdout)
