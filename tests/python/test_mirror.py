"""Real datasets and answers of real systems: the JSON of the command line, to the byte. Without ../shared beside the project
they are skipped, and say so; QASSAY_ALL=1 does those too that take long."""

import os
from pathlib import Path

import pytest

import qassay

SHARED = Path(os.environ.get("QASSAY_SHARED", Path(__file__).resolve().parents[3] / "shared"))
MIRROR = SHARED / "data" / "mirror"
QALD = MIRROR / "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf"
NLIWOD = MIRROR / "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.ml/src/main/resources/QALD8Answers"
KGQAN = MIRROR / "CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation"
WIKI = MIRROR / "stanford-oval/wikidata-emnlp23/acbc1eb4698092e6a8bcc7ad9677246309bee6ca"
HAWK = MIRROR / "AKSW/hawk/1bf61d2ec1317a5529326e2da021897b6d7adaf7/results/CLEF_2015_hybrid_QA"
CAMPAIGN = MIRROR / "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs"
NLPCC = MIRROR / "JuneTse/NLPCCKBQAProj/abadb44b442aba5c579431e8697d11cff84658a6/KBQA2017SysData/datasets/results"
DBQA = MIRROR / "Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool"
TREC = MIRROR / "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test"


def pairs():
    """Gold, answers, profile, and whether it takes long."""
    for system in ("AskNow", "GANSWER2", "QAKIS", "TeBaQA"):
        yield QALD / "8/data/qald-8-train-multilingual.json", NLIWOD / f"{system}_QALD8_Train.json", "qassay,gerbil", system != "QAKIS"
    kgqan = KGQAN / "best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json"
    yield KGQAN / "data/qald-9-test-multilingual.json", kgqan, "qassay", False
    yield QALD / "9/data/qald-9-test-multilingual.json", kgqan, "qassay,gerbil,qald", True
    yield WIKI / "WikiWebQuestions/dev.json", WIKI / "predicted_results/best.json", "qassay", True
    for dataset in ("ck25", "db25"):
        for answers in sorted(CAMPAIGN.glob(f"results/*/{dataset}_*.json")):
            is_quick = answers.parent.name == "WSE" and answers.stem == "ck25_system_result_set"
            yield CAMPAIGN / f"benchmark/{dataset}_true_result_set.json", answers, "text2sparql", not is_quick
    for answers in sorted(HAWK.glob("*.xml")):
        gold = "qald-5_train.xml" if "train" in answers.name else "qald-5_test.xml"
        yield QALD / "5/data" / gold, answers, "qassay", "featurebased_qald-5_test" not in answers.name
    yield NLPCC / "kbqa_gold_lowcase.txt", NLPCC / "topK_results.txt", "nlpcc-kbqa", True
    yield DBQA / "sample.QApair.txt", DBQA / "sample.score.txt", "nlpcc-ranking", False
    for gold, answers in (("qrels.test", "results.test"), ("qrels-302.test", "results-302.test"), ("qrels.123", "results.test")):
        yield TREC / gold, TREC / answers, "trec", gold != "qrels-302.test"


def called(one):
    return "-".join((one[1].parent.name, one[1].stem, one[2]))


@pytest.mark.skipif(not MIRROR.is_dir(), reason="../shared/data/mirror is not here")
@pytest.mark.parametrize(("gold", "answers", "profile", "is_long"), [pytest.param(*one, id=called(one)) for one in pairs()])
def test_real_answers(gold, answers, profile, is_long, said):
    if is_long and not os.environ.get("QASSAY_ALL"):
        pytest.skip("takes long; QASSAY_ALL=1 does it")
    words = ["-q", "evaluate", gold, answers, "--profile", profile, "--no-archive", "--format", "json"]
    try:
        results = qassay.evaluate(gold, answers, profile=profile.split(","))
    except qassay.Error as error:
        # What one refuses, the other does.
        assert str(error).splitlines()[0] in said(*words, fails=True)
        return
    assert results.json == said(*words)
    given = qassay.evaluate(gold.read_bytes(), answers.read_bytes(), profile=profile.split(","), system=answers.stem)
    assert [one.evaluation for one in given] == [one.evaluation for one in results]
