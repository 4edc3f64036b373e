from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import quote, urlencode

from .generated.types import Pagination
from .transport import OutgoingRequest, Transport

LARGEST_PAGE = 100

Element = TypeVar("Element")


class Page(TypedDict, Generic[Element]):
    """One page of a list."""

    data: list[Element]
    pagination: Pagination


class CallOptions(TypedDict, total=False):
    """What each method takes by name."""

    #: Of a POST; a new one is made for each call otherwise. The same for every try of the call.
    idempotency_key: str
    #: The merchant account to act for, instead of the client's.
    merchant_id: str
    #: Answer at once rather than wait for the outcome.
    respond_async: bool
    #: Of one try, instead of the client's.
    timeout_s: float


class Resource:
    """Sends the operations of one resource."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _send(
        self,
        method: str,
        path: str,
        values: Mapping[str, str],
        options: CallOptions,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False, default=_json_value).encode()
        request = OutgoingRequest(
            method=method,
            target=_fill(path, values) + _query_string(query or {}),
            body=content,
            headers=self._headers(method, content, options),
            timeout_s=options.get("timeout_s"),
        )
        envelope = self._transport.send(request)
        if "pagination" in envelope:
            return {"data": envelope["data"], "pagination": envelope["pagination"]}
        return envelope["data"]

    def _iterate(
        self,
        method: str,
        path: str,
        values: Mapping[str, str],
        options: CallOptions,
        *,
        query: Mapping[str, Any] | None = None,
    ) -> Iterator[Any]:
        """Everything on a list, page by page as it is needed.

        Each page follows the last element of the one before, wherever that is by now: elements that are added, changed
        or deleted meanwhile, even by the loop itself, make no other be left out or yielded twice.
        """
        window = {"limit": LARGEST_PAGE, **(query or {})}
        page = self._send(method, path, values, options, query=window)
        while page["data"]:
            *others, last = page["data"]
            yield from others
            # The next page is read before the loop gets the last element, which it may delete.
            is_last = len(page["data"]) < page["pagination"]["limit"]
            if not is_last:
                page = self._send(method, path, values, options, query={**window, "startingAfter": last["id"]})
            yield last
            if is_last:
                return

    def _headers(self, method: str, body: bytes | None, options: CallOptions) -> dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": "payment-engine-python/1.0.0"}
        merchant_id = options.get("merchant_id", self._transport.merchant_id)
        if merchant_id is not None:
            headers["X-Merchant-ID"] = merchant_id
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method == "POST":
            key = options.get("idempotency_key")
            # The engine refuses an empty key. A new one in its place would let a repeat of the call charge twice.
            headers["X-Idempotency-Key"] = str(uuid.uuid4()) if key is None else key
        if options.get("respond_async") is True:
            headers["Prefer"] = "respond-async"
        return headers


def _fill(path: str, values: Mapping[str, str]) -> str:
    """Raises ValueError for an id that is missing: without it, the path would be another one."""
    for name, value in values.items():
        if not isinstance(value, str) or value == "":
            raise ValueError(f"{path} needs a value for {name}")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def _query_string(query: Mapping[str, Any]) -> str:
    given = [pair for name, value in query.items() if value is not None for pair in _parameters(name, value)]
    return f"?{urlencode(given)}" if given else ""


def _parameters(name: str, value: Any) -> list[tuple[str, str]]:
    """A mapping, such as metadata, is one parameter for each of its members: `metadata[key]=value`."""
    if not isinstance(value, Mapping):
        return [(name, _query_value(value))]
    return [(f"{name}[{key}]", _query_value(member)) for key, member in value.items()]


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _time_text(value) if isinstance(value, datetime) else str(value)


def _json_value(value: Any) -> str:
    if isinstance(value, datetime):
        return _time_text(value)
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def _time_text(time: datetime) -> str:
    """Raises ValueError for a time without a zone: nobody can tell which moment it is."""
    if time.tzinfo is None or time.utcoffset() is None:
        raise ValueError(f"{time!r} has no time zone: give it one, such as datetime.now(timezone.utc)")
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
