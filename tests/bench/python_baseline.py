"""The least that a script does: parse both files with `json`, intersect sets of values, print the macro F1."""

import json
import sys


def answers(path):
    with open(path, encoding="utf-8") as file:
        questions = json.load(file)["questions"]
    return {str(question["id"]): values(question.get("answers")) for question in questions}


def values(answers):
    found = set()
    for answer in answers if isinstance(answers, list) else [answers]:
        if not isinstance(answer, dict):
            continue
        if "boolean" in answer:
            found.add(answer["boolean"])
        for row in (answer.get("results") or {}).get("bindings") or []:
            found.update(cell["value"] for cell in row.values())
    return found


def f1(gold, system):
    if not gold and not system:
        return 1.0
    return 2 * len(gold & system) / (len(gold) + len(system))


gold, system = answers(sys.argv[1]), answers(sys.argv[2])
print(sum(f1(wanted, system.get(key, set())) for key, wanted in gold.items()) / len(gold))
