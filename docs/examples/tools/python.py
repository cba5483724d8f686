"""A system that the agents ask: an order by its number, and who calls. Python 3.9 without packages; PORT, default 8090.

Behind it stands your own database: here two orders in a dictionary.
"""
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ.get("TOOL_TOKEN", "change-me")
ORDERS = {
    "4711": {"state": "shipped", "arrives": "Tuesday"},
    "4712": {"state": "packed", "arrives": "Friday"},
}
CUSTOMERS = {"+12025550143": {"customer": "Ada Lovelace", "tier": "gold"}}
# Answers by Idempotency-Key: what is asked twice is done once. Yours belong into a table that is pruned each day.
answered = {}


def answer(path, body):
    if path == "/orders":
        order = ORDERS.get(str(body.get("number")))
        if order is None:
            return {"say": "I cannot find an order with that number.", "state": "unknown"}
        return {"say": f"Your order is {order['state']} and arrives on {order['arrives']}.", **order}
    if path == "/who-calls":
        caller = body.get("toNumber") if body.get("direction") == "outbound" else body.get("fromNumber")
        return {"variables": CUSTOMERS.get(caller, {})}
    return None


class Tools(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = min(int(self.headers.get("content-length") or 0), 100_000)
        text = self.rfile.read(length)
        if self.headers.get("authorization") != f"Bearer {TOKEN}":
            return self.send(401, {"error": "wrong token"})
        key = self.headers.get("idempotency-key")
        if key in answered:
            return self.send(200, answered[key])
        try:
            body = json.loads(text or b"{}")
        except ValueError:
            return self.send(400, {"error": "no JSON"})
        found = answer(self.path.split("?")[0], body)
        if found is None:
            return self.send(404, {"error": "no such tool"})
        answered[key] = found
        return self.send(200, found)

    def send(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8090"))), Tools)
    print(f"listening on port {server.server_address[1]}", flush=True)
    server.serve_forever()
