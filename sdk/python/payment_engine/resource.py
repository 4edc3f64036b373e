from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import quote, urlencode

from .generated.types import Pagination
from .transport import OutgoingRequest, Transport

LARGEST_PAGE = 100
#: The engine counts no further pages of one list.
LAST_PAGE = 1000

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
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
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

        Rows that are added meanwhile shift the pages: nothing is yielded twice for that, but what was added may be
        missing. Rows that leave the list shift them too, and other rows are then skipped: read the whole list before
        you change its elements.
        """
        window = {"limit": LARGEST_PAGE, **(query or {})}
        yielded: set[str] = set()
        number = 1
        while True:
            page = self._send(method, path, values, options, query={**window, "page": number})
            data, pagination = page["data"], page["pagination"]
            yield from (element for element in data if element["id"] not in yielded)
            yielded.update(element["id"] for element in data)
            if len(data) < pagination["limit"]:
                return
            if pagination.get("totalIsEstimate") is not True and number >= pagination["totalPages"]:
                return
            number += 1
            if number > LAST_PAGE and "createdAt" in data[-1]:
                window |= _window_beyond(data[-1], window)
                yielded = {element["id"] for element in data}
                number = 1

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
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _window_beyond(last: Mapping[str, Any], query: Mapping[str, Any]) -> dict[str, str]:
    """The filter for what follows the last element of the pages. Events are ordered by sequence, not by time."""
    if last.get("object") != "event":
        return {"createdBefore": _just_after(last["createdAt"])}
    return {"before" if query.get("after") is None else "after": last["id"]}


def _just_after(time: str) -> str:
    """Others of the same moment may be still to come."""
    moment = datetime.fromisoformat(time) + timedelta(milliseconds=1)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
