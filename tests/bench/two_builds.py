"""What a build costs beside another one: CPU time of the user and highest memory, in turns.

    python3 tests/bench/two_builds.py OLD NEW [--turns 5] [--only verify]

OLD and NEW are two programs. Each does the same work in turns (old, new, old, new, ...), on the files of the mirror and on
generated ones; a line a work: the ratio of the smallest user times, and of the highest memory. Linux only.
"""

import argparse, glob, os, shutil, subprocess, sys, tempfile

MIRROR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/data/mirror")
GOLD = "ag-sc/QALD/*/9/data/qald-9-test-multilingual.json"
KGQAN = ("CoDS-GCS/KGQAn/*/src/evaluation/best_results_of_all_time/_F134_v1_e15-VLDB2020/"
         "KGQAn_result_20200401-205438.json")
NLPCC = "Leputa/NLPCC2017_Task5/*/evaltool/sample."


def mirror(pattern):
    (found,) = glob.glob(os.path.join(MIRROR, pattern))
    return found


def run(command, folder):
    """User seconds and megabytes of a command."""
    with open(os.path.join(folder, "err"), "w+") as told:
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=told)
        _, status, used = os.wait4(child.pid, 0)
        told.seek(0)
        if status not in (0, 3 << 8):
            sys.exit(f"{command}: {status}\n{told.read()}")
    return used.ru_utime, used.ru_maxrss / 1024


def links(path, number):
    with open(path, "w") as out:
        for n in range(number):
            same = "<http://www.w3.org/2002/07/owl#sameAs>"
            out.write(f"<http://dbpedia.org/resource/Thing_{n}> {same} <http://www.wikidata.org/entity/Q{n * 7 % number}> .\n")


def table(path, questions):
    """A dataset as QALD writes it."""
    import json
    def question(n):
        rows = [{"uri": {"type": "uri", "value": f"http://dbpedia.org/resource/Thing_{n * 5 + k}"}} for k in range(5)]
        query = f"SELECT ?uri WHERE {{ ?uri <http://dbpedia.org/ontology/p{n % 50}> <http://dbpedia.org/resource/T{n % 999}> }}"
        return {"id": str(n), "question": [{"language": "en", "string": f"Which things belong to {n}?"}],
                "query": {"sparql": query}, "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": rows}}]}
    with open(path, "w") as out:
        json.dump({"dataset": {"id": "generated"}, "questions": [question(n) for n in range(questions)]}, out)


def works(folder, old):
    """Name, arguments, and the archive that is copied before each turn."""
    gold, kgqan = mirror(GOLD), mirror(KGQAN)
    for profile in ["qassay", "gerbil", "text2sparql"]:
        yield f"KGQAn, {profile}", ["evaluate", gold, kgqan, "--profile", profile], None
    yield "NLPCC ranking", ["evaluate", mirror(NLPCC + "QApair.txt"), mirror(NLPCC + "score.txt"),
                            "--profile", "nlpcc-ranking"], None
    large = os.path.join(folder, "large.nt")
    links(large, 1_000_000)
    yield "a million links", ["evaluate", gold, kgqan, "--links", large, "--no-archive"], None
    kept = os.path.join(folder, "kept")
    run([old, "evaluate", gold, kgqan, "--profile", "qassay", "--profile", "gerbil", "--archive", kept], folder)
    yield "verify", ["verify"], kept
    blind = os.path.join(folder, "blind")
    text = open(kgqan, encoding="utf-8").read()
    for number in range(20):
        other = os.path.join(folder, f"system-{number}.json")
        open(other, "w", encoding="utf-8").write(text + "\n" * number)
        run([old, "evaluate", "--blind", gold, other, "--system", f"s{number}", "--archive", blind], folder)
    yield "release of 20", ["release", gold], blind
    many = os.path.join(folder, "many.json")
    table(many, 20_000)
    yield "convert 20,000 questions", ["convert", many, os.path.join(folder, "out.nq"), "--force"], None
    yield "convert them to CSV", ["convert", many, os.path.join(folder, "out.csv"), "--force", "--lossy"], None


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("old"), words.add_argument("new")
    words.add_argument("--turns", type=int, default=5), words.add_argument("--only", default="")
    given = words.parse_args()
    builds = [os.path.abspath(given.old), os.path.abspath(given.new)]
    print("| work | user s, old | user s, new | new ÷ old | MB, old | MB, new | new ÷ old |\n|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, kept in works(folder, builds[0]):
            if given.only not in name:
                continue
            seconds, memory = [[], []], [[], []]
            for turn in range(2 * given.turns):
                archive = os.path.join(folder, "archive")
                shutil.rmtree(archive, ignore_errors=True)
                if kept:
                    shutil.copytree(kept, archive)
                place = [] if arguments[0] == "convert" or "--no-archive" in arguments else ["--archive", archive]
                used = run([builds[turn % 2], *arguments, *place], folder)
                seconds[turn % 2].append(used[0]), memory[turn % 2].append(used[1])
            (a, b), (m, n) = map(min, seconds), map(max, memory)
            print(f"| {name} | {a:.2f} | {b:.2f} | {b / a:.2f} | {m:.0f} | {n:.0f} | {n / m:.2f} |", flush=True)


main()
