"""A case: commands of the program in a folder of its own, and the digests of what they print and leave."""

import collections
import datetime
import gzip
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import tarfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("QASSAY_SHARED", REPOSITORY / "../shared")).resolve()
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin", "NO_PROXY": "127.0.0.1"}
INPUTS = {"datasets": REPOSITORY / "datasets", "old": REPOSITORY / "tests/archives",
          "mirror": SHARED / "data/mirror", "mirror-2": SHARED / "data/mirror-2"}
# No case takes so long; a program that hangs must not stop the rest.
LONGEST = 600

INSTANT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
DURATION = re.compile(rb'(durationSeconds> )"[0-9.]+"')
ENGINE = re.compile(rb"engine/qassay/[^\s>\"#]+")
COMMIT = re.compile(rb"^[^\n]*<https://w3id.org/qassay/ns#gitCommit>[^\n]*\n", re.M)
PORT = re.compile(rb"127\.0\.0\.1:\d+")
# With the folder that its first digits name, where it is the name of a file.
KEY = re.compile(rb"(?:\b[0-9a-f]{2}/)?\b([0-9a-f]{16,64})\b")
PROVENANCE = re.compile(rb'/graph/prov/[^#>]+#sha256> <[^>]*checksumValue> "([0-9a-f]{64})"')
ABOUT = re.compile(rb"(?:ns#executionOf> <[^>]*/(evaluation)/|<[^>]*/(blind)/)([^>#]+)")


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def read(path):
    return path.read_bytes()


# The commands that write into an archive, and what states there that it has the first version of the model.
WRITERS = ("evaluate", "fetch", "kb", "links", "release")
MODEL = "records/archive/model.nq"
BASE, DCT = "https://w3id.org/qassay/", "http://purl.org/dc/terms/"
FIRST_MODEL = "".join(f"{statement} <{BASE}graph/catalog> .\n" for statement in (
    f"<{BASE}catalog> <{DCT}conformsTo> <{BASE}model/1>",
    f'<{BASE}model/1> <{DCT}title> "Model of qassay, version 1"@en',
    f"<{BASE}model/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{DCT}Standard>",
    f'<{BASE}model/1> <http://www.w3.org/ns/dcat#version> "1"'))


class Run:
    """A case that runs: the folder it has, and what came of its commands."""

    # Whether archives that are made have the first version of the model.
    has_first_model = False

    def __init__(self, binary, case, folder, keep):
        self.binary, self.case, self.folder, self.keep = binary, case, folder, keep
        self.outputs, self.inputs, self.unstable, self.lines = {}, set(), {}, []
        self.started = time.time()
        # Cases whose clock stands still, and cases in which keys depend on it, set these.
        self.is_old, self.has_random_keys = False, False
        folder.mkdir()
        for name, target in INPUTS.items():
            if target.is_dir():
                (folder / name).symlink_to(target)

    def __call__(self, step, *words, stdin=b""):
        """Runs the program; texts are split at spaces, paths are not. Gives what it printed."""
        step = re.sub("[ /]+", "-", step)
        split = itertools.chain.from_iterable([str(w)] if isinstance(w, pathlib.Path) else w.split() for w in words)
        split = list(split)
        if self.has_first_model and split[0] in WRITERS and "--no-archive" not in split:
            named = split[split.index("--archive") + 1] if "--archive" in split else "qassay-archive"
            stated = self.folder / named / MODEL
            if not (self.folder / named).exists():
                stated.parent.mkdir(parents=True)
                stated.write_text(FIRST_MODEL)
        ran = subprocess.run(["qassay", *split], executable=self.binary, cwd=self.folder, input=stdin, timeout=LONGEST,
                             capture_output=True, env=ENVIRONMENT | {"HOME": str(self.folder)}, check=False)
        for name, content in ("stdout", ran.stdout), ("stderr", ran.stderr), ("exit", b"%d\n" % ran.returncode):
            assert f"{step}.{name}" not in self.outputs, f"{self.case}: two steps {step}"
            self.outputs[f"{step}.{name}"] = content
        return ran.stdout

    def evaluations(self, step):
        """The keys of the evaluations that a step kept, in the order of its arguments."""
        return [key.decode() for key in re.findall(rb"/evaluation/([0-9a-f]{32})", self.outputs[f"{step}.stderr"])]

    def write(self, name, content):
        """Writes an input."""
        self.inputs.add(name)
        content = content if isinstance(content, (bytes, str)) else json.dumps(content, ensure_ascii=False)
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def finish(self):
        """The digests of what the commands printed and left."""
        for packed in self.folder.glob("*.tar.gz"):
            with tarfile.open(packed) as archive:
                rows = [f"{m.mode:o} {m.uid} {m.gid} {m.mtime} {m.type.decode()} {m.name}\n" for m in archive]
                archive.extractall(self.folder / f"{packed.name}.unpacked", filter="data")
            self.outputs[f"{packed.name}.names"] = "".join(rows).encode()
            packed.unlink()
        archives = sorted(path.parent for path in self.folder.rglob("records") if path.is_dir())
        if not self.is_old:
            for archive in archives:
                self.find_unstable(archive)
        for name, content in self.outputs.items():
            self.add(name, self.normal(content))
        for archive in archives:
            self.add_archive(archive)
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            in_archive = any(archive in path.parents and path.name != "SHA256SUMS" for archive in archives)
            if path.is_file() and not path.is_symlink() and not in_archive and name not in self.inputs:
                self.add(name, self.normal(read(path)))
        return self.lines

    def find_unstable(self, archive):
        """What in this archive is named after the clock, or is the checksum of something that has it."""
        for path in archive.glob("records/*/*.nq"):
            content = read(path)
            if path.parent.name == "execution":
                self.unstable[path.stem.encode()] = b"EXECUTION"
            for found in PROVENANCE.findall(content):
                self.unstable[found] = b"UNSTABLE"
            if path.parent.name in ("execution", "blind"):
                self.unstable[sha256(content).encode()] = b"UNSTABLE"

    def normal(self, content, is_listing=True):
        """A text without what differs by nature."""
        content = content.replace(bytes(self.folder), b"FOLDER").replace(bytes(SHARED), b"SHARED")
        content = content.replace(bytes(REPOSITORY), b"REPOSITORY")
        content = PORT.sub(b"127.0.0.1:PORT", ENGINE.sub(b"engine/qassay/BUILD", content))
        if b"ns#gitCommit>" in content:
            content = COMMIT.sub(b"", content)
        # Most texts hold no time and no key: looking for what could be there is much faster than a pattern.
        stable = content
        if any(hour in content for hour in self.hours()):
            stable = INSTANT.sub(self.instant, stable)
        if self.has_random_keys or any(key[:16] in content for key in self.unstable):
            stable = KEY.sub(self.key, stable)
        if is_listing and stable != content:
            rows = sorted(re.sub(rb" +| *-{4,}", b" ", row).rstrip() for row in stable.split(b"\n"))
            stable = b"\n".join(rows) + b"\n"
        return DURATION.sub(rb'\1"SECONDS"', stable)

    def hours(self):
        """How instants begin that the clock said during this case."""
        hours = range(int(self.started // 3600), int(time.time() // 3600) + 1)
        return {time.strftime("%Y-%m-%dT%H:", time.gmtime(hour * 3600)).encode() for hour in hours}

    def instant(self, found):
        digits = found[0][:19].decode()
        at = datetime.datetime.fromisoformat(digits).replace(tzinfo=datetime.timezone.utc).timestamp()
        return b"TIME" if self.started - 2 <= at <= time.time() + 2 else found[0]

    def key(self, found):
        """What stands in place of a hexadecimal number, which can be the beginning of a key."""
        number = found[1]
        if number not in self.unstable:
            number = next((key for key in self.unstable if key.startswith(number)), None)
        return self.unstable[number] if number else b"KEY" if self.has_random_keys else found[0]

    def add_archive(self, archive):
        where, unordered = archive.relative_to(self.folder), []
        for path in sorted(archive.glob("graphs/sha256/*/*")):
            content = read(path)
            first = content[:content.find(b"\n")]
            graph = first[first.rfind(b"<") + 1:-3].decode().partition("/graph/")[2] or f"empty/{path.stem}"
            digest = sha256(content)
            graph += " (misnamed)" * (digest != path.stem)
            if graph.startswith("prov/"):
                began = INSTANT.search(content)
                what = b"-".join(filter(None, ABOUT.search(content).groups())).decode()
                unordered.append((f"graphs/prov/{what}", began and began[0], self.normal(content, False)))
            elif self.has_random_keys:
                unordered.append((f"graphs/{graph.partition('/')[0]}", b"", self.normal(content)))
            else:
                self.add(f"{where}/graphs/{graph}", content, digest)
        for path in sorted(set(archive.glob("records/*/*")) - {archive / MODEL}):
            content, name = read(path), f"records/{path.parent.name}/{path.name}"
            if path.parent.name == "execution":
                about = re.search(rb"/graph/scores/([0-9a-f]+)", content)
                name = f"records/execution/{about[1].decode() if about else 'of-nothing'}"
                unordered.append((name, b"", self.normal(content, False)))
            elif self.has_random_keys:
                unordered.append((f"records/{path.parent.name}", b"", self.normal(content)))
            else:
                self.add(f"{where}/{name}", self.normal(content, False))
        for path in sorted(archive.glob("files/sha256/*/*")):
            content = read(path)
            digest = sha256(content)
            if self.has_random_keys:
                unordered.append(("files", b"", self.normal(content)))
            else:
                self.add(f"{where}/files/{path.name}{' (misnamed)' * (digest != path.name)}", content, digest)
        if self.has_random_keys:
            unordered = [(KEY.sub(b"KEY", name.encode()).decode(), b"", content) for name, _, content in unordered]
        # Executions of one evaluation: in the order of time, else of what they say.
        for name, rows in itertools.groupby(sorted(unordered), key=lambda row: row[0]):
            for number, (_, _, content) in enumerate(rows, 1):
                self.add(f"{where}/{name}.{number}", content)

    def add(self, name, content, digest=None):
        name = f"{self.case}/{name}"
        self.lines.append(f"{digest or sha256(content)}  {name}")
        if self.keep:
            to = self.keep / name
            to.parent.mkdir(parents=True, exist_ok=True)
            if len(content) > 1 << 16:
                to.with_name(f"{to.name}.gz").write_bytes(gzip.compress(content, 1, mtime=0))
            else:
                to.write_bytes(content)


# The cases by name; the modules that have them add them.
CASES = {}
Case = collections.namedtuple("Case", "body seconds is_quick")


def add(name, body, seconds=1.0, quick=False):
    """Adds a case; the seconds say only which ones begin early."""
    assert name not in CASES, name
    CASES[name] = Case(body, seconds, quick)
