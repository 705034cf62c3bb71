"""Servers on this machine."""

import http.server
import json
import re
import threading
import urllib.parse


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of a folder."""

    def log_message(self, *_):
        pass


class Endpoint(http.server.BaseHTTPRequestHandler):
    """An endpoint whose replies are a function of the text of the query."""

    def __init__(self, asked, *rest):
        self.asked = asked
        super().__init__(*rest)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        query = urllib.parse.parse_qs(body).get("query", [body])[0]
        self.asked.append(f"{self.path} {self.headers['Accept']} {query}")
        reply = json.dumps(self.reply(query)).encode()
        self.send_response(200 if self.path == "/sparql" else 404)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    @staticmethod
    def reply(query):
        if re.search(r"\bASK\b", query):
            return {"head": {}, "boolean": len(query) % 2 == 0}
        given = re.search(r"VALUES[\s(]+\?resource[\s)]*\{([^}]*)\}", query)
        rows = []
        for iri in re.findall(r"<([^>]+)>", given[1])[::2] if given else []:
            other = {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{len(iri)}"}
            if "abel" in query:
                other = {"type": "literal", "value": iri.rpartition("/")[2].replace("_", " "), "xml:lang": "en"}
            elif "subClassOf" in query or "sameAs" not in query:
                other["value"] = f"http://dbpedia.org/ontology/Class{len(iri) % 5}"
            rows.append({"resource": {"type": "uri", "value": iri}, "other": other})
        variables = ["resource", "other"]
        if not given:
            variables = re.findall(r"\?(\w+)", re.split(r"\bWHERE\b|\{", query, flags=re.I)[0])[-1:] or ["x"]
            names = ["Vienna", "Budapest", "Bratislava", "Belgrade"][:1 + len(query) % 4]
            rows = [{variables[0]: {"type": "uri", "value": f"http://dbpedia.org/resource/{name}"}} for name in names]
        return {"head": {"vars": variables}, "results": {"bindings": rows}}

    def log_message(self, *_):
        pass


class served:
    """A server for a while."""

    def __init__(self, handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
