"""Verifies webhooks as Standard Webhooks specifies, without the package for it: the client has no dependencies."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence

from .errors import WebhookVerificationError
from .generated.types import Event

TOLERANCE_S = 300
SECRET_PREFIX = "whsec_"


def verify_webhook(
    payload: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str], *, now_s: float | None = None
) -> Event:
    """The event of a webhook that the engine sent just now. The same event may come more than once: its `id` says so.

    `payload` is the body as it came, byte for byte. `secret` is `whsec_…`, or several while one is being replaced.
    Signatures are compared in constant time. Raises WebhookVerificationError.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        by_name.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("A header of the signature is missing.")
    _check_time(timestamp, time.time() if now_s is None else now_s)
    body = payload.encode() if isinstance(payload, str) else payload
    signed = f"{message_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [_signature(each, signed) for each in secrets]
    given = [text.removeprefix("v1,").encode() for text in signatures.split(" ") if text.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise WebhookVerificationError("No signature matches.")
    event: Event = json.loads(body)
    return event


def _check_time(timestamp: str, now_s: float) -> None:
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None or abs(now_s - int(timestamp)) > TOLERANCE_S:
        raise WebhookVerificationError("The webhook is more than 5 minutes old, or from the future.")


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError as cause:
        raise WebhookVerificationError("The secret is not valid.") from cause
    if key == b"":
        raise WebhookVerificationError("The secret is empty.")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
