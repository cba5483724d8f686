"""Verifies webhooks, as Standard Webhooks describes them. The key is SHA-256 of the whole secret."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, Sequence, Union, cast

from .types import WebhookEvent

SIGNATURES_MAX = 10


class WebhookError(Exception):
    """Not of this service, changed on its way, or too old: answer it with 401."""


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """`body` is what came, byte by byte. Several secrets are taken while one is being rotated."""
    lower = {name.lower(): value for name, value in headers.items()}
    given = [lower.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")]
    if "" in given:
        raise WebhookError("a header of the signature is missing")
    event_id, timestamp, signatures = given
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookError("webhook-timestamp is no time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("the signature is too old, or of a time to come: is the clock right?")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{timestamp}.".encode() + raw
    is_ours = False
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        if secret == "":
            raise WebhookError("the secret is empty")
        expected = hmac.new(hashlib.sha256(secret.encode()).digest(), signed, hashlib.sha256).digest()
        for entry in signatures.split(" ")[:SIGNATURES_MAX]:
            version, _, signature = entry.partition(",")
            if version == "v1" and hmac.compare_digest(_bytes_of(signature), expected):
                is_ours = True
    if not is_ours:
        raise WebhookError("no signature is of this body and secret")
    return cast(WebhookEvent, json.loads(raw))


def _bytes_of(signature: str) -> bytes:
    try:
        return base64.b64decode(signature.encode(), validate=True)
    except (binascii.Error, UnicodeError):
        return b""
