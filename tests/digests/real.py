"""The cases over the real files of ../shared/data."""

import functools
import itertools
import json
import pathlib
import re

from case import SHARED, add, read
from example import EVERYTHING, SETS, shown
from servers import Files, served

QALD = "mirror/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf"
NLIWOD = "mirror/AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.ml/src/main/resources/QALD8Answers"
KGQAN = "mirror/CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation"
WIKI = "mirror/stanford-oval/wikidata-emnlp23/acbc1eb4698092e6a8bcc7ad9677246309bee6ca"
HAWK = "mirror/AKSW/hawk/1bf61d2ec1317a5529326e2da021897b6d7adaf7/results/CLEF_2015_hybrid_QA"
CAMPAIGN = "mirror/AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs"
NLPCC = "mirror/JuneTse/NLPCCKBQAProj/abadb44b442aba5c579431e8697d11cff84658a6/KBQA2017SysData/datasets/results"
DBQA = "mirror/Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool"
TREC = "mirror/usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test"
BESTIARY = "mirror/danrd/sparqlgen/1efd5bec491779a48ac46d4a75075106c565c10a/beastiary"
GRASP = "mirror-2/ad-freiburg/grasp/2ff24829de070e6e3b42c252438c0732603acb9d/data/benchmark/ck25/text2sparql2025"


def of_pair(gold, answers, profiles=SETS, explained=("qassay", "gerbil")):
    """Answers of a system: the whole archive, all that can be shown, why questions have their scores."""
    def body(run):
        printed = run("json", f"evaluate {gold} {answers} -p {','.join(profiles)} --archive kept --format json")
        shown(run, f"evaluate {gold} {answers}", profiles, "all-")
        system = pathlib.Path(answers).stem
        for profile in explained:
            run(f"list {profile}", f"explain --archive kept -p {profile} --format csv", system)
            run(f"wrong {profile}", f"explain --archive kept -p {profile} --wrong -x AT", system)
            told = [one for one in json.loads(printed or b'{"evaluations": []}')["evaluations"] if one["profile"] == profile]
            questions = told[0]["experiments"]["QA"]["questions"] if told else []
            partly = [one for one in questions if 0 < one["tp"] or one["fn"]] + questions
            for place, question in enumerate(partly[:12]):
                run(f"explain {profile} {place}", f"explain --archive kept -p {profile}", system, pathlib.Path(question["id"]))
        if "gerbil" in profiles:
            for mode in "none", "static", "closure", "equivalence":
                run(f"same-as {mode}", f"evaluate {gold} {answers} -p gerbil --same-as {mode} --no-archive --format json")
            for loader in "table1", "gerbil-current":
                run(f"loader {loader}", f"evaluate {gold} {answers} -p gerbil --loader {loader} --no-archive --format json")
    return body


def pairs():
    train, test = f"{QALD}/8/data/qald-8-train-multilingual.json", f"{KGQAN}/data/qald-9-test-multilingual.json"
    for system in "AskNow", "GANSWER2", "QAKIS", "TeBaQA":
        add(f"pairs/qald-8-train-{system}", of_pair(train, f"{NLIWOD}/{system}_QALD8_Train.json"), 8, system == "QAKIS")
    kgqan = f"{KGQAN}/best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json"
    add("pairs/qald-9-test-KGQAn", of_pair(test, kgqan), 20)
    add("pairs/qald-9-test-KGQAn-other-copy", of_pair(f"{QALD}/9/data/qald-9-test-multilingual.json", kgqan), 20)
    add("pairs/wikiwebquestions", of_pair(f"{WIKI}/WikiWebQuestions/dev.json", f"{WIKI}/predicted_results/best.json"), 15)
    for dataset, systems in ("ck25", "AIFB INFAI MIPT WSE"), ("db25", "AIFB INFAI MIPT WSE"):
        gold = f"{CAMPAIGN}/benchmark/{dataset}_true_result_set.json"
        for system in systems.split():
            for kind in "system_result_set", "answers", "responses":
                answers = f"{CAMPAIGN}/results/{system}/{dataset}_{kind}.json"
                if (SHARED / "data" / answers).is_file():
                    quick = (dataset, system, kind) == ("ck25", "WSE", "system_result_set")
                    add(f"pairs/{dataset}-{system}-{kind}", of_pair(gold, answers), 6, quick)
    for path in sorted((SHARED / "data" / HAWK).glob("*.xml")):
        gold = "qald-5_train.xml" if "train" in path.name else "qald-5_test.xml"
        add(f"pairs/hawk-{path.stem}", of_pair(f"{QALD}/5/data/{gold}", f"{HAWK}/{path.name}"), 5,
            path.stem.startswith("answer_featurebased_qald-5_test"))
    add("pairs/nlpcc-kbqa", of_pair(f"{NLPCC}/kbqa_gold_lowcase.txt", f"{NLPCC}/topK_results.txt",
                                    ["nlpcc-kbqa", "qassay", "trec"], ["nlpcc-kbqa"]), 25)
    add("pairs/nlpcc-dbqa", of_pair(f"{DBQA}/sample.QApair.txt", f"{DBQA}/sample.score.txt", ["nlpcc-ranking"],
                                    ["nlpcc-ranking"]), 1, True)
    for gold, answers in [("qrels.test", "results.test"), ("qrels.test", "results-302.test"), ("qrels-302.test",
                          "results-302.test"), ("qrels.test", "results.trunc"), ("qrels.rel_level", "results.test"),
                          ("qrels.123", "results.test"), ("qrels.comment.test", "results.comment.test")]:
        add(f"pairs/trec-{gold}-{answers}", of_pair(f"{TREC}/{gold}", f"{TREC}/{answers}", ["trec"], ["trec"]), 3,
            gold == "qrels-302.test")


def of_verified(gold, answers, profiles):
    def body(run):
        run("evaluate", f"evaluate --profile {profiles} --archive kept {gold} {answers}")
        run("verify", "verify kept --format json")
    return body


def verified():
    train = f"{QALD}/8/data/qald-8-train-multilingual.json"
    add("verify/qald-8-train", of_verified(train, f"{NLIWOD}/QAKIS_QALD8_Train.json", "qassay,gerbil,qald,nliwod"), 25)
    kgqan = f"{KGQAN}/best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json"
    add("verify/qald-9-test-KGQAn", of_verified(f"{KGQAN}/data/qald-9-test-multilingual.json", kgqan, "qald"), 20)
    web = f"{WIKI}/WikiWebQuestions/dev.json"
    add("verify/wikiwebquestions", of_verified(web, f"{WIKI}/predicted_results/best.json", "nliwod"), 20)
    add("verify/trec", of_verified(f"{TREC}/qrels.test", f"{TREC}/results.test", "trec"), 5)


def ck25(run):
    run("add", f"kb add ck25 --version 2025 {CAMPAIGN}/data/prod-inst.ttl {CAMPAIGN}/data/prod-vocab.ttl")
    gold = f"{CAMPAIGN}/benchmark/ck25_true_result_set.json"
    run("convert", f"convert {gold} gold.nq --queries-from {GRASP}/questions.yml")
    run("refresh", "kb refresh gold.nq --kb ck25 --details")
    systems = [f"{CAMPAIGN}/results/{system}/ck25_answers.json" for system in ("WSE", "MIPT", "INFAI")]
    for answers in systems:
        run(f"run {answers.split('/')[-2]}", f"kb run {answers} --kb ck25 --format json")
    names = "--system WSE --system MIPT --system INFAI --kb ck25 --gold both"
    run("evaluate", "evaluate gold.nq", *systems, names, "--profile text2sparql,qassay --format json")
    run("table", "evaluate gold.nq", *systems, names, "--details --no-archive")
    for key in run.evaluations("evaluate")[:2]:
        run(f"verify {key}", f"verify {key} --format json")
        run(f"explain {key}", f"explain {key} --wrong")


def bestiary(run):
    run("add", f"kb add bestiary --version 2022 {BESTIARY}_kg.rdf.zip --format json")
    questions = f"{BESTIARY}_with_qald_format.json.zip"
    run("refresh", f"kb refresh {questions} --kb bestiary --format json")
    run("table", f"kb refresh {questions} --kb bestiary --details")
    run("evaluate", f"evaluate {questions} {questions} --kb bestiary --gold both --details --format json")
    run("show", "kb show bestiary --all")


def fetched(run):
    names = "qald-9-test-kgqan-copy qald-9-test-kgqan"
    run("fetch", f"fetch {names} --mirror mirror")
    run("fetch again", f"fetch {names} --mirror mirror")
    run("evaluate", f"evaluate {names} --format json -x QA")
    run("datasets", "datasets --fetched")
    run("check", "check qald-9-test-kgqan-copy")
    run("not there", "fetch qald-9-test --mirror datasets")
    handler = functools.partial(Files, directory=str(SHARED / "data/mirror"))
    with served(handler) as base:
        run("http", f"fetch qald-4-hybrid-train qald-9-test-kgqan-copy --base {base} --archive http")
        run("http none", f"fetch qald-8-test --base {base}/none --archive http")


def mended(run):
    run("mended", f"convert {QALD}/5/data/qald-5_train.json mended.json --queries-from {QALD}/5/data/qald-5_train.xml --lossy")
    run("part", f"evaluate {QALD}/5/data/qald-5_train.xml mended.json --part hybrid -p qassay,gerbil --no-archive --details")


def changed(path):
    """A submission made of a dataset: answers lost, added and damaged, other queries, questions missing."""
    content = read(path)
    if path.suffix == ".xml":
        count = itertools.count()

        def answer(found):
            number = next(count)
            if number % 4 == 0:
                return b""
            return found[0] + found[0].replace(b"resource/", b"resource/X_") if number % 7 == 3 else found[0]
        content = re.sub(rb"<answer>.*?</answer>", answer, content, flags=re.S)
        parts = content.split(b"<question ")
        return b"<question ".join(part.replace(b"ontology/", b"property/") if place % 3 == 0 else part
                                  for place, part in enumerate(parts) if place % 11 != 5)
    try:
        data, count = json.loads(content.decode("utf-8-sig")), itertools.count()
    except ValueError:
        return content  # JSON by its name only: as it is

    def change(value):
        if isinstance(value, list):
            for one in value:
                change(one)
        for key, one in value.items() if isinstance(value, dict) else ():
            if key == "bindings" and isinstance(one, list) and one:
                number = next(count)
                extra = json.loads(json.dumps(one[0]).replace("resource/", "resource/X_").replace("entity/Q", "entity/Q9"))
                value[key] = {0: one[1:], 1: one + [extra], 2: one, 3: [*one[::-1], extra]}[number % 4]
            elif key == "boolean" and next(count) % 3 == 0:
                value[key] = not one if isinstance(one, bool) else one
            elif isinstance(one, str) and "ontology/" in one and next(count) % 3 == 0:
                value[key] = one.replace("ontology/", "property/")
            else:
                change(one)
    change(data)
    if isinstance(data, dict) and isinstance(data.get("questions"), list):
        data["questions"] = [one for place, one in enumerate(data["questions"]) if place % 11 != 5]
    return json.dumps(data, ensure_ascii=False).encode()


def of_file(path):
    """What `check` says of a file, and what it becomes in other formats."""
    def body(run):
        for form in "table", "json", "rdf":
            run(f"check {form}", "check", path, "--format", form)
        for words in "--loader gerbil-current", "--loader table1", "--part hybrid":
            run(f"check {words}", "check --format json", words, path)
        run("n-quads", "convert", path, "file.nq --lossy")
        run("n-quads check", "check file.nq --format json")
        run("qald-json", "convert", path, "file.json --lossy")
        run("qald-xml", "convert", path, "file.xml")
        run("evaluate", "evaluate file.nq", path, "--no-archive -x QA")
    return body


def of_itself(path, profiles, make=None):
    """A dataset against itself, or against what a change makes of it."""
    def body(run):
        answers = path
        if make:
            answers = pathlib.Path(f"changed{path.suffix}")
            run.write(answers.name, make(SHARED / "data" / path))
        run("json", "evaluate", path, answers, "-p", ",".join(profiles), "--archive kept --format json")
        run("table", "evaluate", path, answers, "-p", ",".join(profiles), "--no-archive", EVERYTHING)
    return body


def real_files():
    for mirror in "mirror", "mirror-2":
        for found in sorted((SHARED / "data" / mirror).rglob("*")):
            if not found.is_file():
                continue
            path, megabytes = found.relative_to(SHARED / "data"), found.stat().st_size / 1e6
            name = re.sub("/[0-9a-f]{40}/", "/", str(path)).replace(" ", "_")
            add(f"files/{name}", of_file(path), 1 + 4 * megabytes, "/4/data/" in name or "/6/data/" in name)
            if mirror == "mirror" and path.suffix in (".json", ".xml"):
                add(f"itself/{name}", of_itself(path, ["qassay", "qald"]), 1 + 2 * megabytes)
                add(f"changed/{name}", of_itself(path, SETS, changed), 1 + 8 * megabytes, "/7/data/qald-7-test" in name)


# Without ../shared there are none of these.
if (SHARED / "data/mirror").is_dir():
    pairs()
    verified()
    real_files()
    add("real/ck25", ck25, 12)
    add("real/bestiary", bestiary, 5)
    add("real/fetched", fetched, 2, True)
    add("real/mended", mended, 2, True)
