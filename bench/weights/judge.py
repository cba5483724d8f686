"""Counts the words that Whisper base mishears of recordings, by category, with the scoring of their set: OUT/ID.wav at
8 kHz and OUT/manifest.jsonl (id, category, text), as `npm run bench -- voice` writes them. Writes OUT/judged.json. --show
prints each sentence that was misheard. Beside each figure stands the same with the words spelled alike. Usage: FOLDER/venv/bin/python judge.py FOLDER [--show] OUT
"""

import json
import os
import re
import sys
import types
import wave

import numpy as np
from faster_whisper import WhisperModel
from scipy.signal import resample_poly

THREADS = 2


def scoring_of(folder: str):
    """The set's own scoring, without the rest of its package."""
    with open(os.path.join(folder, "sentences", "scoring.py")) as file:
        source = re.sub(r"^from handset_bench\S+ import \([^)]*\)", "", file.read(), flags=re.M)
    names = "PARAKEET_MODEL = PARAKEET_REVISION = WHISPER_MODEL = WHISPER_REVISION = ''\n"
    future, rest = source.split("from __future__ import annotations\n", 1)
    module = types.ModuleType("scoring")
    sys.modules["scoring"] = module
    exec(f"{future}from __future__ import annotations\n{names}{rest}", module.__dict__)
    return module.utterance_errors


def samples_of(path: str) -> np.ndarray:
    with wave.open(path) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    return resample_poly(pcm, 2, 1).astype(np.float32)


def alike(text: str) -> str:
    """"11:00 am" is said "eleven a.m.", and "PL882" is heard "P L 8 8 2": neither is an error of the voice."""
    text = re.sub(r":00(?= ?[ap]\.?m\b)", "", text, flags=re.I)
    text = re.sub(r"(\$[0-9,]+)\.00\b", r"\1", text)
    return re.sub(r"\b(?=[A-Z0-9]*[A-Z])(?=[A-Z0-9]*[0-9])[A-Z0-9]+\b", lambda code: " ".join(code.group()), text)


def main(folder: str, out: str, shows: bool) -> None:
    errors_of = scoring_of(folder)
    whisper = WhisperModel(os.path.join(folder, "whisper-base"), device="cpu", compute_type="int8", cpu_threads=THREADS)
    categories: dict[str, list[int]] = {}
    with open(os.path.join(out, "manifest.jsonl")) as manifest:
        sentences = [json.loads(line) for line in manifest]
    for sentence in sentences:
        audio = samples_of(os.path.join(out, f"{sentence['id']}.wav"))
        pieces, _ = whisper.transcribe(audio, language="en", beam_size=1, condition_on_previous_text=False)
        heard = " ".join(piece.text.strip() for piece in pieces)
        errors, words = errors_of(sentence["text"], heard, "ok")
        spelled = errors_of(alike(sentence["text"]), alike(heard), "ok")
        for name in (sentence["category"], "all"):
            for key, (wrong, said) in ((name, (errors, words)), (f"{name}, spelled alike", spelled)):
                counted = categories.setdefault(key, [0, 0])
                counted[0] += wrong
                counted[1] += said
        if shows and errors:
            print(f"# {sentence['category']} {errors}/{words}: {sentence['text']} <- {heard}")
    shares = {name: 100 * errors / words for name, (errors, words) in categories.items()}
    for name, share in shares.items():
        print(f"{name}: {share:.1f} % of {categories[name][1]} words misheard", flush=True)
    with open(os.path.join(out, "judged.json"), "w") as file:
        json.dump(shares, file)


main(sys.argv[1], sys.argv[-1], "--show" in sys.argv)
