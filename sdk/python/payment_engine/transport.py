from __future__ import annotations

import http.client
import json
import math
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from .errors import PaymentEngineConnectionError, PaymentEngineError
from .signing import Credentials, signed_headers

#: Pauses before the second, third and fourth try.
RETRY_PAUSES_S = (1.0, 2.0, 4.0)
#: The window of the engine's rate limit: it never asks for more.
LONGEST_PAUSE_S = 60.0
#: The engine stores no INTERNAL_ERROR under an idempotency key: a repeated POST goes on with the same operation.
TRANSIENT_CODES = frozenset(
    {"RATE_LIMIT_EXCEEDED", "TSP_TIMEOUT", "TSP_UNAVAILABLE", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"}
)
TOO_MANY_REQUESTS = 429


class _WithoutRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send a signed request to another address."""

    def redirect_request(self, *_args: Any) -> None:
        return None


_opener = urllib.request.build_opener(_WithoutRedirects)


@dataclass(frozen=True)
class OutgoingRequest:
    method: str
    #: Path and query, from `/api/v1` on.
    target: str
    #: JSON text.
    body: bytes | None
    headers: Mapping[str, str]
    #: Of one try, for the connection and for each read.
    timeout_s: float | None = None


@dataclass(frozen=True)
class Transport:
    """Signs and sends requests, and retries transient failures."""

    #: Without the path: `https://payments.example`.
    base_url: str
    credentials: Credentials
    merchant_id: str | None
    timeout_s: float
    #: Waits this many seconds.
    sleep: Callable[[float], object] = time.sleep

    def send(self, request: OutgoingRequest) -> dict[str, Any]:
        """The envelope of the answer, after 4 tries at most.

        Raises PaymentEngineError or PaymentEngineConnectionError: the last failure.
        """
        for pause_s in RETRY_PAUSES_S:
            try:
                return self._send_once(request)
            except _TransientFailure as failure:
                self.sleep(min(max(pause_s, failure.retry_after_s), LONGEST_PAUSE_S))
            except _Failure as failure:
                raise failure.error from failure.__cause__
        try:
            return self._send_once(request)
        except _Failure as failure:
            raise failure.error from failure.__cause__

    def _send_once(self, request: OutgoingRequest) -> dict[str, Any]:
        headers = signed_headers(self.credentials, request.method, request.target, request.body, request.headers)
        url = f"{self.base_url.rstrip('/')}{request.target}"
        sent = urllib.request.Request(url, data=request.body, headers=headers, method=request.method)
        timeout_s = self.timeout_s if request.timeout_s is None else request.timeout_s
        try:
            status, answer_headers, content = _exchange(sent, timeout_s)
        except (OSError, http.client.HTTPException) as cause:
            error = PaymentEngineConnectionError(f"{request.method} {request.target} was not answered.")
            raise _TransientFailure(error, 0.0) from cause
        return _read_answer(status, answer_headers, content)


class _Failure(Exception):
    """One try failed for good."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class _TransientFailure(_Failure):
    """One try failed; another may succeed."""

    def __init__(self, error: Exception, retry_after_s: float) -> None:
        super().__init__(error)
        self.retry_after_s = retry_after_s


def _exchange(request: urllib.request.Request, timeout_s: float) -> tuple[int, Message, bytes]:
    try:
        with _opener.open(request, timeout=timeout_s) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as response:
        with response:
            return response.code, response.headers, response.read()


def _read_answer(status: int, headers: Message, content: bytes) -> dict[str, Any]:
    envelope = _parse_envelope(content)
    retry_after_s = _retry_after_s(headers)
    if envelope is None:
        error: Exception = PaymentEngineConnectionError(f"The response with status {status} {_problem(headers)}")
        # A proxy's refusal stays one; anything else may hide an answer that was lost.
        is_transient = not 300 <= status < 500 or status == TOO_MANY_REQUESTS
        raise _TransientFailure(error, retry_after_s) if is_transient else _Failure(error)
    if envelope["success"] is True:
        return envelope
    code = envelope["error"]["code"]
    error = PaymentEngineError(status, envelope["error"])
    # The first try may still be running on the other side, although its answer was lost.
    is_running = code == "DUPLICATE_REQUEST" and "Retry-After" in headers
    raise _TransientFailure(error, retry_after_s) if is_running or code in TRANSIENT_CODES else _Failure(error)


def _problem(headers: Message) -> str:
    """A redirect is not followed: it would send the signed request to another address."""
    location = headers.get("Location")
    if location is None:
        return "is not from the engine."
    return f"redirects to {location}. Expected a base_url at which the engine answers itself."


def _parse_envelope(content: bytes) -> dict[str, Any] | None:
    """The envelope, or None when something in between answered. Its content is what the document promises."""
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, dict):
        return None
    if parsed.get("success") is True:
        return parsed if "data" in parsed else None
    error = parsed.get("error")
    is_error = parsed.get("success") is False and isinstance(error, dict) and isinstance(error.get("code"), str)
    return parsed if is_error else None


def _retry_after_s(headers: Message) -> float:
    """Seconds or a date; 0 when neither is there."""
    text = headers.get("Retry-After") or ""
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0
