"""What a SPARQL server underneath costs beside the embedded store: matching of many questions, and a leaderboard over many evaluations.
What is printed must be the same, or it ends with 1.

    python3 tests/bench/servers.py PROGRAM --store URL --store-graphs URL [--questions 1000,10000,100000] [--evaluations 1000,10000]

Each question has three answers: a resource, a resource that the system writes in another way, and a text or a number. An evaluation of the
leaderboard has two questions, so that it is the number of evaluations that is measured. Linux only.
"""

import argparse, hashlib, json, os, subprocess, sys, tempfile, time


def chance(*of):
    """A number from 0 to 99 that depends on nothing else."""
    return int(hashlib.sha256("\0".join(map(str, of)).encode()).hexdigest(), 16) % 100


def question(key, system):
    """A question with the gold answers (system -1), or as a system answers it."""
    base = "http://dbpedia.org/resource/"
    answers = [("uri", f"{base}R{key}"), ("uri", f"{base}S_{key}"), ("literal", str(key) if key % 2 else f"text {key}")]
    if system >= 0:
        if chance(system, key, "other spelling") < 50:
            answers[1] = ("uri", f"https://dbpedia.org/page/S_{key}")
        # No two systems give the same bytes.
        if key == 0 or chance(system, key, "wrong") < 20:
            answers[0] = ("uri", f"{base}Wrong_{system}_{key}")
        if chance(system, key, "case") < 50:
            answers[2] = ("literal", answers[2][1].upper())
    rows = [{"x": {"type": kind, "value": value}} for kind, value in answers]
    return {
        "id": str(key),
        "question": [{"language": "en", "string": f"question {key}"}],
        "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": rows}}],
    }


def write(path, questions, system):
    with open(path, "w") as file:
        json.dump({"dataset": {"id": "made"}, "questions": [question(key, system) for key in range(questions)]}, file)


def run(words, folder):
    """Seconds, CPU seconds and megabytes of a command, and what it prints."""
    begin = time.monotonic()
    with open(os.path.join(folder, "out"), "w+") as out, open(os.path.join(folder, "err"), "w+") as err:
        child = subprocess.Popen(words, cwd=folder, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        took = time.monotonic() - begin
        out.seek(0), err.seek(0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{words[:12]}: {status}\n{err.read()[-4000:]}")
        return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read()


def beside(what, number, words, there, folder):
    """Runs a command here twice, then there, and there again, where all has been sent; of here the second run counts."""
    _, here = run(words, folder), run(words, folder)
    first, again = run(words + there, folder), run(words + there, folder)
    ratio = again[0] / here[0]
    print(f"| {what} | {number} | {here[0]:.2f} | {first[0]:.2f} | {again[0]:.2f} | {ratio:.1f} | {here[2]:.0f} | {again[2]:.0f} |", flush=True)
    return here[3] == first[3] == again[3]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program")
    words.add_argument("--store", required=True)
    words.add_argument("--store-graphs", required=True)
    words.add_argument("--questions", default="1000,10000,100000")
    words.add_argument("--evaluations", default="1000,10000")
    asked = words.parse_args()
    program = [os.path.abspath(asked.program), "-q"]
    there = ["--store", asked.store, "--store-graphs", asked.store_graphs]
    numbers = [[int(one) for one in text.split(",") if one] for text in (asked.questions, asked.evaluations)]
    same = True
    print("| what | n | s here | s there, first | s there, again | ratio | MB here | MB there |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers[0]:
            write(os.path.join(folder, "gold.json"), number, -1)
            write(os.path.join(folder, "system.json"), number, 1)
            line = program + ["evaluate", "gold.json", "system.json", "--no-archive", "--experiment", "QA", "--format", "json", "--timeout", "300"]
            same &= beside("matching, questions", number, line, there, folder)
        done = 0
        write(os.path.join(folder, "gold.json"), 2, -1)
        for number in sorted(numbers[1]):
            for at in range(done, number, 500):
                systems = [f"s{system}.json" for system in range(at, min(at + 500, number))]
                for system, name in enumerate(systems, at):
                    write(os.path.join(folder, name), 2, system)
                run(program + ["evaluate", "gold.json", *systems, "--experiment", "QA", "--archive", "kept"], folder)
            done = number
            line = program + ["query", "leaderboard", "--archive", "kept", "--format", "csv", "--timeout", "300"]
            same &= beside("leaderboard, evaluations", number, line, there, folder)
    print("\nthe same" if same else "\nDIFFERENT")
    sys.exit(not same)


if __name__ == "__main__":
    main()
