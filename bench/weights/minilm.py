"""all-MiniLM-L6-v2 from its safetensors in numpy: 384 numbers a text, the mean of its tokens, of length 1."""

import json
import math
import os
import struct

import numpy as np
from tokenizers import Tokenizer

LAYERS, HEADS, HEAD_SIZE = 6, 12, 32
MOST_TOKENS = 256
gelu_erf = np.vectorize(math.erf)


class MiniLM:
    def __init__(self, folder: str) -> None:
        with open(os.path.join(folder, "model.safetensors"), "rb") as file:
            head = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
            data = file.read()
        kinds = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
        self.weights = {
            name: np.frombuffer(data[slice(*of["data_offsets"])], kinds[of["dtype"]]).reshape(of["shape"])
            for name, of in head.items()
            if name != "__metadata__"
        }
        self.tokens = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokens.enable_truncation(MOST_TOKENS)
        self.tokens.no_padding()

    def linear(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x: np.ndarray, name: str) -> np.ndarray:
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) / np.sqrt(variance + 1e-12) * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def layer(self, x: np.ndarray, name: str) -> np.ndarray:
        heads = (
            self.linear(x, f"{name}.attention.self.{part}").reshape(len(x), HEADS, HEAD_SIZE).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        query, key, value = heads
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(HEAD_SIZE)
        attention = np.exp(scores - scores.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        mixed = (attention @ value).transpose(1, 0, 2).reshape(len(x), -1)
        x = self.norm(x + self.linear(mixed, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        hidden = self.linear(x, f"{name}.intermediate.dense")
        hidden = hidden * 0.5 * (1 + gelu_erf(hidden / math.sqrt(2)))
        return self.norm(x + self.linear(hidden, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def vector(self, text: str) -> np.ndarray:
        ids = self.tokens.encode(text).ids
        embedded = self.weights["embeddings.word_embeddings.weight"][ids]
        embedded = embedded + self.weights["embeddings.position_embeddings.weight"][: len(ids)]
        x = self.norm(embedded + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for index in range(LAYERS):
            x = self.layer(x, f"encoder.layer.{index}")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)
