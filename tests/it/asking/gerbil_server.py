"""A service for GERBIL's protocol as somebody may write it: it knows nothing of qassay. Prints its address, then serves."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

ANSWERS = {
    ("Which river flows through Köln?", "en"): ["http://dbpedia.org/resource/Rhine"],
    ("Welche Städte liegen am Rhein & an der Mosel?", "de"): ["http://dbpedia.org/resource/Koblenz"],
}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        question, language = form["query"][0], form["lang"][0]
        found = ANSWERS.get((question, language))
        if found is None:
            return self.send_error(500, "no such question")
        bindings = [{"uri": {"type": "uri", "value": value}} for value in found]
        answers = [{"head": {"vars": ["uri"]}, "results": {"bindings": bindings}}]
        questions = [{"id": "1", "question": [{"language": language, "string": question}], "answers": answers}]
        body = json.dumps({"questions": questions}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdout.close()
server.serve_forever()
