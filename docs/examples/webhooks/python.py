"""A webhook receiver for Python 3 without dependencies: WEBHOOK_SECRET=whsec_... PORT=3000 python3 python.py
Put it behind a TLS proxy: webhooks are delivered to HTTPS only. Start it without WEBHOOK_SECRET to create the webhook
(the secret is in the answer), then again with it."""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
SECRET = os.environ.get("WEBHOOK_SECRET", "")
KEY = hashlib.sha256(SECRET.encode()).digest()
seen = set()  # In production: a unique column in your database.


def verify(headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    for entry in headers.get("webhook-signature", "").split(" "):
        version, _, signature = entry.partition(",")
        if version == "v1" and hmac.compare_digest(signature, expected):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        # Before there is a secret, the probe of the creation is all that is taken; it carries nothing.
        first_probe = SECRET == "" and b'"type":"webhook.probe"' in body
        ok = first_probe or (SECRET != "" and verify(self.headers, body))
        self.send_response(204 if ok else 401)
        self.send_header("content-length", "0")
        self.end_headers()
        if first_probe or not ok:
            return
        event = json.loads(body)
        if event["id"] in seen:  # Deliveries are at least once.
            return
        seen.add(event["id"])
        print(event["type"], event["id"], event["data"].get("id", ""), flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"listening on {server.server_address[1]}", flush=True)
server.serve_forever()
