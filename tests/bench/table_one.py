"""All datasets of Table 1 of the GERBIL QA paper by ten systems: one machine with one thread and with two, four shards united, a
SPARQL server underneath. The same digests, or it says which differ and ends with 1.

    python3 tests/bench/table_one.py PROGRAM [--store URL --store-graphs URL [--only qald-4-test-hybrid,…]]

The systems are those of HAWK on QALD-5, which are published, and gold answers that are made worse: questions without answers, answers
that are left out, answers that are wrong, each by a hash of system and question, so that a run is like the next. Linux only.
"""

import argparse, csv, hashlib, json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "../..")
MIRROR = os.path.join(PROJECT, "../shared/data/mirror")
SYSTEMS = 10
PROFILES = ["qassay", "gerbil"]


def catalogue():
    with open(os.path.join(PROJECT, "datasets/catalogue.tsv"), newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def place(row):
    return os.path.join(MIRROR, row["repository"], row["commit"], row["path"])


def chance(*of):
    """A number from 0 to 99 that depends on nothing else."""
    return int(hashlib.sha256("\0".join(map(str, of)).encode()).hexdigest(), 16) % 100


def worse(gold, system):
    """The gold answers as a system of this number would give them: the higher, the worse."""
    for question in gold["questions"]:
        key = question.get("id", "")
        question.pop("query", None)
        for answer in question.get("answers", []):
            if "boolean" in answer:
                answer["boolean"] ^= chance(system, key, "boolean") < 5 * system
            rows = answer.get("results", {}).get("bindings", [])
            rows[:] = [row for row in rows if chance(system, key, json.dumps(row)) >= 4 * system]
            if rows and chance(system, key, "wrong") < 6 * system:
                rows.append({name: {"type": "uri", "value": f"http://dbpedia.org/resource/Wrong_{system}"} for name in rows[0]})
        if chance(system, key, "silent") < 3 * system:
            question["answers"] = []
    return gold


def run(words, folder, expected=(0, 1)):
    """Seconds, CPU seconds, megabytes of a command; 1 says that a cell failed, which the list of cells tells."""
    begin = time.monotonic()
    with open(os.path.join(folder, "said"), "w+") as said:
        child = subprocess.Popen(words, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        said.seek(0)
        if os.waitstatus_to_exitcode(status) not in expected:
            sys.exit(f"{words}: {status}\n{said.read()[-4000:]}")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def digests(program, folder, archive):
    """The checksum of each graph of the archive, by its name, but for those that tell when and by what something was computed."""
    words = [program, "-q", "query", "graphs", "--format", "json", "--archive", archive]
    rows = json.loads(subprocess.run(words, cwd=folder, check=True, capture_output=True).stdout)["results"]["bindings"]
    graphs = {row["graph"]["value"]: row["sha256"]["value"] for row in rows}
    return {name: sum for name, sum in graphs.items() if "/graph/prov/" not in name and "/graph/messages/" not in name}


def size(path):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(path) for name in names) / 1e6


def make(program, folder, only):
    """Writes the answers and the matrix; gives the pairs of gold and answers."""
    known, pairs, matrix = catalogue(), [], []
    for row in known:
        if not row["table1"] or (only and row["name"] not in only):
            continue
        real = [one for one in known if one["name"].startswith(row["name"] + "-") and one["kind"] == "submission"]
        answers = [place(one) for one in real]
        said = subprocess.run([program, "-q", "convert", place(row), "-", "--to", "qald-json", "--lossy"], check=True, capture_output=True)
        for system in range(SYSTEMS - len(real)):
            path = os.path.join(folder, f"{row['name']}-{system}.json")
            with open(path, "w") as file:
                json.dump(worse(json.loads(said.stdout), system), file)
            answers.append(path)
        pairs.append((row["name"], place(row), answers))
        matrix.append({"gold": place(row), "systems": [{"answers": path, "name": os.path.basename(path)} for path in answers]})
    with open(os.path.join(folder, "matrix.yaml"), "w") as file:
        # JSON is YAML.
        json.dump({"datasets": matrix, "profiles": PROFILES}, file)
    return pairs


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program")
    words.add_argument("--store")
    words.add_argument("--store-graphs")
    words.add_argument("--only")
    asked = words.parse_args()
    program = os.path.abspath(asked.program)
    with tempfile.TemporaryDirectory() as folder:
        pairs = make(program, folder, asked.only and asked.only.split(","))
        print(f"{len(pairs)} files, {SYSTEMS} systems each, {len(PROFILES)} profiles\n")
        print("| run | s | CPU s | MB of memory | MB of archive | graphs |")
        print("|---|--:|--:|--:|--:|--:|")
        matrix = [program, "-q", "matrix", "matrix.yaml"]

        def told(name, archive, used):
            graphs = digests(program, folder, archive)
            print(f"| {name} | {used[0]:.1f} | {used[1]:.1f} | {used[2]:.0f} | {size(os.path.join(folder, archive)):.0f} | {len(graphs)} |", flush=True)
            return graphs

        all = {}
        for threads in ("1", "2"):
            name = f"{threads} thread{'s' * (threads > '1')}"
            all[name] = told(name, f"t{threads}", run([*matrix, "--threads", threads, "--archive", f"t{threads}"], folder))
        shards = [run([*matrix, "--threads", "1", "--shard", f"{at}/4", "--archive", f"s{at}"], folder) for at in range(1, 5)]
        merged = run([program, "-q", "merge", *(f"s{at}" for at in range(1, 5)), "--archive", "merged"], folder, (0,))
        used = [sum(one) for one in zip(*shards, merged)]
        all["4 shards"] = told("4 shards, one after the other, and `merge`", "merged", [used[0], used[1], max(one[2] for one in shards + [merged])])
        if asked.store:
            store = ["--store", asked.store, "--store-graphs", asked.store_graphs, "--timeout", "300"]
            all["store"] = told("`--store`", "store", run([*matrix, *store, "--archive", "store"], folder))
        first, *others = all.items()
        differ = [f"{name}: {graph}" for name, graphs in others for graph in set(first[1].items()) ^ set(graphs.items())]
        print(f"\n{'all the same' if not differ else 'different: ' + ', '.join(differ[:20])}")
        sys.exit(bool(differ))


if __name__ == "__main__":
    main()
