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
SECRET_EXPECTED = "Expected the secret of the webhook endpoint, which begins with whsec_. Copy all of it."


def verify_webhook(
    payload: bytes | bytearray | memoryview | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    now_s: float | None = None,
) -> Event:
    """The event of a webhook that the engine sent just now. The same event may come more than once: its `id` says so.

    `payload` is the body as it came, byte for byte. `secret` is `whsec_…`, or several while one is being replaced.
    Signatures are compared in constant time. Raises WebhookVerificationError.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        by_name.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not isinstance(payload, (bytes, bytearray, memoryview, str)):
        raise TypeError(
            "Expected payload to be the body as it came, as bytes or text; got something else. "
            "Read the raw body, before anything parses it."
        )
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError(
            "Expected the headers webhook-id, webhook-timestamp and webhook-signature; got not all of them. "
            "Pass the headers of the request as they came."
        )
    _check_time(timestamp, time.time() if now_s is None else now_s)
    # `json.loads` takes no memoryview.
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    signed = f"{message_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [_signature(each, signed) for each in secrets]
    given = [text.removeprefix("v1,").encode() for text in signatures.split(" ") if text.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in given):
        raise WebhookVerificationError(
            "No signature is that of this body with this secret. Pass the body byte for byte as it came, not JSON that "
            "was parsed and written again, and the secret of the endpoint that received it."
        )
    event: Event = json.loads(body)
    return event


def _check_time(timestamp: str, now_s: float) -> None:
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None or abs(now_s - int(timestamp)) > TOLERANCE_S:
        raise WebhookVerificationError(
            "Expected a webhook-timestamp at most 5 minutes from the time of this machine. Set its clock; if the webhook "
            "is an old one, have it sent again."
        )


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError as cause:
        raise WebhookVerificationError(SECRET_EXPECTED) from cause
    if key == b"":
        raise WebhookVerificationError(SECRET_EXPECTED)
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
