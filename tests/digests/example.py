"""The cases over the example, over what the repository has, and over an endpoint on this machine."""

import functools
import gzip
import itertools
import json
import pathlib
import re
import tarfile

from case import REPOSITORY, add, read
from servers import Endpoint, served

FORMATS = ["table", "json", "csv", "markdown", "latex"]
# The profiles that score any dataset. The others want candidates.
SETS = ["qassay", "gerbil", "gerbil-2023", "gerbil-2019", "nliwod", "qald", "qald-4", "text2sparql", "clef-2004",
        "nlpcc-kbqa", "trec"]
EXPERIMENTS = ["QA", "C2KB", "P2KB", "RE2KB", "AT", "AIT2KB"]
EVERYTHING = "--groups --details --issues --failed --all-measures"
COMMANDS = ["evaluate", "release", "explain", "query", "datasets", "fetch", "links", "experiments", "measures", "profiles",
            "kb", "check", "convert", "verify", "export", "links add", "links list", "links show", "links check", "kb add",
            "kb list", "kb show", "kb refresh", "kb run", "kb answers", "kb compare"]
REPORTS = ["blind", "executions", "files", "files-only", "graphs", "groups", "hardest", "issues", "leaderboard", "ranking",
           "link-sets", "measures", "patterns", "provenance", "rules", "skipped", "unanswered"]
GROUPS = ["aggregation", "answer-type", "hybrid", "language", "onlydbo", "query-feature", "query-form", "question-type",
          "question-word", "triple-patterns"]
TARGETS = ["qald-json", "eqald-json", "jsonl", "qald-xml", "text2sparql", "csv", "tsv", "turtle", "n-triples", "n-quads",
           "trig", "rdf"]


def example(name, seconds=1.0, quick=True):
    """Adds a case over the example and what the repository has."""
    return lambda body: add(name, body, seconds, quick)


GOLD, AURORA, BOREALIS = (f"datasets/example/{name}.json" for name in ("gold", "aurora", "borealis"))
LINKS, BASE = "--links datasets/example/same-as.nt", "datasets/example/kb.ttl"
BOTH = f"evaluate {GOLD} {AURORA} {BOREALIS} {LINKS}"


def shown(run, words, profiles, prefix=""):
    """All that can be shown of an evaluation, in every format; nothing is kept."""
    words, extras = f"{words} -p {','.join(profiles)} --no-archive", EVERYTHING + " --differences" * (len(profiles) > 1)
    for form in "table", "json", "markdown", "latex":
        run(f"{prefix}{form}", words, extras, "--format", form)
    # CSV holds one table.
    for extra in "", *extras.split():
        run(f"{prefix}csv {extra}", words, "--format csv", extra)
    run(f"{prefix}html", words, f"--quiet --html {prefix}page.html")


@example("example/help")
def _(run):
    run("version", "--version")
    for command in ["", *COMMANDS]:
        run(f"{command or 'qassay'} -h", command, "-h")
        run(f"help {command}", "help", command)


@example("example/definitions")
def _(run):
    for what in "measures", "profiles", "experiments":
        for form in FORMATS:
            run(f"{what} {form}", what, "--format", form)
    for words in "measures macroF1 ndcg kappa", "profiles gerbil qald-4 qald/1 qassay/1", "experiments RE2KB", "measures no":
        run(words, words)


@example("example/datasets", 2)
def _(run):
    for form in FORMATS:
        run(f"all {form}", "datasets --format", form)
    for words in ("qald-9-test", "qald 9", "qald-9-test --format json", "qald-4-multilingual-train", "ck25", "--kb wikidata",
                  "--language de", "--kind submission", "--kind links", "--format-name XML --format csv", "--fetched", "zzz"):
        run(f"datasets {words}", "datasets", words)


@example("example/queries")
def _(run):
    for form in FORMATS:
        run(f"all {form}", "query --format", form)
    for name in REPORTS + [f"group/{name}" for name in GROUPS]:
        run(f"show {name.replace('/', '-')}", "query --show", name)


@example("example/readme", 8)
def _(run):
    run("evaluate", BOTH)
    for form in FORMATS:
        run(form, BOTH, "--no-archive --format", form)
    shown(run, BOTH, ["qassay"], "all-")
    run("again", BOTH, "--quiet")


@example("example/reports", 4)
def _(run):
    run("evaluate", BOTH, "-x QA,AIT2KB --archive kept")
    for report in REPORTS:
        run(report, "query --archive kept --format csv", report)
    for form in FORMATS:
        run(f"rules {form}", "query rules --archive kept --format", form)
    run("verify", "verify kept --format json")


@example("example/reports-over-all", 12, quick=False)
def _(run):
    run("evaluate", BOTH, "-p qassay,gerbil,qald")
    for report in REPORTS:
        for form in "table", "json":
            run(f"{report} {form}", "query --format", form, report)
    for name in GROUPS:
        run(f"group {name}", f"query group/{name}")
    count = "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g"
    run.write("count.rq", count)
    run("file", "query count.rq")
    run("links", "query count.rq --with-links")
    run("stdin", "query - --format json", stdin=b"ASK { ?s ?p ?o }")
    run("construct", "query -", stdin=b"CONSTRUCT { ?s a ?o } WHERE { ?s a ?o } LIMIT 1")
    run("broken", "query -", stdin=b"SELECT WHERE {")


@example("example/explain", 12)
def _(run):
    run("evaluate", BOTH, "-p qassay,gerbil")
    for system, profile in itertools.product(("aurora", "borealis"), ("qassay", "gerbil")):
        for form in FORMATS:
            run(f"{system} {profile} list {form}", f"explain {system} -p {profile} --format {form}")
        run(f"{system} {profile} wrong", f"explain {system} -p {profile} --wrong")
        for experiment in EXPERIMENTS:
            questions = range(1, 17) if profile == "qassay" and experiment in ("QA", "C2KB") else (1, 2, 14)
            for question in questions:
                run(f"{system} {profile} {experiment} {question}",
                    f"explain {system} {question} -p {profile} -x {experiment}")
    run("language", "explain aurora 1 -p qassay --language hu")
    run("not clear", "explain aurora 1")
    run("no question", "explain aurora 99 -p qassay")


def of_profile(profile):
    def body(run):
        run("evaluate", BOTH, f"-p {profile} --archive kept")
        shown(run, BOTH, [profile])
        run("list", f"explain aurora -p {profile} --archive kept")
        for question in 1, 4, 14:
            run(f"explain {question}", f"explain borealis {question} -p {profile} --archive kept")
        run("verify", "verify kept --format json")
    return body


for one in SETS:
    add(f"example/profile-{one}", of_profile(one), 4, one in ("qassay", "gerbil", "clef-2004", "trec"))


@example("example/all-profiles", 3)
def _(run):
    shown(run, BOTH, SETS)
    run("differences", f"evaluate {GOLD} {AURORA} {LINKS} -p qassay,gerbil,qald --experiment QA --no-archive --quiet")
    run("archive", BOTH, "-p", ",".join(SETS), "--archive kept")


@example("example/options", 4)
def _(run):
    ontology = "http://dbpedia.org/ontology/"
    run.write("classes.nt", "".join(
        f"<{ontology}{a}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <{ontology}{b}> .\n" for a, b in
        [("City", "Settlement"), ("Settlement", "Place"), ("Country", "Place"), ("River", "Place"), ("Mountain", "Place")]))
    lists = f"--labels {BASE} --types {BASE} --classes classes.nt"
    run.write("types.csv", "question,type\n1,List\n2,Factoid\n3,Number\n")
    run.write("redirects.nt", "".join(f"<http://dbpedia.org/resource/{a}> <{p}> <{b}> .\n" for a, p, b in [
        ("Wien", "http://dbpedia.org/ontology/wikiPageRedirects", "http://dbpedia.org/resource/Vienna"),
        ("Vienna", "http://xmlns.com/foaf/0.1/isPrimaryTopicOf", "http://en.wikipedia.org/wiki/Vienna"),
        ("Rusalka", "http://www.w3.org/2002/07/owl#sameAs", "http://www.wikidata.org/entity/Q1")]))
    for name, words in {
        "lists": lists, "labels gerbil": f"-p gerbil --labels {BASE}", "language": "--language de",
        "language gerbil": "-p gerbil --language de", "table1": "--loader table1", "hybrid": "--part hybrid",
        "multilingual": "--part multilingual", "gerbil-current": "-p gerbil --loader gerbil-current",
        "cutoffs": "-p trec,nlpcc-kbqa --cutoffs 1,3,7", "one system": "--system A --system B",
        "types": "-p clef-2004 --question-types types.csv", "link kinds":
            "--links redirects.nt --link-kind redirect,wikipedia", "sameas only": "--links redirects.nt",
        **{f"same-as {mode}": f"-p gerbil --same-as {mode}" for mode in
           ("links", "closure", "equivalence")},
        **{experiment: f"-x {experiment}" for experiment in EXPERIMENTS},
    }.items():
        run(name, BOTH, words, "--groups --issues --details --archive kept")
        run(f"{name} json", BOTH, words, "--format json --no-archive")
    for mode in "none", "static":
        run(f"same-as {mode}", f"evaluate {GOLD} {AURORA} -p gerbil --same-as {mode} --archive kept --format json")
    for key in run.evaluations("lists"):
        run(f"explain {key}", f"explain {key} 15 --archive kept")
        run(f"classes {key}", f"explain {key} 1 -x AIT2KB --archive kept")


@example("example/reproduction", 8)
def _(run):
    run("evaluate", BOTH, "-x QA,AIT2KB")
    for form in FORMATS:
        run(f"verify {form}", "verify aurora --format", form)
    run("export", "export aurora aurora.tar.gz")
    run("export folder", "export borealis folder")
    run("export without inputs", "export aurora borealis bare.tar.gz --no-inputs")
    run("verify packed", "verify aurora.tar.gz")
    run("verify folder", "verify folder --format json")
    run("verify bare", "verify bare.tar.gz")
    run("verify partial", "verify bare.tar.gz --partial --format json")
    graph = max((run.folder / "folder/graphs/sha256").glob("*/*"), key=lambda path: path.stat().st_size)
    changed = re.sub(rb'"0\.7[0-9]+"', b'"0.75"', read(graph), count=1)
    graph.chmod(0o644)
    graph.write_bytes(changed)
    run("verify changed", "verify folder --format json")
    next((run.folder / "folder/files/sha256/c3").iterdir()).unlink()
    run("verify missing", "verify folder --format json")


@example("example/check", 2)
def _(run):
    for path in sorted((REPOSITORY / "datasets/example").iterdir()):
        for form in [*FORMATS, "rdf"]:
            run(f"{path.name} {form}", f"check datasets/example/{path.name} --format {form}")
    every = f"check {GOLD} {AURORA} {BOREALIS}"
    for words in ("--strict", "--loader table1", "--loader gerbil-current", "--loader gerbil-current --format json",
                  "--part hybrid", "--part multilingual --format csv", "--encoding windows-1252"):
        run(words, every, words)


@example("example/convert", 3)
def _(run):
    for name in "gold.json", "aurora.json", "borealis.json", "clef-gold.csv", "clef-run.csv", "sentences.txt":
        for target in TARGETS:
            run(f"{name} {target}", f"convert datasets/example/{name} - --to {target}")
            run(f"{name} {target} lossy", f"convert datasets/example/{name} {name}.{target} --to {target} --lossy")
            run(f"{name} {target} check", f"check {name}.{target} --format json")
    run("queries from", f"convert {AURORA} mended.json --queries-from {GOLD} --lossy")
    run("there is one", f"convert {GOLD} mended.json")
    run("by ending", f"convert {GOLD} gold.ttl")
    run("no ending", f"convert {GOLD} gold.zzz")


@example("example/rankings")
def _(run):
    ranked = "evaluate datasets/example/sentences.txt datasets/example/sentences-scores.txt"
    shown(run, f"{ranked} --cutoffs 1,2", ["nlpcc-ranking"])
    run("archive", ranked, "-p nlpcc-ranking --archive kept")
    run("list", "explain sentences-scores --archive kept")
    for question in 1, 2, 3:
        run(f"explain {question}", f"explain sentences-scores {question} --archive kept")
    run("measures", "query measures --archive kept")
    run("verify", "verify kept")


@example("example/clef")
def _(run):
    judged = "evaluate datasets/example/clef-gold.csv datasets/example/clef-run.csv"
    people = "--assessments datasets/example/clef-assessments.csv"
    shown(run, f"{judged} {people}", ["clef-2004"])
    shown(run, judged, ["clef-2004"], "matched-")
    run("archive", judged, people, "-p clef-2004 --archive kept")
    run("list", "explain clef-run --archive kept")
    for question in "1", "2", "5", "7":
        run(f"explain {question}", f"explain clef-run {question} --archive kept")
    run("measures", "query measures --archive kept")
    run("verify", "verify kept")


@example("example/test-phase", 3)
def _(run):
    run.write("aurora-2.json", read(REPOSITORY / AURORA).replace(b"Belgrade", b"Beograd"))
    blind = f"evaluate --blind {GOLD} {AURORA} aurora-2.json --archive kept"
    run("blind", blind, "--system Aurora --profile qald-4")
    run("blind again", blind, "--system Aurora --profile qald-4 --format json")
    for form in FORMATS:
        run(f"blind {form}", f"evaluate --blind {GOLD} {BOREALIS} --profile gerbil --archive {form} --format {form}")
    run("explain", "explain Aurora 1 --archive kept")
    run("query before", "query blind --archive kept")
    for form in FORMATS:
        run(f"release {form}", f"release qassay-example --archive kept --html {form}.html --format {form}")
    run("release all", f"release {GOLD} --archive kept --failed --issues --quiet {LINKS}")
    run("release csv failed", "release qassay-example --archive kept --failed --format csv")
    run("explain after", "explain Aurora 1 --archive kept")
    run("query after", "query leaderboard --archive kept")
    run("verify", "verify kept --no-reexecution")


@example("example/knowledge-base", 8)
def _(run):
    run.write("kb-2.ttl", read(REPOSITORY / BASE).replace(b'"2850"', b'"2857"'))
    queries = json.loads(read(REPOSITORY / GOLD))
    for question in queries["questions"]:
        question.pop("answers", None)
    run.write("queries.json", queries)
    for form in FORMATS:
        run(f"add {form}", f"kb add example --version {form} {BASE} --format {form}")
    run("add 2", "kb add example --version 2 kb-2.ttl")
    run("add changed", f"kb add example --version 2 {BASE}")
    for form in FORMATS:
        run(f"list {form}", f"kb list --format {form}")
        run(f"show {form}", f"kb show example@2 --all --format {form}")
        run(f"refresh {form}", f"kb refresh {GOLD} --kb example@2 --details --format {form}")
        run(f"run {form}", f"kb run queries.json --kb example@2 --format {form}")
        run(f"answers {form}", f"kb answers --format {form}")
    both = f"evaluate {GOLD} {AURORA} queries.json --kb example@2 --gold both"
    shown(run, both, ["qassay"])
    run("archive", both, "-x QA")
    for target in "qald-json", "csv", "turtle", "qald-xml":
        run(f"fill {target}", f"kb run queries.json --kb example@json --output filled.{target} --to {target}")
    run("refresh json base", f"kb refresh {GOLD} --kb example@json")
    keys = sorted(path.stem for path in (run.folder / "qassay-archive/records/answers").iterdir())
    for number, key in enumerate(keys):
        run(f"answers of {number}", f"kb answers {key}")
        run(f"compare {number}", f"kb compare {keys[0]} {key}")
        run(f"refresh of {number}", f"kb refresh {GOLD} --kb {key}")
    for profile in "qald-4", "text2sparql":
        run(profile, f"evaluate {GOLD} {BOREALIS} queries.json --kb example@2 --gold refreshed -p {profile} --issues")
    lists = " ".join(f"--{name} example@2" for name in ("labels", "types"))
    run("lists", f"evaluate {GOLD} {BOREALIS} {lists} -x QA,AIT2KB --details")
    run("limits", f"kb refresh {GOLD} --kb example@2 --max-rows 3")
    run("explain", "explain queries 4 -p qald-4")
    run("explain labels", "explain borealis 15 -p qassay")
    run("verify", "verify --format json --no-reexecution")
    for key in run.evaluations("archive"):
        run(f"explain {key}", f"explain {key} 4")
        run(f"export {key}", f"export {key} {key}.tar.gz")
        run(f"verify {key}", f"verify {key}.tar.gz")
    run("unknown", f"kb refresh {GOLD} --kb nosuch")


@example("example/statuses", 3)
def _(run):
    run.write("kb.ttl", "@prefix : <http://e/> . :a :size 5 ; :old true . :b :size 5 ; :in :x . :c :size 4 ; :in :x .\n")
    product = " ".join(f"VALUES ?v{n} {{ 0 1 2 3 4 5 6 7 8 9 }}" for n in range(9))
    a, b, c, z = (f"http://e/{name}" for name in "abcz")
    questions = [{
        "id": name, "question": [{"language": "en", "string": f"{name}?"}],
        "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [
            {"x": {"type": "uri" if one.startswith("http") else "literal", "value": one}} for one in answers]}}],
        **({"query": {"sparql": f"PREFIX : <http://e/> {query}"}} if query else {}),
    } for name, query, answers in [
        ("same", "SELECT ?x { ?x :in :x }", [b, c]), ("text", "ASK { :a :old true }", ["True"]),
        ("changed", "SELECT ?x { ?x :size 5 }", [a, z]), ("empty", "SELECT ?x { ?x :size 9 }", [a]),
        ("broken", "SELECT ?x { ?x :size }", [a]), ("silent", "", [a]), ("rows", "SELECT * {}", []),
        ("tie", "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 1", [z]),
        ("slow", f"SELECT (COUNT(*) AS ?n) {{ {product} }}", ["0"]),
        ("service", "SELECT * { SERVICE <http://o/> { ?s ?p ?o } }", []),
        ("average", "SELECT (AVG(?x) AS ?y) { ?s :in ?x }", []),
        ("optional", "SELECT ?y { ?s :size ?n OPTIONAL { ?s :in ?y } }", []),
    ]]
    run.write("gold.json", {"dataset": {"id": "small"}, "questions": questions})
    bare = [{k: v for k, v in one.items() if k != "answers" or one["id"] == "changed"} for one in questions]
    run.write("queries.json", {"questions": bare})
    run("add", "kb add small --version 1 kb.ttl")
    run("refresh", "kb refresh gold.json --kb small --timeout 1 --details")
    run("evaluate", "evaluate gold.json queries.json --kb small --gold both --timeout 1 --details --issues --format json")
    run("run", "kb run queries.json --kb small --timeout 1 --output filled.json --to qald-json")
    run("verify", "verify --format json --no-reexecution")


@example("example/links", 2)
def _(run):
    run.write("pairs.csv", "http://dbpedia.org/resource/Wien,http://dbpedia.org/resource/Vienna\n"
              "http://dbpedia.org/resource/Vienna,http://dbpedia.org/resource/Vienna_(city)\n")
    run("add", "links add ex --version 1 datasets/example/same-as.nt --source https://example.org/")
    run("add 2", "links add ex --version 2 datasets/example/same-as.nt pairs.csv")
    run("add again", "links add ex --version 2 pairs.csv")
    danube = "http://dbpedia.org/resource/Budapest http://www.wikidata.org/entity/Q1781"
    for form in FORMATS:
        run(f"list {form}", f"links list --format {form}")
        run(f"show {form}", f"links show {danube} {LINKS} --format {form}")
        run(f"check {form}", f"links check ex@2 pairs.csv --most 2 --format {form}")
    run("show all", "links show http://dbpedia.org/resource/Vienna")
    run("strict", "links check --strict --most 2 --limit 1")
    for words in "ex@2", "ex", "ex@1":
        run(f"evaluate {words}", f"evaluate {GOLD} {AURORA} --links {words} -x QA --format json")
    run("explain", "explain aurora 1")
    run("link sets", "query link-sets")


@example("example/wrong", 2)
def _(run):
    gold, latin = read(REPOSITORY / GOLD), "id,answer\n1,Dvořák\n2,Größe\n".encode("iso8859-2")
    files = {"empty": b"", "brace.json": b"{", "cut.json": gold[:2000], "cut.xml": b"<dataset id='x'><question id='1'>",
             "latin.csv": latin, "bytes": bytes(range(256)), "gold.json.gz": gzip.compress(gold, mtime=0),
             "none.xml": b"<dataset id='x'/>", "list.json": b"[1, 2, 3]", "text": b"The quick brown fox\n",
             "twice.csv": b"id,answer\n1,a\n1,b\n2,c\n", "bad.nt": b"<a> <b>\n", "one.xml":
             b"<dataset id='x'><question id='1'><answers><answer><uri>http://e/a b</uri></answer></answers></question></dataset>"}
    for name, content in files.items():
        run.write(name, content)
        run(f"check {name}", "check", name)
        run(f"evaluate {name}", "evaluate --no-archive", name, AURORA)
        run(f"answers {name}", "evaluate --no-archive", GOLD, name)
        run(f"convert {name}", "convert", name, "- --to n-quads")
        run(f"links {name}", f"evaluate {GOLD} {AURORA} -x QA --no-archive --links {name}")
        run(f"kb {name}", f"kb add {name} --version 1", name)
    for words in ("", "zzz", "evaluate", f"evaluate {GOLD}", "evaluate no.json no.json", "explain aurora", "explain aurora 1",
                  "query zzz", "query leaderboard", "verify", "verify zzz", "export zzz out", "kb list", "kb show zzz",
                  "kb answers", "kb compare a b", "links list", "links show http://e/a", "fetch zzz", "fetch", "release zzz",
                  "check zzz", "convert zzz -", "measures zzz", "profiles zzz", "experiments zzz", "datasets qald-99"):
        run(f"qassay {words.replace('/', '-')}", words)
    run.write("people.csv", "question,answer,verdict\n1,a,perhaps\n")
    for words in ("-p zzz", "-x zzz", "--format zzz", "--language 17", "--gold refreshed", "--kb nosuch", "--cutoffs 0",
                  "--cutoffs 1,2", "--same-as none", "--loader gerbil-current", "--links zzz", "--links zzz@1", "--jobs 0",
                  "--system A --system B", "-p nlpcc-ranking", "--timeout 0", "-p clef-2004 --assessments people.csv",
                  "--question-types people.csv", "--link-kind zzz", "--part zzz", "--archive gold.json.gz", "--blind"):
        run(f"evaluate {words}", f"evaluate {GOLD} {AURORA} {words}")


@example("endpoint/example", 5)
def _(run):
    run.has_random_keys = True
    asked = []
    with served(functools.partial(Endpoint, asked)) as base:
        url = f"{base}/sparql"
        run("refresh", f"kb refresh {GOLD} --kb {url} --jobs 1 --details")
        lists = " ".join(f"--{name} {url}" for name in ("links", "labels", "types", "classes"))
        run("evaluate", f"evaluate {GOLD} {AURORA} {lists} --kb {url} --gold both -x QA,AIT2KB --jobs 1 --details --issues")
        some = f"evaluate {GOLD} {BOREALIS} --links {url} --labels {url} --jobs 1 -x QA"
        run("gerbil", some, "-p gerbil --archive gerbil")
        run("kinds", some, "--link-kind redirect,wikipedia --archive kinds")
        run("links", f"links add here --version 1 --from {url} --for {GOLD} --jobs 1")
        run("none", f"kb refresh {GOLD} --kb {base}/none --jobs 1")
    run("answers", "kb answers")
    run("verify", "verify --format json --no-reexecution")
    run.outputs["asked"] = "\n".join(sorted(asked)).encode()


def of_archive(path):
    """An archive of an older version."""
    def body(run):
        run.is_old = True
        run("verify", f"verify old/{path.name}")
        run("verify json", f"verify old/{path.name} --format json")
        with tarfile.open(path) as packed:
            packed.extractall(run.folder, filter="data")
        run.inputs |= {str(one.relative_to(run.folder)) for one in run.folder.rglob("*")}
        told = json.loads(run("executions", "query executions --archive archive --format json"))
        run("issues", "query issues --archive archive --format csv")
        for name in REPORTS[::2]:
            run(f"query {name}", f"query {name} --archive archive")
        keys = sorted({key for key in re.findall(r"evaluation/([0-9a-f]{32})", json.dumps(told))})
        for key in keys:
            run(f"list {key}", f"explain {key} --archive archive")
            run(f"list AT {key}", f"explain {key} --archive archive -x AT")
            for question in 1, 4, 8, 14:
                run(f"explain {key} {question}", f"explain {key} {question} --archive archive")
        run("verify one", f"verify {keys[0]} --archive archive")
        run("export", f"export {keys[0]} exported --archive archive")
    return body


for one in sorted((REPOSITORY / "tests/archives").glob("*.tar.gz")):
    add(f"archives/{one.name.partition('.')[0]}", of_archive(one), 12, True)
