"""What is said of types is right: programs of users, checked by mypy with its strictest rules against what is installed."""

import pytest

PROGRAM = """
from pathlib import Path

import qassay

results = qassay.evaluate("gold.json", [Path("aurora.json"), b"{}"], profile=["qassay", "gerbil"], links="same-as.nt")
first: qassay.Evaluation = results[0]
f1 = first.measures["QA"]["macroF1"]
assert f1 is None or f1 > 0
explained: qassay.Explanation = first.explain("1")
print(explained.parts["missed"], explained.upper())
try:
    qassay.check([{"id": "1", "answers": ["a"]}])
except qassay.InputError as error:
    place: str | None = error.place
    print(error.file, place, error.allowed, error.hint)


def system(question: str, language: str) -> list[str]:
    return [question, language]


asked: qassay.Asked = qassay.ask("gold.json", system, parallel=2, archive="archive")
print(asked.evaluate(links="same-as.nt").measures)
rows = qassay.Archive("archive").query("leaderboard")
if isinstance(rows, list):
    print(rows[0]["system"], rows.variables, rows.to_pandas())
compared: qassay.Comparison = qassay.compare("aurora", "borealis", archive="archive")
print(compared.view["tables"], qassay.convert("gold.json", "csv", lossy=True).decode())
"""

WRONG = {
    'qassay.evaluate("gold.json")': "answers",
    'qassay.evaluate("gold.json", "a.json", profle="x")': "profle",
    'qassay.evaluate("gold.json", "a.json", timeout="x")': "timeout",
    'qassay.evaluate("gold.json", "a.json").measure': "measure",
    'qassay.compare("a", "b", linx="x")': "linx",
    'qassay.ask("gold.json", 7)': "Callable",
    "qassay.check(7)": "int",
}


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_programs_of_users(tmp_path, version):
    api = pytest.importorskip("mypy.api")

    def said(text):
        path = tmp_path / "program.py"
        path.write_text(text)
        words = ["--strict", "--no-pretty", "--python-version", version, "--cache-dir", str(tmp_path / "cache"), str(path)]
        return api.run(words)[0]

    assert said(PROGRAM).startswith("Success: no issues found")
    told = said("import qassay\n" + "\n".join(WRONG)).splitlines()
    errors = [line for line in told if " error: " in line]
    assert len(errors) == len(WRONG)
    for number, (line, (_, about)) in enumerate(zip(errors, WRONG.items()), 2):
        assert f"program.py:{number}: " in line and about in line, line
