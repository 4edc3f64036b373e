from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

#: A request without a body signs this text in version 1.
NO_BODY = b"{}"


@dataclass(frozen=True)
class Credentials:
    api_key: str
    secret_salt: str = field(repr=False)
    #: The version of the API key.
    signature_version: Literal[1, 2] = 2


def signature_v1(secret_salt: str, timestamp: str, body: bytes | None) -> str:
    """HMAC-SHA256 over time and body, keyed with the secret salt, hexadecimal."""
    return _hmac(secret_salt, timestamp.encode() + (NO_BODY if body is None else body))


def signature_v2(
    secret_salt: str,
    *,
    method: str,
    target: str,
    timestamp: str,
    nonce: str,
    merchant_id: str = "",
    idempotency_key: str = "",
    body: bytes | None = None,
) -> str:
    """HMAC-SHA256 over the lines of a request, keyed with the secret salt, hexadecimal.

    `target` is path and query, exactly as they are sent.
    """
    body_hash = hashlib.sha256(body or b"").hexdigest()
    lines = ["v2", method, target, timestamp, nonce, merchant_id, idempotency_key, body_hash]
    return _hmac(secret_salt, "\n".join(lines).encode())


def signed_headers(
    credentials: Credentials, method: str, target: str, body: bytes | None, headers: Mapping[str, str]
) -> dict[str, str]:
    """All headers of a request, signed now; they are valid for 5 minutes, and with version 2 for one request."""
    timestamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    common = {**headers, "Authorization": f"Bearer {credentials.api_key}", "X-Timestamp": timestamp}
    if credentials.signature_version == 1:
        signature = signature_v1(credentials.secret_salt, timestamp, body)
        return {**common, "X-Secret-Salt": credentials.secret_salt, "X-Signature": signature}
    nonce = str(uuid.uuid4())
    signature = signature_v2(
        credentials.secret_salt,
        method=method,
        target=target,
        timestamp=timestamp,
        nonce=nonce,
        merchant_id=headers.get("X-Merchant-ID", ""),
        idempotency_key=headers.get("X-Idempotency-Key", ""),
        body=body,
    )
    return {**common, "X-Nonce": nonce, "X-Signature": signature}


def _hmac(secret_salt: str, content: bytes) -> str:
    return hmac.new(secret_salt.encode(), content, hashlib.sha256).hexdigest()
