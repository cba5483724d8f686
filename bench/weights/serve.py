"""Real models with OpenAI's interface on one port: Whisper, a small GGUF model, MiniLM's vectors. Loaded are those that
the environment names: MODELS (the folder of whisper-base), GGUF (a file), MINILM (a folder). THREADS each (default: 2 for
Whisper, 1 for the GGUF model). Usage: FOLDER/venv/bin/python serve.py PORT
"""

import io
import json
import os
import sys
import threading
import wave
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from minilm import MiniLM
from whisper import RATE_HZ, ShortWhisper

THREADS = os.environ.get("THREADS")
ROLES = ("system", "developer", "user", "assistant")
PASSED_ON = ("temperature", "max_tokens", "stop")


def form(content_type: str, body: bytes) -> dict[str, bytes]:
    message = message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in message.get_payload()}


def transcription(whisper: ShortWhisper, fields: dict[str, bytes]) -> dict:
    with wave.open(io.BytesIO(fields["file"])) as file:
        rate_hz = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    language = fields.get("language", b"en").decode()[:2]
    text = whisper.transcribe(samples, rate_hz, language, fields.get("prompt", b"").decode())
    return {"text": text, "language": language, "duration": len(samples) / rate_hz}


def vectors(minilm: MiniLM, wanted: dict) -> dict:
    texts = wanted["input"] if isinstance(wanted["input"], list) else [wanted["input"]]
    data = [{"object": "embedding", "index": index, "embedding": minilm.vector(text).tolist()} for index, text in enumerate(texts)]
    return {"object": "list", "model": wanted.get("model"), "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def load() -> tuple:
    whisper = llama = minilm = None
    if os.environ.get("MODELS"):
        whisper = ShortWhisper(os.path.join(os.environ["MODELS"], "whisper-base"), int(THREADS or 2))
    if os.environ.get("GGUF"):
        from llama_cpp import Llama

        llama = Llama(os.environ["GGUF"], n_ctx=4096, n_threads=int(THREADS or 1), verbose=False)
    if os.environ.get("MINILM"):
        minilm = MiniLM(os.environ["MINILM"])
    return whisper, llama, minilm


WHISPER, LLAMA, MINILM = load()
# A model computes for one request at a time, as it has its threads for one.
TURNS = {"whisper": threading.Lock(), "llama": threading.Lock()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_) -> None:
        pass

    def answer(self, value: dict, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")
        self.wfile.flush()

    def chat(self, wanted: dict) -> None:
        options = {key: wanted[key] for key in PASSED_ON if key in wanted}
        messages = [
            {"role": "system" if message["role"] == "developer" else message["role"], "content": message.get("content") or ""}
            for message in wanted["messages"]
            if message["role"] in ROLES
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        with TURNS["llama"]:
            for piece in LLAMA.create_chat_completion(messages, stream=True, **options):
                self.chunk(b"data: " + json.dumps(piece).encode() + b"\n\n")
        self.chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def do_GET(self) -> None:
        self.answer({"data": [{"id": "whisper-1"}, {"id": "local"}]})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            if self.path.endswith("/audio/transcriptions") and WHISPER:
                with TURNS["whisper"]:
                    self.answer(transcription(WHISPER, form(self.headers["content-type"], body)))
            elif self.path.endswith("/embeddings") and MINILM:
                self.answer(vectors(MINILM, json.loads(body)))
            elif self.path.endswith("/chat/completions") and LLAMA:
                self.chat(json.loads(body))
            else:
                self.answer({"error": {"message": "no such path, or its model is not loaded"}}, 404)
        except (BrokenPipeError, ConnectionResetError):
            pass  # The service has dropped the request.


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
