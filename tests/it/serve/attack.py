#!/usr/bin/env python3
"""Attacks a server of qassay: `attack.py BINARY EXAMPLE_FOLDER [NAME …]`, where NAME is the beginning of names of attacks.

With `KILLS=200` in the environment the server is killed so often in uploads, runs and publications (usually 20 times).

It makes an archive, serves it on this machine, and sends what strangers could send. Each attack is a function, and is bounded in
count and time; after each the server must still say that it is well. Only the standard library is used, and only loopback.
"""

import base64
import collections
import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zipfile
import zlib

BINARY, EXAMPLE = (os.path.abspath(word) for word in sys.argv[1:3])
ONLY = sys.argv[3:]
CREATOR = "Josiah Carberry <0000-0002-1825-0097>"
LONGEST = 40
# How often a server is killed; attacks that do so may take longer the more there are.
KILLS = int(os.environ.get("KILLS", "20"))
GIGABYTE = 1 << 30
RANDOM = random.Random(7)

ATTACKS = []


def attack(function):
    """A test: what it returns or raises is what is wrong."""
    ATTACKS.append(function)
    return function


class TooLong(Exception):
    """An attack took longer than it may."""


# --- HTTP, by hand: no library sends what an attacker sends ---

class Reply:
    def __init__(self, raw, seconds=0.0):
        self.raw, self.seconds = raw, seconds
        head, _, body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ", 2)
        self.status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        self.headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        if "chunked" in self.of("transfer-encoding"):
            body = unchunked(body)
        self.body = body

    def of(self, name):
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status or 'closed'} in {self.seconds:.1f} s"


def unchunked(body):
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        try:
            length = int(size.split(b";")[0] or b"0", 16)
        except ValueError:
            return whole
        if length == 0:
            return whole
        whole, body = whole + body[:length], body[length + 2:]
    return whole


def receive(sock, until=None, most=200 << 20):
    told = bytearray()
    try:
        while len(told) < most:
            if until is not None:
                sock.settimeout(max(until - time.monotonic(), 0.01))
            part = sock.recv(1 << 16)
            if not part:
                break
            told += part
    except (ConnectionError, socket.timeout):
        pass
    return bytes(told)


def send_all(sock, data):
    """Sends all, or as much as the other side takes: who is refused early does not send to the end."""
    try:
        sock.sendall(data)
        return True
    except (ConnectionError, socket.timeout):
        return False


def multipart(fields, boundary="----attack7MA4YWxkTrZu0gW"):
    """A form of (name, value) and (name, value, name of the file)."""
    out = bytearray()
    for name, value, *file in fields:
        value = value if isinstance(value, bytes) else value.encode()
        out += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        for one in file:
            one = one if isinstance(one, bytes) else one.encode()
            out += b'; filename="' + one + b'"\r\nContent-Type: application/octet-stream'
        out += b"\r\n\r\n" + value + b"\r\n"
    out += f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", bytes(out)


class Listener:
    """Counts who connects: nobody is to."""

    def __init__(self, family=socket.AF_INET, host="127.0.0.1"):
        self.sock = socket.socket(family, socket.SOCK_STREAM)
        self.sock.bind((host, 0))
        self.sock.listen(16)
        self.port = self.sock.getsockname()[1]
        self.seen = 0
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            try:
                other, _ = self.sock.accept()
            except OSError:
                return
            self.seen += 1
            other.close()


class Server:
    def __init__(self, archive, *options, env=None):
        self.archive, self.options, self.env = archive, options, env
        self.log = tempfile.NamedTemporaryFile(prefix="attack-log-", delete=False)
        self.seen = set()
        self.start()

    def start(self, port=0):
        words = [BINARY, "serve", "--archive", self.archive, "--port", str(port), *self.options]
        environment = dict(os.environ, **(self.env or {}))
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url.startswith("http://"):
            raise RuntimeError(f"the server does not start: {self.said()[-2000:]}")
        self.host = self.url[len("http://"):].rstrip("/")
        name, port = self.host.rsplit(":", 1)
        self.place = (name, int(port))

    def said(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            return log.read()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def connect(self, timeout=20):
        sock = socket.create_connection(self.place, timeout=timeout)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def raw(self, data, timeout=20):
        began = time.monotonic()
        with self.connect(timeout) as sock:
            send_all(sock, data)
            told = receive(sock, began + timeout)
        return Reply(told, time.monotonic() - began)

    def ask(self, method, path, headers=(), body=b"", timeout=20, host=True):
        body = body if isinstance(body, bytes) else body.encode()
        path = path if isinstance(path, bytes) else path.encode("utf-8", "surrogatepass")
        lines = [method.encode() + b" " + path + b" HTTP/1.1"]
        if host:
            lines.append(b"Host: " + self.host.encode())
        lines += [f"{name}: {value}".encode("utf-8") for name, value in headers]
        lines.append(b"Connection: close")
        if body or method in ("POST", "PUT"):
            lines.append(b"Content-Length: " + str(len(body)).encode())
        return self.raw(b"\r\n".join(lines) + b"\r\n\r\n" + body, timeout)

    def get(self, path, *headers, timeout=20):
        return self.ask("GET", path, headers, timeout=timeout)

    def form(self, path, fields, *headers, timeout=35):
        kind, body = multipart(fields)
        return self.ask("POST", path, [("Content-Type", kind), *headers], body, timeout)

    def browser_form(self, path, fields, *headers, timeout=35):
        return self.form(path, fields, ("Origin", self.url.rstrip("/")), ("Accept", "text/html"), *headers, timeout=timeout)

    def begin(self, fields, *headers):
        """Begins a run; gives its tokens for looking and managing."""
        reply = self.form("/api/v1/runs", fields, *headers)
        if reply.status != 202:
            raise RuntimeError(f"a usual run is not begun: {reply} {reply.text[:500]}")
        begun = reply.json()
        return begun["look"].split("/")[-2], begun["manage"].split("/")[-2]

    def done(self, token, seconds=25):
        until = time.monotonic() + seconds
        status = None
        while time.monotonic() < until:
            reply = self.get(f"/api/v1/runs/{token}?wait=10")
            status = reply.json() if reply.status == 200 else {"state": f"status {reply.status}"}
            if status["state"] != "running":
                break
        return status

    def sparql(self, query, *headers, timeout=30, seconds=3, kind="application/sparql-query"):
        headers = [("Content-Type", kind), ("Accept", "application/sparql-results+json, text/turtle"), *headers]
        return self.ask("POST", f"/sparql?timeout={seconds}", headers, query, timeout)

    def private_folders(self):
        folder = os.path.join(self.archive, "private")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


# --- processes ---

def children(pid):
    """The processes that come from one, by the files of Linux."""
    parents = collections.defaultdict(list)
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    state, parent = stat.read().rsplit(b")", 1)[1].split()[:2]
                if state != b"Z":
                    parents[int(parent)].append(int(name))
            except (OSError, ValueError, IndexError):
                pass
    found, open_ = [], [pid]
    while open_:
        below = parents.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def rss(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return 0


def files_open(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


class Meter(threading.Thread):
    """How much memory the servers and their children take at most."""

    def __init__(self):
        super().__init__(daemon=True)
        self.servers, self.of_server, self.of_child, self.of_all, self.most_children = [], 0, 0, 0, 0
        self.recent = 0
        self.start()

    def run(self):
        while True:
            for server in list(self.servers):
                pid = server.process.pid
                own, below = rss(pid), children(pid)
                server.seen.update(below)
                each = [rss(child) for child in below]
                self.of_server = max(self.of_server, own)
                self.of_child = max([self.of_child, *each])
                self.of_all = max(self.of_all, own + sum(each))
                self.most_children = max(self.most_children, len(below))
                self.recent = max(self.recent, len(below))
            time.sleep(0.1)


def no_children(server, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not children(server.process.pid):
            return []
        time.sleep(0.1)
    return children(server.process.pid)


# --- what all attacks share ---

class World:
    """The servers, a private run, and what is wrong so far."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="attack-")
        self.archive = os.path.join(self.root, "archive")
        self.gold, self.aurora, self.borealis = (
            open(os.path.join(EXAMPLE, name), "rb").read() for name in ("gold.json", "aurora.json", "borealis.json")
        )
        run = lambda *words: subprocess.run([BINARY, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        named = [os.path.join(EXAMPLE, name) for name in ("gold.json", "aurora.json")]
        run("evaluate", *named, "--archive", self.archive, "-q")
        run("publish", "aurora", os.path.join(self.root, "record"), "--archive", self.archive, "--creator", CREATOR)
        self.fresh = os.path.join(self.root, "fresh")
        shutil.copytree(self.archive, self.fresh)
        self.listener = Listener()
        self.meter = Meter()
        self.wrong = []
        self.killed = None
        self.server = Server(self.archive, "--query-timeout", "8")
        self.meter.servers.append(self.server)
        # It holds its headers back until the end.
        self.idle = self.server.connect(1)
        self.idle.sendall(b"GET / HTTP/1.1\r\nHost: ")
        self.idle_since = time.monotonic()
        self.secret_system = "zebrafinch-4711"
        self.secret_gold = self.gold.replace(b"Which capitals", b"Which zebracapitals")
        secret = [("gold", self.secret_gold, "zebragold.json"), ("answers", self.borealis, "zebraanswers.json"),
                  ("system", self.secret_system)]
        self.look, self.manage = self.server.begin(secret)
        status = self.server.done(self.manage)
        self.key = status["evaluations"][0]["key"]
        if not self.key:
            raise RuntimeError(f"a usual run fails: {status}")

    def expect(self, is_so, what):
        if not is_so:
            self.wrong.append(what)
        return is_so

    def status(self, reply, allowed, what):
        """A reply has one of these statuses; none is a failure of the server."""
        return self.expect(reply.status in allowed,
                           f"{what}: {reply}, not {'/'.join(map(str, allowed)) if len(allowed) < 9 else 'refused'}; {reply.text[:160]!r}")

    def copy(self, name):
        """An archive as it was before anything was begun, of its own."""
        place = os.path.join(self.root, name)
        shutil.copytree(self.fresh, place)
        return place

    def published(self, server, manage, seconds=30):
        """What became of a run that is being published."""
        until, status = time.monotonic() + seconds, {"publication": "wanted", "refused": None}
        while status.get("publication") in ("wanted", "publishing") and time.monotonic() < until:
            reply = server.get(f"/api/v1/runs/{manage}")
            status = reply.json() if reply.status == 200 else {"publication": f"status {reply.status}", "refused": None}
            time.sleep(0.1)
        return status

    def run_fields(self, **other):
        fields = {"gold": ("gold", self.gold, "gold.json"), "answers": ("answers", self.borealis, "borealis.json"), **other}
        return [field for field in fields.values() if field]


REFUSED = range(400, 500)
# Who wants a run published when it is done.
WISH = {"visibility": ("visibility", "public"), "creator": ("creator", CREATOR), "licence": ("licence", "CC0-1.0")}
CLOSED_OR_REFUSED = (0, *REFUSED)


def random_token():
    return base64.urlsafe_b64encode(RANDOM.randbytes(32)).decode().rstrip("=")


# --- tokens ---

@attack
def guessed_tokens_open_nothing(w):
    s = w.server
    for accept in ("application/json", "text/html"):
        usual = s.get("/z/x/", ("Accept", accept))
        w.status(usual, [404], "an address of nothing")
        first = None
        for path in ("/p/x/", "/m/x/", f"/p/{random_token()}/", f"/p/{random_token()}/results", f"/m/{random_token()}/",
                     f"/m/{random_token()}/events", f"/m/{w.look}/", f"/p/{w.manage}/", f"/m/{w.look}/events", "/p//", "/m//",
                     f"/p/{w.look[:-1]}/", f"/p/{w.look}A/", f"/p/{w.look}%00/", f"/p/{w.look[:-1]}%2F/", "/p/" + "A" * 43 + "/"):
            reply = s.get(path, ("Accept", accept))
            w.status(reply, [404], f"GET {path} ({accept})")
            w.expect(reply.body == usual.body, f"GET {path} ({accept}) has another body than GET /z/x/")
            head = sorted((name.lower(), value) for name, value in reply.headers if name.lower() not in ("date", "x-request-id"))
            first = first or head
            w.expect(head == first, f"GET {path} ({accept}) has other headers than /p/x/: {set(head) ^ set(first)}")
    for path in (f"/p/{random_token()}", f"/m/{random_token()}", f"/m/{w.look}"):
        w.status(s.get(path), [404], f"GET {path}")
    for path in (f"/m/{w.look}/", f"/m/{random_token()}/", f"/p/{w.look}/", f"/p/{w.look}/run"):
        for do in ("stop", "delete", "publish", "withdraw"):
            reply = s.browser_form(path, [("do", do), ("creator", CREATOR), ("reason", "x")])
            w.status(reply, [404, 405], f"POST {path[:3]}… do={do}")


@attack
def times_tell_nothing(w):
    s = w.server
    def median(path):
        return statistics.median(s.get(path).seconds for _ in range(40))
    for what, secret, none in (
        ("the page of an evaluation", f"/evaluation/{w.key}", "/evaluation/" + "0123456789abcdef" * 2),
        ("an evaluation for programs", f"/api/v1/evaluations/{w.key}", "/api/v1/evaluations/" + "0123456789abcdef" * 2),
        ("a token for looking used for managing", f"/m/{w.look}/", f"/m/{random_token()}/"),
    ):
        replies = [s.get(path) for path in (secret, none)]
        w.expect(replies[0].status == replies[1].status == 404, f"{what}: {replies}")
        w.expect(len(replies[0].body) == len(replies[1].body), f"{what}: bodies of other lengths")
        # What else runs on this machine disturbs: the better of two tries counts.
        factors = []
        for _ in range(2):
            one, other = median(secret), median(none)
            factors.append(max(one, other) / max(min(one, other), 1e-9))
        w.expect(min(factors) < 3, f"{what}: the medians of times differ by a factor of {min(factors):.1f}")


@attack
def who_may_look_may_not_change(w):
    s = w.server
    for method, path in (("DELETE", ""), ("POST", "/stop"), ("POST", "/publish"), ("POST", "/withdraw")):
        for token in (w.look, random_token(), "x", "%00", "..", "a" * 8000):
            reply = s.ask(method, f"/api/v1/runs/{token}{path}", [("Content-Type", "application/x-www-form-urlencoded")],
                          urllib.parse.urlencode({"creator": CREATOR, "reason": "x"}) if method == "POST" else b"")
            w.status(reply, [404, 405], f"{method} api/v1/runs/{token[:20]}{path}")
    reply = s.get(f"/api/v1/runs/{w.look}")
    w.expect(reply.status == 200 and reply.json()["publication"] == "private", f"the run is changed: {reply} {reply.text[:300]}")


@attack
def private_runs_are_on_no_public_surface(w):
    s = w.server
    folder = [name for name in s.private_folders() if len(name) == 64]
    needles = [w.secret_system, "zebragold", "zebraanswers", "zebracapitals", w.key, w.look, w.manage, *folder]
    surfaces = [("GET", path, (), b"") for path in (
        "/", "/results", "/search", "/search.json", "/feed.atom", "/sitemap.xml", "/robots.txt", "/catalog.ttl", "/datasets",
        "/systems", "/comparisons", "/profiles", "/queries", "/new", "/check", "/sparql", "/health", "/api/v1/", "/api/v1/datasets",
        "/api/v1/openapi.json", "/api/v1/evaluations", "/api/v1/evaluations?after=0&system=zebra", "/api/v1/systems",
        "/index.html", "/results.html", "/private/", "/private/secret", "/private/tokens.json", "/.htaccess", "/p/", "/m/",
    )]
    for name in folder:
        surfaces += [("GET", f"/private/{name}/run.json", (), b""), ("GET", f"/files/../private/{name}/run.json", (), b"")]
    for query in ("SELECT * { ?s ?p ?o }", "SELECT * { GRAPH ?g { ?s ?p ?o } }", "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }",
                  "CONSTRUCT { ?s ?p ?o } { GRAPH ?g { ?s ?p ?o } }", f"DESCRIBE <https://w3id.org/qassay/evaluation/{w.key}>",
                  'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } FILTER(CONTAINS(LCASE(STR(?o)), "zebra")) }'):
        surfaces.append(("POST", "/sparql", (("Content-Type", "application/sparql-query"),), query.encode()))
        if "DISTINCT" in query or "zebra" in query:
            surfaces.append(("GET", "/sparql?" + urllib.parse.urlencode({"query": query, "format": "html"}), (("Accept", "text/html"),), b""))
    graph = urllib.parse.quote(f"https://w3id.org/qassay/graph/evaluation/{w.key}", safe="")
    surfaces.append(("GET", f"/sparql?query=SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D&default-graph-uri={graph}", (), b""))
    surfaces.append(("POST", "/sparql", (("Content-Type", "text/plain"),), b"SELECT"))
    for method, path, headers, body in surfaces:
        reply = s.ask(method, path, headers, body, timeout=30)
        w.expect(reply.status not in (0, 500), f"{method} {path[:100]}: {reply}")
        # What somebody says himself is no secret to him.
        asked = urllib.parse.unquote(path) + body.decode()
        for needle in needles:
            w.expect(needle not in reply.text or needle in asked, f"{method} {path[:100]} tells of a private run: {needle[:12]}…")
    reply = s.sparql("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }")
    w.expect(reply.status == 200 and int(reply.json()["results"]["bindings"][0]["n"]["value"]) > 100, f"nothing is found: {reply}")
    for query in ('ASK { ?s ?p ?o FILTER(CONTAINS(LCASE(STR(?o)), "zebra")) }', 'ASK { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(LCASE(CONCAT(STR(?s), STR(?o))), "zebra")) }',
                  f'ASK {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(CONTAINS(STR(?g), "{w.key}")) }}'):
        reply = s.sparql(query)
        w.expect(reply.status == 200 and reply.json()["boolean"] is False, f"a query finds a private run: {query} {reply}")


@attack
def the_log_has_no_tokens(w):
    s = w.server
    for path in (f"/p/{w.look}/", f"/p/{w.look}", f"/m/{w.manage}/", f"/m/{w.manage}/x/y", f"/p/{w.look}/results", f"/p/{w.look}/sparql?query=x",
                 f"/api/v1/runs/{w.manage}", f"/api/v1/runs/{w.look}?wait=0", f"/new?x={w.manage}", f"/?{w.manage}"):
        s.get(path, ("Referer", f"{s.url}m/{w.manage}/"), ("User-Agent", w.manage))
    s.ask("PUT", f"/m/{w.manage}/")
    for path in (f"/p/{w.look}/", f"/m/{w.manage}/"):
        s.raw(f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
    log = s.said()
    w.expect(log.count('"path"') > 10, "the log tells nothing")
    for name, token in (("look", w.look), ("manage", w.manage)):
        lines = [line.replace(token, f"<{name}>") for line in log.splitlines() if token in line]
        w.expect(not lines, f"the log has the {name} token in {len(lines)} lines: {lines[:3]}")


@attack
def the_log_has_no_tokens_of_crooked_addresses(w):
    """What proxies, editors and people make of an address is still a secret."""
    s = w.server
    token = w.manage
    for path in (f"//m/{token}/", f"/%6d/{token}/", f"/M/{token}/", f"/./m/{token}/", f"/x/../m/{token}/", f"/m%2F{token}/", f"/{token}",
                 f"/api/v1//runs/{token}", f"/api/v1/r%75ns/{token}", f"/api//v1/runs/{token}", f"/api/v1/run/{token}", f"/API/v1/runs/{token}",
                 f"/api/v1/runs%2F{token}", f"/m/m/{token}/"):
        before = len(s.said())
        reply = s.get(path)
        w.expect(reply.status in (301, 308, *REFUSED), f"GET {path.replace(token, '<manage>')}: {reply}")
        time.sleep(0.01)
        w.expect(token not in s.said()[before:], f"GET {path.replace(token, '<manage>')} leaves the token in the log")


@attack
def private_pages_say_that_they_are(w):
    s = w.server
    titles = re.compile(r"<title>(.*?)</title>", re.S)
    manage = [f"/m/{w.manage}/", f"/api/v1/runs/{w.manage}"]
    look = [f"/p/{w.look}/", f"/p/{w.look}/run", f"/p/{w.look}/results", f"/p/{w.look}/evaluation/{w.key}", f"/p/{w.look}/evaluation/{w.key}.ttl",
            f"/p/{w.look}/evaluation/{w.key}/file/SHA256SUMS", f"/p/{w.look}/search.json", f"/p/{w.look}/feed.atom", f"/p/{w.look}/catalog.ttl",
            f"/p/{w.look}/sitemap.xml", f"/p/{w.look}/nothing", f"/p/{w.look}", f"/api/v1/runs/{w.look}", f"/p/{w.look}/sparql",
            f"/p/{w.look}/sparql?query=" + urllib.parse.quote("SELECT * { GRAPH ?g { ?s ?p ?o } } LIMIT 300"), f"/p/{w.look}/robots.txt"]
    for path in manage + look:
        for accept in ("text/html", "*/*"):
            reply = s.get(path, ("Accept", accept), ("Accept-Encoding", "gzip, br"), ("Origin", "http://evil.example"))
            name = path.replace(w.manage, "<manage>").replace(w.look, "<look>").replace(w.key, "<key>")[:60] + f" ({accept})"
            w.status(reply, [200, 308, 404], f"GET {name}")
            w.expect(reply.of("cache-control") == "no-store", f"GET {name}: Cache-Control: {reply.of('cache-control')}")
            w.expect(reply.of("referrer-policy") == "no-referrer", f"GET {name}: Referrer-Policy: {reply.of('referrer-policy')}")
            w.expect("noindex" in reply.of("x-robots-tag"), f"GET {name}: no X-Robots-Tag: noindex")
            w.expect(not reply.of("access-control-allow-origin"), f"GET {name}: Access-Control-Allow-Origin: {reply.of('access-control-allow-origin')}")
            w.expect(reply.of("cross-origin-resource-policy") in ("same-origin", ""), f"GET {name}: Cross-Origin-Resource-Policy: {reply.of('cross-origin-resource-policy')}")
            w.expect(not reply.of("content-encoding"), f"GET {name} is packed: BREACH")
            w.expect(not reply.of("etag") or accept == "", f"GET {name} has an ETag")
            for title in titles.findall(reply.text):
                w.expect(w.look not in title and w.manage not in title, f"GET {name}: a token is in the title")
            if path in look:
                w.expect(w.manage not in reply.text and w.manage not in str(reply.headers), f"GET {name} tells the token for managing")
    with s.connect(3) as sock:
        sock.sendall(f"GET /p/{w.look}/events HTTP/1.1\r\nHost: {s.host}\r\n\r\n".encode())
        events = Reply(receive(sock, time.monotonic() + 1.5))
        w.expect(events.status == 200 and events.of("cache-control") == "no-store" and not events.of("access-control-allow-origin"),
                 f"GET /p/<look>/events: {events.headers}")
    for path in manage + look[:3]:
        reply = s.ask("OPTIONS", path, [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "GET")])
        w.expect(not reply.of("access-control-allow-origin"),
                 f"OPTIONS {path[:14]}…: Access-Control-Allow-Origin: {reply.of('access-control-allow-origin')}")
        w.expect(reply.status < 500, f"OPTIONS {path[:14]}…: {reply}")


# --- hosts and origins ---

@attack
def strangers_names_are_refused(w):
    s, port = w.server, w.server.place[1]
    for path in ("/", "/health", "/sparql?query=ASK%20%7B%7D", f"/p/{w.look}/", f"/api/v1/runs/{w.manage}", "/new"):
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port}.evil.example", f"127.0.0.1:{port}@evil.example",
                     f"x127.0.0.1:{port}", f"0.0.0.0:{port}", "", " ", f"127.0.0.1:{port},evil.example", f"127.0.0.1:{port}/", "\u00e4.example", f"127.0.0.1.:{port}"):
            reply = s.raw(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            w.status(reply, [421, 400], f"Host {host!r} of {path[:12]}")
            w.expect(w.manage not in reply.text, f"Host {host!r}: tells a token")
    reply = s.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    w.status(reply, [400, 421], "no Host")
    w.status(s.raw(b"GET / HTTP/1.0\r\n\r\n"), [400, 421], "no Host in HTTP/1.0")
    for header in ("X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-Host"):
        value = "host=evil.example" if header == "Forwarded" else "evil.example"
        for path in ("/", "/feed.atom", "/api/v1/", "/evaluation/", "/results/"):
            reply = s.get(path, (header, value))
            w.expect("evil.example" not in reply.text + str(reply.headers), f"{header} is believed at {path}")


@attack
def absolute_targets_name_the_host(w):
    """RFC 9112, section 3.2.2: the host of an absolute target counts, and that of the header does not."""
    s = w.server
    for target in ("http://evil.example/", f"http://evil.example:{s.place[1]}/results", "http://evil.example/health"):
        reply = s.raw(f"GET {target} HTTP/1.1\r\nHost: {s.host}\r\nConnection: close\r\n\r\n".encode())
        w.status(reply, [400, 421], f"GET {target} with our Host")
        reply = s.raw(f"GET {target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
        w.status(reply, [400, 421], f"GET {target} with the same Host")
    for hosts in ((s.host, "evil.example"), ("evil.example", s.host)):
        lines = "".join(f"Host: {host}\r\n" for host in hosts)
        reply = s.raw(f"GET / HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        w.status(reply, [400, 421], f"two Hosts, {'ours first' if hosts[0] == s.host else 'ours last'} (RFC 9112, section 3.2)")
    w.status(s.raw(f"CONNECT evil.example:80 HTTP/1.1\r\nHost: {s.host}\r\nConnection: close\r\n\r\n".encode()), (308, *CLOSED_OR_REFUSED), "CONNECT")


@attack
def forms_of_other_sites_do_nothing(w):
    s, own = w.server, w.server.url.rstrip("/")
    foreign = [
        [("Origin", "http://evil.example")], [("Origin", "null")], [("Origin", own), ("Sec-Fetch-Site", "cross-site")],
        [("Origin", own), ("Sec-Fetch-Site", "same-site")], [], [("Origin", "")], [("Origin", own + ".evil.example")],
        [("Origin", "https://" + s.host)], [("Origin", own + "/x")], [("Origin", f"http://127.0.0.1:{s.place[1] + 1}")],
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "")], [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "same-origin")],
        [("Origin", "\u00e4")],
    ]
    before = s.private_folders()
    for headers in foreign:
        for path, fields in (("/new", w.run_fields()), ("/check", [("file", w.borealis, "a.json")]), (f"/m/{w.manage}/", [("do", "delete")])):
            reply = s.form(path, fields, *headers)
            w.status(reply, [403], f"POST {path[:5]} with {dict(headers)}")
    for headers in foreign:
        if not headers:
            continue  # Programs say nothing of pages.
        kind, body = multipart(w.run_fields())
        for method, path in (("POST", "/api/v1/runs"), ("DELETE", f"/api/v1/runs/{w.manage}"), ("POST", f"/api/v1/runs/{w.manage}/stop"), ("POST", "/api/v1/check")):
            reply = s.ask(method, path, [("Content-Type", kind), *headers], body if method == "POST" else b"")
            w.status(reply, [403], f"{method} {path[:14]} with {dict(headers)}")
    w.expect(set(s.private_folders()) <= set(before), "a form of another site began something")
    w.expect(s.get(f"/m/{w.manage}/").status == 200, "a form of another site removed a run")
    reply = s.get("/sparql?update=" + urllib.parse.quote("DROP ALL"))
    w.status(reply, [403], "an update by an address")


@attack
def preflights_open_nothing(w):
    s = w.server
    for path in ("/new", "/check", f"/m/{w.manage}/", f"/p/{w.look}/", f"/api/v1/runs/{w.manage}", f"/api/v1/runs/{w.manage}/stop"):
        for method in ("POST", "DELETE", "PUT"):
            reply = s.ask("OPTIONS", path, [("Origin", "http://evil.example"), ("Access-Control-Request-Method", method),
                                            ("Access-Control-Request-Headers", "authorization, x-evil")])
            name = path.replace(w.manage, "…").replace(w.look, "…")
            w.expect(not reply.of("access-control-allow-origin"), f"OPTIONS {name} for {method}: Access-Control-Allow-Origin: {reply.of('access-control-allow-origin')}")
            w.expect(not reply.of("access-control-allow-credentials"), f"OPTIONS {name}: credentials are allowed")
    for path in ("/", "/results", "/sparql"):
        reply = s.ask("OPTIONS", path, [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "DELETE")])
        w.expect("DELETE" not in reply.of("access-control-allow-methods") and not reply.of("access-control-allow-credentials"), f"OPTIONS {path}: {reply.headers}")


# --- bombs ---

def raw_zeros(gigabytes):
    """Deflated zeros: one block of 16 MB again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(16 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    end = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    return block * (gigabytes * 64) + end


def gzipped(deflated):
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + deflated + struct.pack("<II", 0, 0)


def zipped(name, deflated, size):
    """A zip that says of its one file what it likes."""
    sizes = (0x12345678, len(deflated), min(size, 0xFFFFFFFE))
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 33, *sizes, len(name), 0) + name
    central = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, *sizes, len(name), 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local) + len(deflated), 0)
    return local + deflated + central + end


def zip_of(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zip_:
        for name, content in files:
            zip_.writestr(name, content)
    return packed.getvalue()


def try_file(w, name, content, is_run=True, within=30):
    """A file must be looked at, or refused, in a reasonable time, as what is looked at, as gold and as answers."""
    s = w.server
    tries = [("/api/v1/check", [("file", content, name)], [200, 422, 413])]
    if is_run:
        tries += [("/api/v1/runs", [("gold", w.gold, "gold.json"), ("answers", content, name)], [202, 422, 413]),
                  ("/api/v1/runs", [("gold", content, name), ("answers", w.borealis, "borealis.json")], [202, 422, 413])]
    replies = []
    for path, fields, allowed in tries:
        reply = s.form(path, fields)
        w.status(reply, allowed, f"POST {path} with {name}")
        w.expect(reply.seconds < within, f"POST {path} with {name} takes {reply.seconds:.1f} s")
        if reply.status == 202:
            status = s.done(reply.json()["look"].split("/")[-2], 15)
            w.expect(status["state"] == "done", f"a run with {name} as {fields[0][0] if fields[0][1] is content else 'answers'} does not end: {status}")
        replies.append(reply)
    return replies


@attack
def gzip_bombs_burst_elsewhere(w):
    for gigabytes, most in ((1, 2), (28, 32)):
        bomb = gzipped(raw_zeros(gigabytes))
        w.expect(len(bomb) < most << 20, f"the bomb is too large: {len(bomb)}")
        try_file(w, f"{gigabytes}.json.gz", bomb)
    twice = zlib.compressobj(9, zlib.DEFLATED, -15)
    try_file(w, "twice.json.gz", gzipped(twice.compress(gzipped(raw_zeros(10))) + twice.flush()), False)


@attack
def zip_bombs_burst_elsewhere(w):
    for gigabytes in (1, 8):
        for size in (10, gigabytes << 30):
            try_file(w, f"{gigabytes}.zip", zipped(b"a.json", raw_zeros(gigabytes), size), size == 10)
    inner = zipped(b"a.json", raw_zeros(2), 10)
    for _ in range(5):
        inner = zip_of([(f"{at}.zip", inner if at == 0 else b"") for at in range(2)])
    try_file(w, "nested.zip", inner, False)


@attack
def zips_of_many_files_are_refused(w):
    for count in (15_000, 100_000):
        try_file(w, f"{count}.zip", zip_of((f"{at}.json", b"") for at in range(count)), count == 15_000)
    for name in ("../../../escaped.json", "/tmp/escaped.json", "a/../../escaped.json", "C:\\escaped.json"):
        try_file(w, "slip.zip", zip_of([(name, w.borealis)]), False)
    found = [path for path in ("/tmp/escaped.json", os.path.join(w.archive, "escaped.json"), os.path.join(w.root, "escaped.json")) if os.path.exists(path)]
    w.expect(not found, f"a zip wrote {found}")


@attack
def deep_json_is_refused(w):
    for name, text in (("deep.json", "[" * 100_000), ("deep2.json", '{"questions":' * 100_000), ("deep3.json", '{"questions":[' + "[" * 100_000 + "]" * 100_000 + "]}"),
                       ("deep4.json", '{"questions":[{"id":"1","question":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}]}")):
        try_file(w, name, text.encode(), name == "deep3.json")
    try_file(w, "deep.xml", ("<a>" * 100_000 + "</a>" * 100_000).encode())
    try_file(w, "deep.ttl", b"<a:a> <a:b> " + b"(" * 100_000, False)


@attack
def xml_opens_no_files(w):
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    question = '<dataset id="x"><question id="1"><string lang="en">{}</string><answers><answer>a</answer></answers></question></dataset>'
    for name, text in (
        ("laughs.xml", f'<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY l0 "lol">{laughs}]>' + question.format("&l11;")),
        ("outside.xml", '<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + question.format("&x;")),
        ("web.xml", f'<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY x SYSTEM "http://127.0.0.1:{w.listener.port}/">]>' + question.format("&x;")),
        ("parameter.xml", f'<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY % x SYSTEM "http://127.0.0.1:{w.listener.port}/"> %x;]>' + question.format("a")),
        ("dtd.xml", f'<?xml version="1.0"?><!DOCTYPE dataset SYSTEM "http://127.0.0.1:{w.listener.port}/x.dtd">' + question.format("a")),
        ("quadratic.xml", '<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY x "' + "a" * 100_000 + '">]>' + question.format("&x;" * 100_000)),
        ("include.xml", '<?xml version="1.0"?><dataset id="x" xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/></dataset>'),
    ):
        for path, fields in (("/api/v1/check", [("file", text, name)]), ("/api/v1/runs", [("gold", text, name), ("answers", w.borealis, "b.json")])):
            reply = w.server.form(path, fields)
            w.status(reply, [200, 202, 422], f"POST {path} with {name}")
            w.expect("root:" not in reply.text, f"POST {path} with {name} tells what is in /etc/passwd")
            if reply.status == 202:
                token = reply.json()["look"].split("/")[-2]
                w.server.done(token)
                for page in ("run", "results", "search.json"):
                    w.expect("root:x" not in w.server.get(f"/p/{token}/{page}").text, f"{name}: a run tells what is in /etc/passwd")
    w.expect(w.listener.seen == 0, f"XML made {w.listener.seen} connections")


@attack
def very_many_questions_end(w):
    many = b'{"questions":[' + b",".join(b'{"id":"%d","question":[],"answers":[]}' % at for at in range(200_001)) + b"]}"
    reply = w.server.form("/api/v1/check", [("file", zlib.compress(many, 9, 31), "many.json.gz")], timeout=30)
    w.status(reply, [200, 422], "POST /api/v1/check with 200,001 questions")
    same = b'{"questions":[' + b",".join([b'{"id":"1"}'] * 20_000) + b"]}"
    packed = zlib.compress(same, 9, 31)
    same = w.server.form("/api/v1/check", [("file", packed, "same.json.gz")], timeout=LONGEST - 4 - reply.seconds)
    w.status(same, [200, 422], "POST /api/v1/check with 20,000 questions of one id")
    w.expect(len(same.body) < 2 << 20, f"a file of {len(packed)} bytes, 20,000 times the same id, is answered by {len(same.body)} bytes")


@attack
def what_is_too_large_is_refused(w):
    s = w.server
    for path, name in (("/api/v1/check", "file"), ("/api/v1/runs", "answers")):
        if name == "file":
            w.status(s.form(path, [(name, w.borealis + b" " * (20 << 20), "a.json")]), [200], "a usual file of 20 MB, which may have 32")
        w.status(s.form(path, [(name, bytes(33 << 20), "a.json")]), [413], f"POST {path} with a file of 33 MB")
        w.status(s.form(path, [(name, bytes(22 << 20), f"{at}.json") for at in range(3)]), [0, 413], f"POST {path} with a body of 66 MB")
        w.status(s.form(path, [(name, w.borealis, f"{at}.json") for at in range(11)]), [413], f"POST {path} with 11 files")
        w.status(s.form(path, [("system", str(at)) for at in range(600)]), [413], f"POST {path} with 600 fields")
        w.status(s.form(path, [("title", "a" * (2 << 20))]), [413], f"POST {path} with a field of 2 MB")
        w.status(s.ask("POST", path, [("Content-Type", "application/x-www-form-urlencoded")], b"system=" + b"a" * (2 << 20)), [413], f"POST {path} with 2 MB of form")
    # Nobody says how long it is.
    kind, body = multipart([("file", bytes(31 << 20), f"{at}.json") for at in range(3)])
    head = f"POST /api/v1/check HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + (1 << 20)]), body[at:at + (1 << 20)]) for at in range(0, len(body), 1 << 20))
    w.status(s.raw(head + chunks + b"0\r\n\r\n", 30), [0, 413], "93 MB in chunks")
    w.status(s.ask("POST", "/sparql", [("Content-Type", "application/sparql-query")], b"#" * (2 << 20)), [413], "a query of 2 MB")
    for length in ("99999999999999999999", "18446744073709551615", "-1", "0x10", "1, 2"):
        reply = s.raw(f"POST /api/v1/check HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\nabc".encode(), 3)
        w.expect(reply.status in CLOSED_OR_REFUSED, f"Content-Length {length}: {reply}")


@attack
def names_of_files_stay_names(w):
    s = w.server
    names = ["../../x", "/etc/passwd", b"a\x00b.json", "n" * 10_000 + ".json", "-", "--archive=x", "a+b", "CON", "\u00e4 \U0001f600.json", "..", ".", "...",
             "\\\\host\\share", "C:\\a.json", "~root", "%2e%2e%2fx", "a\nb.json", b"\xff\xfe.json", "file:///etc/passwd", "http://127.0.0.1/", "|id", "$(id)", "`id`", "a;b",
             "\u202egnp.json", ".run.json", "run.json", "gold.json/", " ", "qald-9-test", "aurora@1", "a" * 200 + "." + "b" * 200, "nul.json", "x.zip.json", "-rf.json", "a'b.json"]
    before = {path: set(os.listdir(path)) for path in (w.root, w.archive, os.getcwd(), "/")}
    for name in names:
        reply = s.form("/api/v1/check", [("file", w.borealis, name)])
        w.status(reply, [200, 400, 422], f"a file called {name[:30]!r}")
        if reply.status == 200:
            kept = reply.json()["files"][0]["file"]
            w.expect("/" not in kept and "\\" not in kept and "\x00" not in kept and len(kept.encode()) < 256, f"a file called {name[:30]!r} is {kept[:60]!r}")
    for name in ("../../x.json", "--archive=x", "a+b", "-", "http://127.0.0.1/", "gold.json", "\u202egnp.json", "a\nb.json"):
        reply = s.form("/api/v1/runs", [("gold", w.gold, name), ("answers", w.borealis, name)])
        w.status(reply, [202, 400, 422], f"a run of files called {name!r}")
        if reply.status == 202:
            token = reply.json()["look"].split("/")[-2]
            status = s.done(token)
            w.expect(all(one["state"] == "done" for one in status.get("evaluations", [{"state": "?"}])), f"a run of files called {name!r}: {status}")
    for path, known in before.items():
        new = set(os.listdir(path)) - known - {"private"}
        w.expect(not new, f"names of files made {sorted(new)[:5]} in {path}")
    inside = {name for name in s.private_folders() if not name.startswith(".part-") and not re.fullmatch("[0-9a-f]{64}|secret|lock|assessors", name)}
    w.expect(not inside, f"names of files made {sorted(inside)[:5]} in the folder of runs")


@attack
def forms_that_are_none_are_refused(w):
    s = w.server
    kind, body = multipart(w.run_fields())
    long = "b" * 10_000
    for what, stated, sent in (
        ("no boundary", "multipart/form-data", body), ("an empty boundary", "multipart/form-data; boundary=", body), ("another boundary", "multipart/form-data; boundary=other", body),
        ("truncated", kind, body[:-200]), ("truncated in a header", kind, body[:60]), ("empty", kind, b""), ("only the end", kind, body[-50:]),
        ("a long boundary", f"multipart/form-data; boundary={long}", multipart(w.run_fields(), long)[1]),
        ("a part without a name", kind, body.replace(b'name="gold"', b"")), ("a part without headers", kind, re.sub(rb"Content-[^\r]*\r\n", b"", body)),
        ("1,000 headers", kind, body.replace(b"\r\nContent-Type", b"\r\nX: y" * 1_000 + b"\r\nContent-Type", 1)),
        ("a header of 1 MB", kind, body.replace(b"\r\nContent-Type", b"\r\nX: " + b"y" * (1 << 20) + b"\r\nContent-Type", 1)),
        ("a name of 1 MB", kind, body.replace(b'name="gold"', b'name="' + b"g" * (1 << 20) + b'"')),
        ("a nested form", kind, body.replace(b"application/octet-stream", b"multipart/mixed; boundary=x")),
        ("a name with a line", kind, body.replace(b'name="gold"', b'name="go\\r\\nld"')),
        ("bytes as text", kind, multipart([("system", b"\xff\xfe\x00")])[1]), ("NUL in a field", kind, multipart([("system", b"a\x00b")])[1]),
        ("JSON", "application/json", b"{}"), ("text", "text/plain", b"a=b"), ("XML", "application/xml", b"<a/>"), ("no type", "", b"a=b"), ("mixed", "multipart/mixed; boundary=x", body),
    ):
        for path in ("/api/v1/runs", "/api/v1/check"):
            reply = s.ask("POST", path, [("Content-Type", stated)] if stated else [], sent, 10)
            lenient = what in ("a long boundary", "a part without a name", "a header of 1 MB", "a name of 1 MB", "a nested form", "a name with a line", "1,000 headers")
            w.status(reply, [*([200, 202] if lenient else []), 400, 413, 415, 422, 431], f"POST {path}: {what}")
    for path in ("/new", "/check"):
        reply = s.ask("POST", path, [("Content-Type", "multipart/form-data"), ("Origin", s.url.rstrip("/"))], body)
        w.status(reply, [400], f"POST {path} without boundary")
    packed = zlib.compress(body, 9, 31)
    w.status(s.ask("POST", "/api/v1/check", [("Content-Type", kind), ("Content-Encoding", "gzip")], packed), [400, 415, 422], "a packed form")
    both = f"POST /api/v1/runs HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n".encode()
    w.expect(s.raw(both, 5).status in CLOSED_OR_REFUSED, "Content-Length and Transfer-Encoding")


# --- fields ---

@attack
def fields_reach_nothing(w):
    s, port = w.server, w.listener.port
    before = w.listener.seen
    for name, *values in (
        ("dataset", "/etc/passwd", "../x", "qald-9-test", "./gold.json", "gold.json", "-", "--help", "a" * 100_000, f"http://127.0.0.1:{port}/", "\u202e", "qald-9-test@/etc"),
        ("links", "file:///etc/passwd", f"http://127.0.0.1:{port}/", "/etc/passwd", "../x", "x@../../y"),
        ("kb", "http://169.254.169.254/", f"http://127.0.0.1:{port}/sparql", "/etc/passwd", "x@1"),
        ("profile", "./x.ttl", "/etc/passwd", "x.ttl", "..\\x", "none", "qassay,./x.ttl", "a" * 100_000),
        ("endpoint", f"http://127.0.0.1:{port}/", "http://localhost/", "file:///etc/passwd"), ("ask", "aurora", f"http://127.0.0.1:{port}/"),
        ("labels", "file:///etc/passwd", "/etc/passwd"), ("types", f"http://127.0.0.1:{port}/"), ("classes", "/etc/passwd"), ("question-types", "/etc/passwd"), ("assessments", "../x"), ("links-file", "/etc/passwd"),
        ("nothing", "x"), ("archive", "/tmp"), ("html", "/tmp/x.html"), ("threads", "999999"), ("base", "http://evil.example/"), ("__proto__", "x"), ("", "x"), ("a" * 10_000, "x"),
        ("cutoffs", "0", "-1", "999999999999999999999", "1e9", "NaN"), ("same-as", "x", "none,static"), ("loader", "/etc/passwd"), ("part", "x"), ("link-kind", "x"), ("gold-answers", "x"),
        ("visibility", "x", "public"), ("creator", "x"), ("system", "a\tb", "\u200b", "a" * 2_000, "a\x1b[31m", "\x07"), ("gold", "/etc/passwd"), ("answers", "/etc/passwd", "../x"),
        ("experiment", "/etc/passwd"), ("set", "a"), ("protocol", "/etc/passwd"),
    ):
        for value in values:
            fields = w.run_fields()
            fields.append((name, value))
            reply = s.form("/api/v1/runs", fields)
            may = [422, 202] if name in ("visibility", "creator", "experiment", "set", "protocol", "gold", "answers") and value != "public" else [422]
            w.status(reply, may, f"{name[:30]}={value[:40]!r}")
            w.expect("root:x" not in reply.text, f"{name}={value!r} tells what is in /etc/passwd")
            w.expect(len(reply.body) < 50_000, f"{name[:30]}={value[:40]!r}: a reply of {len(reply.body)} bytes")
    w.status(s.form("/api/v1/runs", [("dataset", str(at)) for at in range(10_000)]), [413], "10,000 datasets")
    w.status(s.form("/api/v1/runs", w.run_fields() + [("dataset", str(at)) for at in range(490)]), [422], "490 datasets")
    w.status(s.ask("POST", "/api/v1/runs", [("Content-Type", "application/x-www-form-urlencoded")], "&".join(f"a{at}=b" for at in range(10_000))), [413], "10,000 fields")
    w.status(s.ask("POST", "/api/v1/runs", [("Content-Type", "application/x-www-form-urlencoded")], b"%" * 1_000_000), [413, 422], "a form of 1,000,000 %")
    w.status(s.browser_form("/new", [("uploads", random_token()), ("only", "check")]), [422], "uploads of another one")
    w.expect(w.listener.seen == before, f"fields made {w.listener.seen - before} connections")


# --- connections ---

@attack
def slow_ones_hold_up_nobody(w):
    s = w.server
    kind, body = multipart(w.run_fields())
    head = f"GET /results HTTP/1.1\r\nHost: {s.host}\r\nX-Slow: ".encode()
    post = f"POST /api/v1/check HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:90]
    slow = [s.connect(5) for _ in range(200)]
    for at, sock in enumerate(slow):
        send_all(sock, head if at % 2 else post)
    began, times = time.monotonic(), []
    while time.monotonic() - began < 20:
        for at, sock in enumerate(slow):
            send_all(sock, b"a")
        reply = s.get("/results")
        w.status(reply, [200], "a page beside 200 slow ones")
        times.append(reply.seconds)
        time.sleep(max(0, 1 - reply.seconds))
    w.expect(max(times) < 5, f"a page beside 200 slow ones takes {max(times):.1f} s")
    token = s.begin(w.run_fields())[0]
    w.expect(s.done(token)["state"] == "done", "a run beside 200 slow ones is not done")
    for sock in slow:
        sock.close()
    time.sleep(1)
    left = [name for name in s.private_folders() if name.startswith(".part-")]
    w.expect(not left, f"slow bodies leave {len(left)} folders {left[:2]}")


@attack
def silent_ones_are_let_go(w):
    s = w.server
    silent = [s.connect(25) for _ in range(40)]
    for sock in silent[:20]:
        sock.sendall(b"PRI * HT")
    began = time.monotonic()
    left = 0
    for sock in silent:
        try:
            left += sock.recv(1) != b""
        except OSError as error:
            left += isinstance(error, TimeoutError)
        sock.close()
    w.expect(not left, f"{left} of 40 that say nothing are still connected after {time.monotonic() - began:.0f} s")


@attack
def stopped_runs_can_be_published_later(w):
    s = Server(w.copy("stopped-later"))
    try:
        _, manage = s.begin(w.run_fields())
        s.done(manage)
        w.status(s.ask("POST", f"/api/v1/runs/{manage}/stop"), [200], "stopping what is done")
        w.status(s.form(f"/api/v1/runs/{manage}/publish", [("creator", CREATOR), ("licence", "CC0-1.0")]), [200, 202], "publishing what was stopped")
        status = w.published(s, manage)
        w.expect(status["publication"] == "published", f"a run that was stopped: {status['publication']}, {status['refused']}")
    finally:
        s.end()


@attack
def what_becomes_public_keeps_its_owner(w):
    s = Server(w.copy("owned-runs"))
    try:
        records = os.path.join(s.archive, "records", "publication")
        known = set(os.listdir(records))
        for number in range(3):
            gold = w.gold.replace(b"Which capitals", f"Which {number} capitals".encode())
            _, manage = s.begin(w.run_fields(gold=("gold", gold, "gold.json")))
            s.done(manage)
            s.form(f"/api/v1/runs/{manage}/publish", [("creator", CREATOR), ("licence", "CC0-1.0")])
            until = time.monotonic() + 20
            while set(os.listdir(records)) == known and time.monotonic() < until:
                time.sleep(0.002)
            # It is public by now, and the server has not been told.
            how = ("DELETE", "") if number < 2 else ("POST", "/stop")
            reply = s.ask(how[0], f"/api/v1/runs/{manage}{how[1]}", timeout=35)
            is_public = set(os.listdir(records)) != known
            w.expect(not (is_public and reply.status == 204), "what is public is deleted, and nobody's")
            status = w.published(s, manage)
            w.expect(not is_public or status.get("publication") == "published", f"what is public is {status}")
            reply = s.form(f"/api/v1/runs/{manage}/withdraw", [("reason", "an attack")], timeout=35)
            w.status(reply, [200] if is_public else [200, 404, 422], "withdrawing what is public")
            known = set(os.listdir(records))
    finally:
        s.end()


@attack
def words_that_are_repeated_are_one(w):
    s = w.server
    # That of aurora is published.
    key = hashlib.sha256(w.aurora).hexdigest()[:32]
    gold = ("gold", w.gold, "gold.json")
    reply = s.form("/api/v1/runs", [gold, ("submission", f"{key},{key}"), ("profile", ",".join(["qassay"] * 50_000))])
    w.status(reply, [202], "one submission and one profile, often")
    if reply.status == 202:
        w.expect(reply.json()["evaluations"] == 1, f"repeated words are {reply.json()['evaluations']} evaluations")
    reply = s.form("/api/v1/runs", [gold, ("answers", w.borealis, f"submission-{key}"), ("submission", key)])
    w.status(reply, [202], "a file that is called as one of the server's")


@attack
def connections_that_end_early_are_nothing(w):
    s = w.server
    before = files_open(s.process.pid)
    for at in range(300):
        sock = s.connect(5)
        if at % 3 == 1:
            send_all(sock, f"GET / HTTP/1.1\r\nHost: {s.host}\r\n\r\n".encode())
        elif at % 6 == 2:
            send_all(sock, b"POST /api/v1/check HTTP/1.1\r\nHost: " + s.host.encode() + b"\r\nContent-Length: 100\r\n\r\nabc")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
    with s.connect(5) as sock:
        sock.sendall(f"GET /health HTTP/1.1\r\nHost: {s.host}\r\nConnection: close\r\n\r\n".encode())
        sock.shutdown(socket.SHUT_WR)
        w.expect(Reply(receive(sock, time.monotonic() + 5)).status in (0, 200), "a half-closed connection")
    time.sleep(1)
    after = files_open(s.process.pid)
    w.expect(after < before + 20, f"connections that ended are still open: {after} files, before {before}")


@attack
def pipelines_are_answered_in_order(w):
    s = w.server
    paths = ["/health", "/results", "/z/x", "/api/v1/systems", "/robots.txt"] * 10
    with s.connect(20) as sock:
        last = len(paths) - 1
        sock.sendall("".join(f"GET {path} HTTP/1.1\r\nHost: {s.host}\r\n{'Connection: close' + chr(13) + chr(10) if at == last else ''}\r\n" for at, path in enumerate(paths)).encode())
        told = receive(sock, time.monotonic() + 20)
    statuses = re.findall(rb"HTTP/1\.1 (\d+) ", told)
    w.expect(statuses == [b"200", b"200", b"404", b"200", b"200"] * 10, f"50 requests have {len(statuses)} replies: {statuses[:8]}")


@attack
def bad_http_is_refused(w):
    s = w.server
    host = s.host.encode()
    for size in (16 << 10, 64 << 10, 1 << 20):
        reply = s.get("/", ("X-Big", "a" * size))
        w.expect(reply.status in (0, 200, 400, 431), f"a header of {size} bytes: {reply}")
    reply = s.get("/", *((f"X-{at}", "a") for at in range(2_000)))
    w.expect(reply.status in (0, 200, 400, 431), f"2,000 headers: {reply}")
    for bad in (
        b"\x00" * 1000 + b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\nHost: " + host + b"\n\nx",
        b"G\xc3\xa4T / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost : " + host + b"\r\n\r\n", b"GET / HTTP/1.1\r\n Host: " + host + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n", b"POST /sparql HTTP/1.1\r\nHost: " + host + b"\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: " + host + b"\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", b"GET /\x01 HTTP/1.1\r\nHost: " + host + b"\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: " + host + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nX: a\x00b\r\n\r\n", b"\r\n" * 10_000, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 100, b"A" * 100_000 + b" / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n", b"TRACE / HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n", b"GET x HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n",
        b"GET ?a HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n", b"BREW / HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n",
    ):
        reply = s.raw(bad, 1)
        w.expect(reply.status < 500, f"{bad[:40]!r}: {reply} {reply.text[:100]!r}")
        w.expect(b"HTTP/1.1 200" not in reply.raw or bad.startswith((b"GET / HTTP/1.1\n", b"OPTIONS")) or b"ZZ" in bad, f"{bad[:40]!r} is answered: {reply}")


@attack
def many_may_listen_to_events(w):
    s = w.server
    listening = [s.connect(5) for _ in range(150)]
    for at, sock in enumerate(listening):
        path = (f"/p/{w.look}/events", f"/m/{w.manage}/events", f"/api/v1/runs/{w.look}/events")[at % 3]
        send_all(sock, f"GET {path} HTTP/1.1\r\nHost: {s.host}\r\n\r\n".encode())
    time.sleep(1)
    waiting = [threading.Thread(target=s.get, args=(f"/api/v1/runs/{w.look}?wait=9999999",)) for _ in range(20)]
    for one in waiting:
        one.start()
    for path in ("/", "/results", "/new"):
        reply = s.get(path)
        w.expect(reply.status == 200 and reply.seconds < 5, f"{path} beside 150 listeners: {reply}")
    for one in waiting:
        one.join(20)
    for sock in listening:
        sock.close()
    w.status(s.get(f"/api/v1/runs/{w.look}?wait=-1"), [400], "wait=-1")
    w.status(s.get(f"/api/v1/runs/{w.look}?wait=99999999999999999999999"), [400], "wait=10^23")


# --- paths ---

@attack
def paths_lead_nowhere_else(w):
    s = w.server
    up = ["/files/../../etc/passwd", "/files/%2e%2e/%2e%2e/etc/passwd", "/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/%2e%2e%2f%2e%2e%2fetc/passwd", "/static/../private/secret", "/static/..%2fprivate",
          "/static/%2e%2e/private/secret", "/static//etc/passwd", "//etc/passwd", "/files//etc/passwd", "/files/sha256/../../private/secret", "/graphs/..%2f..%2f..%2f..%2fetc%2fpasswd", "/records/../private/",
          "/files/%252e%252e/%252e%252e/etc/passwd", "/files/..%5c..%5cetc%5cpasswd", "/files/..\\..\\etc\\passwd", "/%00", "/files/%00", "/results%00.html", "/file/sha256/..%2f..%2fetc%2fpasswd", "/file/sha256/%2e%2e",
          f"/evaluation/{w.key}/file/../../../etc/passwd", "/evaluation/x/file/..", "/evaluation/a491128e6246dac7797f06c0948b708f/file/%2e%2e/%2e%2e/x", "/evaluation/a491128e6246dac7797f06c0948b708f/file//etc/passwd",
          "/evaluation/a491128e6246dac7797f06c0948b708f/file/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", f"/p/{w.look}/../../private/secret", f"/p/{w.look}/files/../run.json", f"/p/{w.look}/..%2frun.json", f"/p/{w.look}/%2e%2e/run.json",
          f"/p/{w.look}/file/sha256/..%2f..%2fetc", f"/p/{w.look}//etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/evaluations/..%2f..%2fetc", "/api/v1/evaluations/%00", "/queries/..%2f..", "/query/../x", "/sparql/../x",
          "/dataset/..%2f..%2f..%2fetc%2fpasswd", "/\U0001f600", "/evaluation/\U0001f600", "/system/%F0%9F%98%80", "/system/%ff%fe", "/%", "/%zz", "/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd", "/;/x", "/.git/config", "/.env",
          "/evaluation//", "/evaluation/.", "/evaluation/..", "/evaluation/%2F", "/" + "/" * 5_000, "/" + "a" * 8_192, "/" + "a/" * 4_000, "/" + "%41" * 2_700, "/evaluation/" + "../" * 2_000, "/" + "a" * 20_000]
    for path in up:
        for accept in ("text/html", "*/*"):
            reply = s.get(path, ("Accept", accept))
            w.status(reply, [0, 301, 303, 308, *REFUSED], f"GET {path[:70].replace(w.look, '<look>')} ({accept})")
            w.expect("root:x" not in reply.text, f"GET {path[:70]} tells what is in /etc/passwd")
            if reply.of("location"):
                w.expect(reply.of("location").startswith(s.url), f"GET {path[:70]} leads to {reply.of('location')[:80]}")
    for path in ("/" + "a" * 100_000, "/search?" + "a" * 100_000, "/new?" + "a=b&" * 20_000, "/" + "a/" * 50_000):
        reply = s.get(path)
        w.expect(reply.status in (0, 200, *REFUSED), f"a path of 100 kB {path[:12]}: {reply}")
    for path in ("//evil.example", "//evil.example/", "/\\evil.example/", "///evil.example/..", "/%2f%2fevil.example/", "/results//", "//evil.example/results/"):
        reply = s.get(path)
        place = reply.of("location")
        w.expect(not place or place.startswith(s.url), f"GET {path} leads to {place}")


@attack
def ten_thousand_names_of_nothing(w):
    s = w.server
    before, began, lock = rss(s.process.pid), time.monotonic(), threading.Lock()
    seen = collections.Counter()

    def ask(numbers):
        for start in range(0, len(numbers), 25):
            if time.monotonic() - began > 32:
                return
            batch = numbers[start:start + 25]
            kinds = ("evaluation/{:032x}", "system/n{}", "dataset/d{}/1", "comparison/{:032x}", "{}", "file/sha256/{:064x}", "submission/{:032x}/q")
            lines = [f"GET /{kinds[n % len(kinds)].format(n)} HTTP/1.1\r\nHost: {s.host}\r\nAccept: application/json\r\n" for n in batch]
            lines[-1] += "Connection: close\r\n"
            with s.connect(20) as sock:
                send_all(sock, ("\r\n".join(lines) + "\r\n").encode())
                told = receive(sock, time.monotonic() + 20)
            with lock:
                seen.update(re.findall(rb"HTTP/1\.1 (\d+) ", told))

    numbers = list(range(10_000))
    threads = [threading.Thread(target=ask, args=(numbers[at::6],)) for at in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    w.expect(set(seen) == {b"404"}, f"10,000 names of nothing: {dict(seen)}")
    w.expect(sum(seen.values()) > 3_000, f"only {sum(seen.values())} of 10,000 requests are answered within 32 s")
    grown = rss(s.process.pid) - before
    w.expect(grown < 200 << 20, f"{sum(seen.values())} names of nothing take {grown >> 20} MB for ever")


# --- requests of the server ---

@attack
def the_server_asks_nobody_nearby(w):
    port = w.listener.port
    six = None
    try:
        six = Listener(socket.AF_INET6, "::1")
    except OSError:
        pass
    fresh = os.path.join(w.root, "asking")
    shutil.copytree(w.fresh, fresh)
    s = Server(fresh, "--ask-public", env={"OPENAI_API_KEY": "sk-attack-secret", "HTTP_PROXY": "", "http_proxy": f"http://127.0.0.1:{port}/"})
    w.meter.servers.append(s)
    before = w.listener.seen
    try:
        hosts = [f"127.0.0.1:{port}", "localhost", f"localhost:{port}", f"LOCALHOST.:{port}", f"a.localhost:{port}", f"[::1]:{six.port if six else port}", f"[::ffff:127.0.0.1]:{port}", f"[::127.0.0.1]:{port}", f"2130706433:{port}",
                 f"0x7f.1:{port}", f"0x7f000001:{port}", f"017700000001:{port}", f"127.1:{port}", f"0:{port}", f"0.0.0.0:{port}", f"[::]:{port}", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "[fe80::1]", "[fc00::1]",
                 f"[64:ff9b::7f00:1]:{port}", f"[64:ff9b::a00:1]", f"[2002:7f00:1::]:{port}", "224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.0.1", f"127.0.0.1%00.evil.example:{port}", f"\uff11\uff12\uff17.0.0.1:{port}",
                 f"127\u30020.0.1:{port}", f"user:pw@127.0.0.1:{port}", f"evil.example@127.0.0.1:{port}", f"127.0.0.1:{port}#@evil.example", f"127.0.0.1:{port}\\@evil.example", "metadata.google.internal", f"ip6-localhost:{port}", f"{socket.gethostname()}:{port}"]
        addresses = [f"http://{host}/" for host in hosts]
        addresses += [f"{scheme}://127.0.0.1:{port}/" for scheme in ("ftp", "gopher", "dict", "ldap", "ws", "https")] + ["file:///etc/passwd", "http:///", "http://", "data:text/plain,x", "javascript:1", "", f"//127.0.0.1:{port}/", f"http:127.0.0.1:{port}/", f"http:/\\127.0.0.1:{port}/"]
        for address in addresses:
            if not address:
                continue
            reply = s.form("/api/v1/runs", [("gold", w.gold, "gold.json"), ("endpoint", address), ("system", "x")])
            if reply.status == 202:
                status = s.done(reply.json()["manage"].split("/")[-2])
                states = {one["state"] for one in status["evaluations"]}
                w.expect(states == {"failed"}, f"endpoint {address} is asked: {status}")
            else:
                w.status(reply, [422], f"endpoint {address}")
            w.expect("pw" not in re.sub(r"pw@|:pw", "", reply.text) or "user" not in address, f"endpoint {address} tells a password")
        w.expect(w.listener.seen == before, f"the server was made to connect {w.listener.seen - before} times to a listener of IPv4")
        w.expect(not six or six.seen == 0, "the server was made to connect to a listener of IPv6")
        for protocol in ("/etc/passwd", "../x.ttl", "none", "\x1b[31m"):
            reply = s.form("/api/v1/runs", [("gold", w.gold, "gold.json"), ("endpoint", "http://93.184.216.34/"), ("protocol", protocol)])
            w.status(reply, [422], f"protocol {protocol!r}")
    finally:
        s.end()
        w.meter.servers.remove(s)


@attack
def the_servers_keys_are_not_for_strangers(w):
    """A protocol that sends a variable of the server's environment must not be had with an address of a stranger's own.

    The form is only checked: nothing is asked.
    """
    fresh = os.path.join(w.root, "keys")
    shutil.copytree(w.fresh, fresh)
    s = Server(fresh, "--ask-public", env={"OPENAI_API_KEY": "sk-attack-secret"})
    try:
        fields = [("gold", w.gold, "gold.json"), ("endpoint", "http://93.184.216.34/v1"), ("system", "x"), ("only", "check")]
        reply = s.browser_form("/new", fields + [("protocol", "gerbil")])
        w.status(reply, [200], "a usual protocol at a public address")
        sent = [("protocol", "openai"), ("set", "model=m"), ("set", "instruction=i")]
        reply = s.browser_form("/new", fields + sent)
        w.status(reply, [422], "POST /new only=check endpoint=http://93.184.216.34/v1 protocol=openai (it sends `Authorization: Bearer {env:OPENAI_API_KEY}` to whoever is named)")
        w.expect("sk-attack-secret" not in reply.text + s.said(), "the key is told")
    finally:
        s.end()


# --- queries ---

CARTESIAN = "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6)) + " }"


@attack
def queries_change_and_fetch_nothing(w):
    s, port = w.server, w.listener.port
    before = w.listener.seen
    updates = ["LOAD <http://127.0.0.1:%d/>" % port, "LOAD <file:///etc/passwd>", "INSERT DATA { <a:a> <a:b> <a:c> }", "DROP ALL", "CLEAR ALL", "DELETE WHERE { ?s ?p ?o }", "CREATE GRAPH <a:a>"]
    for update in updates:
        w.status(s.sparql(update), REFUSED, f"{update} as a query")
        w.status(s.sparql(update, kind="application/sparql-update"), [403, 415], f"{update} as an update")
        w.status(s.sparql(urllib.parse.urlencode({"update": update}), kind="application/x-www-form-urlencoded"), [400, 403], f"{update} in a form")
        w.status(s.get("/sparql?" + urllib.parse.urlencode({"update": update})), [400, 403], f"{update} in an address")
        w.status(s.ask("PUT", "/sparql", [("Content-Type", "text/turtle")], "<a:a> <a:b> 1 ."), [405], "PUT")
    for query in (f"SELECT * {{ SERVICE <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}", f"SELECT * {{ SERVICE SILENT <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}", f"SELECT * {{ BIND(<http://127.0.0.1:{port}/> AS ?x) service ?x {{ ?s ?p ?o }} }}",
                  f"SELECT * {{ FILTER EXISTS {{ SERVICE<http://127.0.0.1:{port}/>{{}} }} }}", f"SELECT * {{ SER\\u0056ICE <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}", f"SELECT * {{ {{ SELECT * {{ SeRvIcE#\n<http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }} }} }}"):
        w.status(s.sparql(query), [400, 403, 422], query[:60])
    for query in ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", f"SELECT * FROM <http://127.0.0.1:{port}/graph/> {{ ?s ?p ?o }}", f"SELECT * FROM NAMED <http://127.0.0.1:{port}/> {{ GRAPH ?g {{ ?s ?p ?o }} }}", "SELECT * FROM <file:///graph/../etc/passwd> { ?s ?p ?o }",
                  f"SELECT * {{ GRAPH <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}", "DESCRIBE <file:///etc/passwd>"):
        reply = s.sparql(query)
        w.status(reply, [200, 400, 422], query[:60])
        w.expect("root:x" not in reply.text, f"{query[:60]} tells what is in /etc/passwd")
    for graph in ("file:///etc/passwd", f"http://127.0.0.1:{port}/", "x", "", "a" * 10_000):
        reply = s.get("/sparql?" + urllib.parse.urlencode({"query": "SELECT * { ?s ?p ?o }", "default-graph-uri": graph}))
        w.status(reply, [400, 422], f"default-graph-uri={graph[:30]}")
    w.expect(w.listener.seen == before, f"queries made {w.listener.seen - before} connections")
    for more in ("timeout=0", "timeout=-1", "timeout=99999999999999999999", "timeout=x", "format=x", "format=../x", "query=ASK%20%7B%7D", "canned=../../x", "canned=%00"):
        reply = s.get("/sparql?" + ("" if more.startswith("canned") else "query=ASK%20%7B%7D&") + more)
        w.status(reply, [400, 422], f"/sparql?query=…&{more}")


@attack
def deep_queries_are_refused(w):
    s = w.server
    queries = []
    deep = lambda begin, middle, end, times=1_000: begin * times + middle + end * times
    for name, query in (
        ("braces", "SELECT * " + deep("{", "", "}")), ("50,000 braces", "SELECT * " + "{" * 49_000), ("filters", "SELECT * { " + deep("FILTER(", "1", ")") + " }"), ("parentheses", "SELECT * { FILTER" + deep("(", "1", ")") + " }"),
        ("30,000 parentheses", "SELECT * { FILTER" + deep("(", "1", ")", 30_000) + " }"), ("negations", "SELECT * { FILTER(" + "!" * 90_000 + "1) }"), ("minus", "SELECT * { FILTER(" + "- " * 40_000 + "1) }"), ("plus", "SELECT (" + "1+" * 40_000 + "1 AS ?x) {}"),
        ("or", "SELECT * { FILTER(1" + "||1" * 30_000 + ") }"), ("paths", "SELECT * { ?a " + deep("(", "<a:a>", ")*") + " ?b }"), ("inverse paths", "SELECT * { ?a " + "^" * 50_000 + "<a:a> ?b }"), ("sequence", "SELECT * { ?a <a:a>" + "/<a:a>" * 15_000 + " ?b }"),
        ("lists", "SELECT * { ?a ?b " + deep("(", "", ")") + " }"), ("blank nodes", "SELECT * { ?a ?b " + deep("[ ?x ", "1", "]") + " }"), ("subqueries", "SELECT * " + deep("{ SELECT * ", "{}", "}")), ("optional", "SELECT * { " + deep("OPTIONAL { ", "", "}") + " }"),
        ("union", "SELECT * { {}" + " UNION {}" * 10_000 + " }"), ("minus groups", "SELECT * { " + deep("MINUS { ", "", "}") + " }"), ("exists", "SELECT * { " + deep("FILTER NOT EXISTS { ", "", "}") + " }"), ("graph", "SELECT * { " + deep("GRAPH ?g { ", "", "}") + " }"),
        ("calls", "SELECT (" + deep("IF(1,1,", "1", ")") + " AS ?x) {}"), ("casts", "SELECT (" + deep("STR(", "1", ")") + " AS ?x) {}"), ("coalesce", "SELECT (" + deep("COALESCE(", "1", ")") + " AS ?x) {}"), ("binds", "SELECT * { " + " ".join(f"BIND(1 AS ?x{n})" for n in range(5_000)) + " }"),
        ("optionals in a row", "SELECT * { " + "OPTIONAL{?a ?b ?c}" * 5_000 + " }"), ("values", "SELECT * { VALUES ?x { " + "1 " * 49_000 + "} }"), ("triples", "SELECT * { " + "?a ?b ?c." * 10_000 + " }"), ("quoted triples", "SELECT * { " + deep("<< ", "?a ?b ?c", " ?b ?c >>") + " ?p ?o }"),
        ("100 kB", "SELECT * { ?s ?p '" + "a" * 100_000 + "' }"), ("99 kB", "SELECT * { ?s ?p '" + "a" * 99_000 + "' }"), ("prefixes", "".join(f"PREFIX p{n}: <a:{n}>" for n in range(4_000)) + "SELECT * {}"), ("in", "SELECT * { FILTER(1 IN (" + "1," * 45_000 + "1)) }"),
        ("projection", "SELECT " + " ".join(f"?x{n}" for n in range(4_000)) + " { }"), ("construct", "CONSTRUCT { " + "?a ?b [] ." * 5_000 + " } { ?a ?b ?c }"), ("order", "SELECT * { ?a ?b ?c } ORDER BY " + "?a " * 20_000), ("NUL", "SELECT * { \x00 }"), ("open text", "SELECT * { '''" + "'" * 90_000),
    ):
        queries.append((name, query))

    def work():
        while queries:
            name, query = queries.pop()
            reply = s.sparql(query, timeout=25, seconds=1)
            w.status(reply, [200, 400, 413, 422, 504, 503], f"a query with {name}")
            w.expect(reply.seconds < 22, f"a query with {name} takes {reply.seconds:.1f} s")

    threads = [threading.Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


HARD = [
    ("a product", CARTESIAN), ("paths", "SELECT (COUNT(*) AS ?n) { ?a (<a:a>|<a:b>|!<a:c>)* ?b . ?b (!<a:d>)* ?c . ?c (^!<a:e>|!<a:e>)+ ?d }"), ("paths in graphs", "SELECT * { GRAPH ?g { ?a (!<a:c>|^!<a:c>)* ?b } GRAPH ?h { ?b (!<a:c>|^!<a:c>)* ?c } }"),
    ("a regular expression", 'SELECT * { BIND(REPEAT("a", 100) AS ?x) BIND("' + "a" * 5_000 + 'b" AS ?y) FILTER(REGEX(?y, "^(a+)+$")) ?s ?p ?o . ?t ?q ?r FILTER(REGEX(CONCAT(STR(?s), ?y), "(a|a|aa)*(.*)*(.*)*c$")) }'), ("a large regular expression", 'ASK { FILTER(REGEX("a", "((((a{1,1000}){1,1000}){1,1000}){1,1000})")) }'),
    ("10^12 rows", "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } LIMIT 1000000000000"), ("OFFSET", "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } OFFSET 100000000000 LIMIT 1"), ("CONSTRUCT", "CONSTRUCT { ?a ?e ?i . ?d ?b ?f . ?g ?h ?c . ?a ?b ?f } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"),
    ("ORDER", "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY RAND() ?a"), ("DISTINCT", "SELECT DISTINCT ?a ?d ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"), ("GROUP_CONCAT", "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?d), STR(?f))) AS ?x) { ?a ?b ?c . ?d ?e ?f }"),
    ("long texts", 'SELECT ?z { BIND("' + "a" * 1_000 + '" AS ?x0) ' + " ".join(f"BIND(CONCAT(?x{n},?x{n},?x{n},?x{n},?x{n},?x{n},?x{n},?x{n}) AS ?x{n + 1})" for n in range(9)) + " BIND(?x9 AS ?z) }"), ("MINUS", "SELECT * { ?a ?b ?c . ?d ?e ?f MINUS { ?x ?y ?c . ?a ?z ?f } }"),
    ("OPTIONAL", "SELECT * { OPTIONAL { ?a ?b ?c } OPTIONAL { ?d ?e ?f } OPTIONAL { ?g ?h ?i } OPTIONAL { ?j ?k ?l } }"), ("DESCRIBE", "DESCRIBE * { ?a ?b ?c . ?d ?e ?f }"), ("VALUES", "SELECT * { " + " ".join(f"VALUES ?v{n} {{ {'1 2 3 4 5 6 7 8 9 0 ' * 4} }}" for n in range(12)) + " }"),
]


@attack
def hard_queries_end(w):
    s = w.server
    # Some at a time: that they end is asked, not how fast.
    def one(name, query):
        reply = s.sparql(query, timeout=35, seconds=1)
        w.status(reply, [200, 400, 422, 503, 504], f"a hard query: {name}")
        w.expect(reply.seconds < 30, f"a hard query: {name} takes {reply.seconds:.1f} s")
    for start in range(0, len(HARD), 6):
        threads = [threading.Thread(target=one, args=pair) for pair in HARD[start:start + 6]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    w.expect(not (left := no_children(s, 10)), f"{len(left)} processes are left of hard queries")


@attack
def forty_queries_at_once(w):
    s = w.server
    replies, pages = [], []
    threads = [threading.Thread(target=lambda query=HARD[n % 2][1]: replies.append(s.sparql(query, timeout=38, seconds=1))) for n in range(40)]
    w.meter.recent = 0
    for one in threads:
        one.start()
    time.sleep(0.5)
    while any(one.is_alive() for one in threads) and len(pages) < 20:
        pages += [s.get(path, timeout=20) for path in ("/results", "/health")]
        time.sleep(0.5)
    for one in threads:
        one.join()
    counts = collections.Counter(reply.status for reply in replies)
    w.expect(set(counts) <= {503, 504, 422}, f"40 queries at once: {dict(counts)}")
    w.expect(counts[503] > 0, f"40 queries at once, and nobody is told to come again: {dict(counts)}")
    w.expect(w.meter.recent <= 4, f"40 queries at once have {w.meter.recent} processes")
    w.expect(all(page.status == 200 for page in pages) and max(page.seconds for page in pages) < 8, f"pages beside 40 queries: {sorted(pages, key=lambda page: page.seconds)[-3:]}")
    w.expect(not (left := no_children(s, 10)), f"{len(left)} processes are left of 40 queries")


@attack
def queries_that_nobody_waits_for_end(w):
    s = w.server
    for _ in range(12):
        sock = s.connect(5)
        send_all(sock, f"POST /sparql HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: application/sparql-query\r\nContent-Length: {len(CARTESIAN)}\r\n\r\n{CARTESIAN}".encode())
        time.sleep(0.1)
        sock.close()
    w.expect(not (left := no_children(s, 5)), f"{len(left)} processes work for nobody")
    reply = s.sparql("ASK {}")
    w.expect(reply.status == 200 and reply.seconds < 5, f"a query after those: {reply}")


@attack
def large_results_hold_up_nobody(w):
    s = w.server
    query = urllib.parse.urlencode({"query": "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 15000", "format": "html"})
    one = s.get(f"/sparql?{query}", ("Accept", "text/html"), timeout=30)
    w.status(one, [200, 422, 504], "a page of a result of 15,000 rows")
    replies, times = [], []
    threads = [threading.Thread(target=lambda: replies.append(s.get(f"/sparql?{query}", ("Accept", "text/html"), timeout=30))) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        times.append(s.get("/health", timeout=30).seconds)
        time.sleep(0.1)
    w.expect({reply.status for reply in replies} <= {200, 422, 503, 504}, f"large results: {replies}")
    w.expect(max(times) < 2, f"/health takes {max(times):.1f} s beside 4 pages of results of 15,000 rows")


# --- runs ---

@attack
def checks_that_nobody_waits_for_end(w):
    """One at a time is looked at, also where nobody waits for it."""
    s = w.server
    bomb = b'{"questions":[' + b",".join(b'{"id":"%d","question":[{"language":"en","string":"a"}],"answers":[]}' % at for at in range(400_000)) + b"]}"
    kind, body = multipart([("file", zlib.compress(bomb, 9, 31), "a.json.gz")])
    head = f"POST /api/v1/check HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    no_children(s, 5)
    w.meter.recent = 0
    for _ in range(6):
        sock = s.connect(10)
        send_all(sock, head + body)
        time.sleep(1)
        sock.close()
    most = w.meter.recent
    w.expect(most <= 1, f"6 checks that were sent and given up work at the same time in {most} processes (`--runs 1`), each with up to 2 GB")
    left = no_children(s, 4)
    w.expect(not left, f"{len(left)} checks work for nobody after 4 s")
    # They would disturb what follows.
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    time.sleep(1)
    parts = [name for name in s.private_folders() if name.startswith(".part-")]
    w.expect(not parts, f"checks that were given up leave {len(parts)} folders")


@attack
def the_same_key_begins_one_run(w):
    s = w.server
    before = [name for name in s.private_folders() if len(name) == 64]
    key = ("Idempotency-Key", "attack-1")
    first, again = (s.form("/api/v1/runs", w.run_fields(), key) for _ in range(2))
    w.expect(first.status == again.status == 202 and first.json()["run"] == again.json()["run"], f"the same form with the same key: {first}, {again}")
    other = w.run_fields(system=("system", "other"))
    w.status(s.form("/api/v1/runs", other, key), [400, 409, 422], "another form with the same key")
    for key in ("", " ", "a" * 10_000, "../../x", "\u00e4"):
        reply = s.form("/api/v1/runs", w.run_fields(), ("Idempotency-Key", key))
        w.status(reply, [202, 400, 422], f"the key {key[:20]!r}")
    after = [name for name in s.private_folders() if len(name) == 64]
    w.expect(len(after) - len(before) <= 6, f"{len(after) - len(before)} runs were begun")


@attack
def the_same_key_at_the_same_time_begins_one_run(w):
    archive = os.path.join(w.root, "at-once")
    shutil.copytree(w.fresh, archive)
    # Several files are looked at at a time: requests come to their end together.
    s = Server(archive, "--runs", "8")
    w.meter.servers.append(s)
    before = {name for name in s.private_folders() if len(name) == 64}
    replies = []
    for attempt in range(4):
        fields, key = w.run_fields(system=("system", f"at once {attempt}")), ("Idempotency-Key", f"attack-at-once-{attempt}")
        threads = [threading.Thread(target=lambda: replies.append(s.form("/api/v1/runs", fields, key))) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    counts = collections.Counter(reply.status for reply in replies)
    w.expect(set(counts) <= {202, 409, 422}, f"8 times the same form at once, with one key: {dict(counts)}; {[reply.text[:200] for reply in replies if reply.status == 500][:1]}")
    runs = {reply.json()["run"] for reply in replies if reply.status == 202}
    new = {name for name in s.private_folders() if len(name) == 64} - before
    w.expect(len(runs) == 4 and len(new) == 4, f"4 keys, {len(runs)} addresses, {len(new)} runs")
    time.sleep(0.5)
    parts = [name for name in s.private_folders() if name.startswith(".part-")]
    w.expect(not parts, f"requests at the same time leave {len(parts)} folders {parts[:2]}")
    s.end()
    w.meter.servers.remove(s)


@attack
def runs_can_be_deleted_while_they_run(w):
    s = w.server
    for at in range(12):
        look, manage = s.begin(w.run_fields(system=("system", f"deleted {at}")))
        time.sleep(at * 0.02)
        reply = s.ask("DELETE", f"/api/v1/runs/{manage}")
        w.status(reply, [204], f"DELETE a run after {at * 20} ms")
        for path in (f"/p/{look}/", f"/m/{manage}/", f"/api/v1/runs/{look}"):
            w.status(s.get(path), [404], f"GET {path[:3]}… of a deleted run")
        w.status(s.ask("DELETE", f"/api/v1/runs/{manage}"), [404], "DELETE twice")
    time.sleep(1)
    parts = [name for name in s.private_folders() if name.startswith(".part-")]
    w.expect(not parts, f"deleted runs leave {len(parts)} folders: {[(name[:14], os.listdir(os.path.join(s.archive, 'private', name))) for name in parts[:3]]}")
    w.expect(not (left := no_children(s, 5)), f"{len(left)} processes are left of deleted runs")


@attack
def killed_servers_lose_nothing(w):
    archive = os.path.join(w.root, "killed")
    shutil.copytree(w.fresh, archive)
    s = Server(archive)
    w.meter.servers.append(s)
    runs, kills, orphans = [], 0, 0
    big = w.borealis + b" " * (8 << 20)
    start = time.monotonic()
    try:
        for at in range(KILLS):
            if time.monotonic() - start > longest(killed_servers_lose_nothing) - 4:
                break
            if at % 3 == 0:
                kind, body = multipart([("gold", w.gold, "gold.json"), ("answers", big, f"upload{at}.json")])
                sock = s.connect(5)
                send_all(sock, f"POST /api/v1/runs HTTP/1.1\r\nHost: {s.host}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:RANDOM.randrange(len(body))])
                time.sleep(RANDOM.random() * 0.1)
            else:
                answers = w.borealis.replace(b'"id": 2,', f'"id": 2, "attack": {at},'.encode()).replace(b'"questions"', f'"attack": {at}, "questions"'.encode(), 1)
                fields = w.run_fields(answers=("answers", answers, f"killed{at}.json"), system=("system", f"killed {at}"), **(WISH if at % 6 == 2 else {}))
                sock = None
                runs.append((s.begin(fields), at))
                # Some are killed when they are scored, some when they are verified and published.
                time.sleep(RANDOM.random() * (2 if at % 6 == 2 else 0.15))
            workers = children(s.process.pid)
            s.process.send_signal(signal.SIGKILL)
            s.process.wait()
            kills += 1
            if sock:
                sock.close()
            until = time.monotonic() + 3
            while any(os.path.exists(f"/proc/{pid}/exe") for pid in workers) and time.monotonic() < until:
                time.sleep(0.02)
            orphans += sum(os.path.exists(f"/proc/{pid}/exe") for pid in workers)
            s.start()
            # What was sent, or made, in part is gone when the server is there.
            left = [name for name in s.private_folders() if name.startswith(".part-")]
            w.expect(not left, f"after SIGKILL {at} ({'upload' if sock else 'run'}): {left} is left after the restart")
            whole = [name for name in s.private_folders() if len(name) == 64]
            partial = [name for name in whole if not os.path.isfile(os.path.join(archive, "private", name, "run.json"))]
            w.expect(not partial, f"after SIGKILL {at}: {len(partial)} runs without state")
            w.expect(len(whole) == len(runs), f"after SIGKILL {at}: {len(whole)} runs, and {len(runs)} were begun")
            if at % 20 == 19 and at + 1 < KILLS:
                # The queue has an end: what waits is done before more is sent.
                s.done(runs[-1][0][1], 60)
            public = s.get("/api/v1/evaluations")
            w.expect(public.status == 200 and public.json()["count"] <= 1 + sum(at % 6 == 2 for _, at in runs), f"after SIGKILL {at}: {public}")
        w.expect(kills == KILLS, f"there was time for {kills} of {KILLS} times")
        w.expect(orphans == 0, f"{orphans} processes outlive a server that was killed by 3 s")
        w.killed = archive, runs
    finally:
        s.end()
        w.meter.servers.remove(s)
    w.expect("panicked" not in s.said(), f"a panic: {s.said()[-500:]}")


@attack
def runs_of_killed_servers_are_done_by_the_next(w):
    if not w.killed:
        killed_servers_lose_nothing(w)
    archive, runs = w.killed
    start = time.monotonic()
    s = Server(archive)
    w.meter.servers.append(s)
    try:
        for (_, manage), at in runs:
            status = s.done(manage, max(1, start + longest(runs_of_killed_servers_are_done_by_the_next) - 10 - time.monotonic()))
            states = [one["state"] for one in status.get("evaluations", [])]
            w.expect(states == ["done"], f"run {at} after SIGKILL: {states or status}")
            wanted = "published" if at % 6 == 2 else "private"
            until = time.monotonic() + 20
            while status.get("publication") in ("wanted", "publishing") and time.monotonic() < until:
                time.sleep(0.2)
                status = s.get(f"/api/v1/runs/{manage}").json()
            w.expect(status.get("publication") == wanted, f"run {at} after SIGKILL: {status.get('publication')} {status.get('refused')}")
        expected = {"aurora"} | {f"killed {at}" for _, at in runs if at % 6 == 2}
        until = time.monotonic() + 10
        systems = set()
        while systems != expected and time.monotonic() < until:
            systems, following = set(), "/api/v1/evaluations"
            while following:
                page = s.get(following).json()
                systems |= {name for one in page["evaluations"] for name in one["systems"]}
                following = page.get("next") and "/" + page["next"].split("/", 3)[3]
            time.sleep(0.3)
        w.expect(systems == expected, f"public after SIGKILL: {sorted(systems ^ expected)}")
    finally:
        s.end()
        w.meter.servers.remove(s)
    verified = subprocess.run([BINARY, "verify", "--archive", archive], capture_output=True, text=True, timeout=longest(runs_of_killed_servers_are_done_by_the_next))
    w.expect(verified.returncode in (0, 3), f"verify gives {verified.returncode}: {(verified.stdout + verified.stderr)[-600:]}")


@attack
def killed_publications_are_whole_or_none(w):
    archive = os.path.join(w.root, "published")
    shutil.copytree(w.fresh, archive)
    s = Server(archive)
    w.meter.servers.append(s)
    verify = lambda: subprocess.run([BINARY, "verify", "--archive", archive, "--no-reexecution"], capture_output=True, text=True, timeout=20)
    try:
        _, manage = s.begin(w.run_fields(system=("system", "killed"), **WISH))
        for seconds in (0.3, 1, 3):
            time.sleep(seconds)
            s.process.send_signal(signal.SIGKILL)
            s.process.wait()
            if seconds == 3:
                verified = verify()
                w.expect(verified.returncode in (0, 3), f"verify after SIGKILL {seconds} s into a publication gives {verified.returncode}: {(verified.stdout + verified.stderr)[-400:]}")
            s.start()
            listed = s.get("/api/v1/evaluations").json()
            status = s.get(f"/api/v1/runs/{manage}").json()
            w.expect(listed["count"] == 1 or status["publication"] in ("published", "wanted"), f"after SIGKILL: {listed['count']} public, and the run is {status['publication']}")
            w.expect(not (left := [name for name in s.private_folders() if name.startswith(".part-")]), f"after SIGKILL: {left} is left")
        status = s.done(manage, 20)
        w.expect(status["publication"] == "published", f"a publication after SIGKILL: {status['publication']}, {status['refused']}")
        for _ in range(30):
            listed = s.get("/api/v1/evaluations").json()
            if listed["count"] == 2:
                break
            time.sleep(0.2)
        w.expect(listed["count"] == 2, f"after a publication {listed['count']} evaluations are public")
    finally:
        s.end()
        w.meter.servers.remove(s)
    verified = verify()
    w.expect(verified.returncode in (0, 3), f"verify gives {verified.returncode}: {(verified.stdout + verified.stderr)[-600:]}")


@attack
def keys_are_known_after_a_restart(w):
    archive = os.path.join(w.root, "restarted")
    shutil.copytree(w.fresh, archive)
    s = Server(archive)
    try:
        key = ("Idempotency-Key", "attack-restart")
        first = s.form("/api/v1/runs", w.run_fields(), key)
        s.end()
        s.start()
        again = s.form("/api/v1/runs", w.run_fields(), key)
        runs = [reply.json().get("run", "").split("/")[-1] for reply in (first, again)]
        w.expect(runs[0] == runs[1], f"the same form with the same key after a restart: {first}, {again}")
        s.end()
        s.start()
        other = s.form("/api/v1/runs", w.run_fields(system=("system", "other")), key)
        w.status(other, [400, 409, 422], "another form with the same key after a restart")
    finally:
        s.end()


@attack
def stopped_runs_stay_stopped(w):
    """What somebody stopped does not run because the server began again."""
    archive = os.path.join(w.root, "stopped")
    shutil.copytree(w.fresh, archive)
    s = Server(archive)
    try:
        # A long queue, so that the last is stopped while it waits.
        s.begin([("gold", w.gold, "gold.json"), ("profile", ",".join(["qassay", "gerbil"]))] + [("answers", w.borealis, f"{at}.json") for at in range(9)])
        look, manage = s.begin(w.run_fields())
        stopped = s.ask("POST", f"/api/v1/runs/{manage}/stop")
        w.status(stopped, [200], "stop")
        was = [one["state"] for one in stopped.json()["evaluations"]]
        s.end()
        s.start()
        status = s.done(manage)
        w.expect(was != ["stopped"] or [one["state"] for one in status["evaluations"]] == ["stopped"], f"a run that was stopped while it waited is {status['evaluations'][0]['state']} after a restart")
    finally:
        s.end()


# --- injection ---

EVIL = ['<script>zq(1)</script>', '"><img src=zq onerror=zq(2)>', "'><svg onload=zq(3)>", "javascript:zq(4)", "</title><script>zq(5)</script>", "</script><script>zq(6)</script>", "<!--", "]]><zq>", "&lt;zq&gt;<zq>", "{{7*7}}<zq>"]
OPENED = re.compile(r"<script>zq|<img src=zq|<svg onload=zq|<zq>|href=\"javascript:zq|</title><script|onerror=zq\(2\)>", re.I)


def has_tags(text):
    """What a browser would take for a tag of somebody else."""
    found = OPENED.search(text)
    return text[max(0, found.start() - 60):found.end() + 30] if found else None


@attack
def names_are_never_tags(w):
    s = w.server
    fields = [("gold", w.gold.replace(b"Which capitals", b"<script>zq(9)</script>Which <zq>capitals"), "gold<script>zq(8)<script>.json")]
    for at, name in enumerate(EVIL[:9]):
        fields += [("answers", w.borealis.replace(b"Q1741", b"Q1741" + b"0" * at), f"{at}<img src=zq onerror=zq(2)>.json"), ("system", name)]
    reply = s.form("/api/v1/runs", fields)
    if not w.status(reply, [202], "a run of systems with names that are tags"):
        return
    begun = reply.json()
    look, manage = (begun[name].split("/")[-2] for name in ("look", "manage"))
    status = s.done(manage)
    keys = [one["key"] for one in status["evaluations"] if one.get("key")]
    w.expect(len(keys) == 9, f"{len(keys)} of 9 systems with names that are tags are scored: {[one for one in status['evaluations'] if not one.get('key')][:1]}")
    pages = [f"/m/{manage}/"] + [f"/p/{look}/{page}" for page in ("", "run", "results", "systems", "datasets", "search", "comparisons")]
    pages += [f"/p/{look}/evaluation/{key}" for key in keys[:4]]
    links = set()
    for path in pages:
        reply = s.get(path, ("Accept", "text/html"))
        w.status(reply, [200], f"GET {path.replace(look, '<look>').replace(manage, '<manage>')}")
        links.update(re.findall(r'href="([^"#?]+)"', reply.text))
        w.expect(not has_tags(reply.text), f"GET {path.replace(look, '<look>').replace(manage, '<manage>')}: {has_tags(reply.text)!r}")
        w.expect("script-src 'self'" in reply.of("content-security-policy"), f"GET {path[:4]}…: Content-Security-Policy {reply.of('content-security-policy')}")
    for link in sorted(links)[:12]:
        path = urllib.parse.urljoin(f"{s.url}p/{look}/evaluation/x", link)
        if path.startswith(s.url):
            reply = s.get(path[len(s.url) - 1:].replace(" ", "%20"), ("Accept", "text/html"))
            w.expect(reply.status < 500 and (not has_tags(reply.text) or "html" not in reply.of("content-type")), f"GET {path[len(s.url):].replace(look, '<look>')}: {reply} {has_tags(reply.text)!r}")
    reply = s.get(f"/p/{look}/search.json")
    w.expect("json" in reply.of("content-type"), f"search.json is {reply.of('content-type')}")
    for name in ("a\u202egnp.exe", "a\u2066b"):
        reply = s.form("/api/v1/runs", w.run_fields(system=("system", name)))
        w.status(reply, [202, 422], f"a system called {name!r}")
        if reply.status == 202:
            look = reply.json()["look"].split("/")[-2]
            s.done(look)
            for page in ("run", "results"):
                text = s.get(f"/p/{look}/{page}", ("Accept", "text/html")).text
                at = text.find(name[1])
                w.expect(at < 0, f"GET /p/<look>/{page}: {name!r} is there as it is, and turns what stands behind it: {text[max(0, at - 60):at + 30]!r}")


@attack
def what_is_sent_comes_back_as_text(w):
    s, quote = w.server, urllib.parse.quote
    for evil in EVIL + ["\u202e", "\x00", "\x1b[31m", "a\r\nX-Injected: y"]:
        for path in ("/new?words={}", "/new?system={}", "/new?title={}&creator={}", "/new?{}=x", "/new?profile={}", "/new?dataset={}", "/sparql?query={}", "/sparql?query={}&format=html", "/sparql?query=ASK%7B%7D&format={}", "/sparql?canned={}", "/search?q={}", "/results?x={}", "/{}",
                     "/evaluation/{}", "/system/{}", "/check?against={}", "/sparql?query=ASK%7B%7D&default-graph-uri={}", "/sparql?query=ASK%7B%7D&timeout={}", "/p/{}/", "/m/{}/", "/api/v1/{}", "/api/v1/runs/{}", "/api/v1/evaluations?after={}"):
            reply = s.get(path.replace("{}", quote(evil, safe="")), ("Accept", "text/html"))
            w.expect(reply.status < 500 and reply.status, f"GET {path} with {evil[:30]!r}: {reply}")
            w.expect("html" not in reply.of("content-type") or not has_tags(reply.text), f"GET {path} with {evil[:30]!r}: {has_tags(reply.text)!r}")
            w.expect(not reply.of("x-injected"), f"GET {path} with {evil[:30]!r} makes a header")
            w.expect("html" not in reply.of("content-type") or "\x00" not in reply.text and "\x1b" not in reply.text, f"GET {path} with {evil[:30]!r}: a control character comes back")
    for raw in (b"/<script>zq(1)</script>", b"/new?words=<script>zq(1)</script>", b"/sparql?query=<script>zq(1)</script>", b"/search?q=\"><zq>"):
        reply = s.get(raw, ("Accept", "text/html"))
        w.expect(reply.status < 500 and not has_tags(reply.text), f"GET {raw!r}: {reply} {has_tags(reply.text)!r}")
    # The form comes back with what was sent.
    for evil in EVIL[:7]:
        for path, sent in (("/new", [("gold", b"{", f"g{evil}.json"), ("answers", b"{", f"a{evil}.json"), ("system", evil), ("title", evil), ("creator", evil), ("licence", evil), ("profile", evil), ("language", evil), (evil.replace('"', "%22"), "x")]),
                           ("/new", [("gold", w.gold, "g.json"), ("answers", w.borealis, f"{evil}.json"), ("system", evil), ("title", evil), ("only", "check")]), ("/new", [("only", "find"), ("words", evil), ("system", evil), ("title", evil)]),
                           ("/check", [("file", evil.encode(), f"{evil}.json")]), ("/check", [("file", w.borealis.replace(b"Danube", evil.replace('"', "").encode()), f"{evil}.json"), ("encoding", evil)]), ("/check", [("file", b"{}", "a.json"), ("against", evil)]),
                           (f"/m/{w.manage}/", [("do", evil)]), (f"/m/{w.manage}/", [("do", "publish"), ("creator", evil), ("licence", evil)]), (f"/m/{w.manage}/", [("do", "withdraw"), ("reason", evil)])):
            reply = s.browser_form(path, sent)
            w.status(reply, [200, 400, 422, 404], f"POST {path[:6]} with {evil[:30]!r} in {sent[0][0]}")
            w.expect("html" not in reply.of("content-type") or not has_tags(reply.text), f"POST {path[:6]} with {evil[:30]!r}: {has_tags(reply.text)!r}")


@attack
def idle_connections_are_closed(w):
    """Who holds back his headers, from the beginning of these attacks on, is sent away at some time: files are not endless."""
    waited = time.monotonic() - w.idle_since
    if waited < 100 and ONLY:
        time.sleep(min(38, 100 - waited))
        waited = time.monotonic() - w.idle_since
    w.idle.settimeout(0.5)
    try:
        is_open = w.idle.recv(1 << 16) == b"x"
    except socket.timeout:
        is_open = True
    except ConnectionError:
        is_open = False
    w.expect(not is_open, f"a connection that sent `GET / HTTP/1.1 Host: ` and nothing more is open after {waited:.0f} s")


@attack
def nothing_is_left(w):
    s = w.server
    w.expect(not (left := no_children(s, 10)), f"{len(left)} processes are left")
    parts = [name for name in s.private_folders() if name.startswith(".part-")]
    kept = len(parts)
    log = s.said()
    w.expect("panicked" not in log, f"there are panics in the log: {[line for line in log.splitlines() if 'panicked' in line][:3]}")
    w.expect(kept <= 110, f"{kept} folders of files are left")
    w.expect(w.listener.seen == 0, f"the listener has seen {w.listener.seen} connections")
    pid = s.process.pid
    w.expect(files_open(pid) < 200, f"{files_open(pid)} files are open")
    w.idle.close()
    began = time.monotonic()
    s.process.terminate()
    try:
        code = s.process.wait(15)
        w.expect(code == 0, f"SIGTERM gives {code}")
    except subprocess.TimeoutExpired:
        w.expect(False, "SIGTERM does not end it within 15 s")
    w.expect(time.monotonic() - began < 14, "SIGTERM takes long")


def too_long(*_):
    raise TooLong


def longest(one):
    """The seconds that an attack may take."""
    return LONGEST * max(6, KILLS // 5 - 1) // 2 if "killed_servers" in one.__name__ else LONGEST


def main():
    w = World()
    signal.signal(signal.SIGALRM, too_long)
    began, failures, count = time.monotonic(), [], 0
    for one in ATTACKS:
        name = one.__name__
        if ONLY and not any(name.startswith(word) for word in ONLY):
            continue
        if not w.server.process.poll() is None and one is not nothing_is_left:
            # One crash is told where it happened; the others are to be tried, too.
            w.server.start()
        count += 1
        w.wrong = []
        start = time.monotonic()
        signal.alarm(longest(one))
        try:
            one(w)
        except TooLong:
            w.wrong.append(f"it took longer than {longest(one)} s")
        except Exception as error:  # An attack that cannot be made has failed.
            line = error.__traceback__
            while line.tb_next:
                line = line.tb_next
            w.wrong.append(f"{type(error).__name__}: {str(error)[:300]} (line {line.tb_lineno})")
        signal.alarm(0)
        if one is not nothing_is_left:
            if w.server.process.poll() is not None:
                w.wrong.append(f"THE SERVER ENDED with {w.server.process.returncode}: {w.server.said()[-400:]!r}")
            else:
                try:
                    health = w.server.get("/health", timeout=10)
                    if health.status != 200 or health.seconds > 3:
                        w.wrong.append(f"/health afterwards: {health}")
                except OSError as error:
                    w.wrong.append(f"/health afterwards: {error}")
        seconds = time.monotonic() - start
        if max(w.meter.of_server, w.meter.of_child) > 3 * GIGABYTE and not any(told.startswith("memory") for _, all_ in failures for told in all_):
            w.wrong.append(f"memory: {w.meter.of_server >> 20} MB of the server, {w.meter.of_child >> 20} MB of a child")
        print(f"{'FAILS' if w.wrong else 'ok   '} {name} ({seconds:.1f} s)", file=sys.stderr, flush=True)
        if w.wrong:
            failures.append((name, w.wrong))
    for server in w.meter.servers:
        server.end()
    for name, wrong in failures:
        print(f"{name}:")
        for told in list(dict.fromkeys(wrong))[:12]:
            print(f"  - {told[:700]}")
        if len(wrong) > 12:
            print(f"  … {len(wrong)} in all")
    meter = w.meter
    print(f"max RSS: server {meter.of_server >> 20} MB, a child {meter.of_child >> 20} MB, together {meter.of_all >> 20} MB; {meter.most_children} children at most; {time.monotonic() - began:.0f} s")
    print(f"{count} attacks, {len(failures)} failures")
    if os.environ.get("ATTACK_KEEP"):
        print(f"kept: {w.root} {w.server.log.name}", file=sys.stderr)
    else:
        shutil.rmtree(w.root, ignore_errors=True)
        os.unlink(w.server.log.name)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
