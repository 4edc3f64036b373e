"""
Signs what Schemathesis sends as the specification says, gives it what no schema can say, and judges refusals by their
code: a payment that is declined is no data that is rejected.
"""

import hashlib
import hmac
import json
import os
import re
import uuid
import zlib
from datetime import datetime, timedelta, timezone

import requests
import schemathesis

API_KEY = os.environ["CONFORMANCE_API_KEY"]
SECRET_SALT = os.environ["CONFORMANCE_SECRET_SALT"]
# The key that signs and the account it acts for: with these changed, the rest of the run would be refused.
PROTECTED = set(os.environ["CONFORMANCE_PROTECTED"].split(","))
ACCOUNT = os.environ["CONFORMANCE_ACCOUNT"]
AUTHORIZATION = f"Bearer {API_KEY}"


def text_of(value):
    return value.decode("latin-1") if isinstance(value, bytes) else value


class Signer(requests.auth.AuthBase):
    """Adds time, nonce and signature to a request that carries our key, over what is sent."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if request.headers.get("Authorization") == AUTHORIZATION:
            body = request.body or b""
            data = body.encode("utf-8") if isinstance(body, str) else body
            timestamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            nonce = uuid.uuid4().hex
            context = [text_of(request.headers.get(name, "")) for name in ("X-Merchant-ID", "X-Idempotency-Key")]
            lines = ["v2", request.method, request.path_url, timestamp, nonce, *context, hashlib.sha256(data).hexdigest()]
            signed = hmac.new(SECRET_SALT.encode(), "\n".join(lines).encode(), hashlib.sha256)
            request.headers["X-Timestamp"] = timestamp
            request.headers["X-Nonce"] = nonce
            request.headers["X-Signature"] = signed.hexdigest()
        return request


@schemathesis.auth(refresh_interval=None)
class MerchantAuth:
    """Gives each case our key; where a check takes them away again, the signer does nothing."""

    def get(self, case, context):
        return Signer()

    def set(self, case, signer, context):
        case.headers["Authorization"] = AUTHORIZATION
        case.headers["X-Timestamp"] = ""
        case.headers["X-Nonce"] = ""
        case.headers["X-Signature"] = ""
        case._auth = signer


ID = re.compile(r"^([a-z]+)_[0-9a-f]{32}(_[0-9]{1,4})?$")
ID_IN_TEXT = re.compile(r'"((?:pi|txn|re|cus|mer|key|rt|evt|whe|plink|aud|simulator|evm)_[0-9a-f]{32}(?:_[0-9]{1,4})?)"')
MOST_IDS_OF_A_KIND = 200
known = {}


@schemathesis.hook
def after_call(context, case, response):
    """Remembers the ids of what is there."""
    for found in ID_IN_TEXT.findall(response.text or ""):
        ids = known.setdefault(found.split("_")[0], [])
        if found not in ids and found not in PROTECTED and len(ids) < MOST_IDS_OF_A_KIND:
            ids.append(found)


def existing(value):
    """For three of four well-formed ids, one that is there; always the same for the same id, as far as it can be."""
    if not isinstance(value, str) or not ID.match(value) or (value not in PROTECTED and zlib.crc32(value.encode()) % 4 == 0):
        return value
    ids = known.get(value.split("_")[0]) or [re.sub(r"[0-9a-f]{32}", "0" * 32, value)]
    return ids[zlib.crc32(value.encode()) % len(ids)]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Grounds what fits its schema in what is there. What does not fit is sent as it is."""
    for name, value in list((case.path_parameters or {}).items()):
        if name == "id" and not (case.method == "GET" and value in PROTECTED):
            case.path_parameters[name] = existing(value)
    if re.fullmatch(r"mer_[A-Za-z0-9_]{1,64}", str((case.headers or {}).get("X-Merchant-ID", ""))):
        case.headers["X-Merchant-ID"] = ACCOUNT
    if isinstance(case.query, dict):
        order_bounds(case.query, "amountMin", "amountMax")
        name_one_place(case.query)
        if case.operation.path.endswith("/statistics"):
            end_now(case.query)
    if isinstance(case.body, dict):
        case.body = {name: grounded(name, value) for name, value in case.body.items()}
        order_bounds(case.body, "minimumAmount", "maximumAmount")
        list_addresses(case.body)
        enter_credentials(case.body, case.body.get("kind", kind_of((case.path_parameters or {}).get("id"))))
        if "{id}" in case.operation.path and case.body.get("signatureVersion") == 1:
            # No key goes back to an earlier version, and nobody knows here which one the key has.
            case.body["signatureVersion"] = 2


# The smallest image; that a text is one no schema can say.
LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def grounded(name, value):
    if name in ("paymentIntentId", "transactionId", "customerId"):
        return existing(value)
    if name == "expiresAt" and is_time(value):
        return (datetime.now(timezone.utc) + timedelta(days=7)).isoformat(timespec="seconds")
    if name == "provider" and isinstance(value, str) and re.fullmatch(r"[^\0]{1,64}", value):
        return "alpha"
    if name == "url" and isinstance(value, str) and re.fullmatch(r"https?://[^\0]+", value):
        # Names are looked up; this address needs no name, and nobody listens there.
        return "http://127.0.0.1:9/hooks"
    if name == "businessProfile" and isinstance(value, dict) and isinstance(value.get("logo"), str):
        return {**value, "logo": LOGO}
    if name == "paymentMethod" and isinstance(value, dict) and isinstance(value.get("card"), dict):
        return {**value, "card": usable(value["card"])}
    return value


# Cards that pass the checksum; which of them does not matter to a schema.
CARDS = ["4242424242424242", "4000000000000002", "4000000000009995", "4000000000009979", "4000000000003220"]
FITTING = {
    "number": lambda value: isinstance(value, str) and re.fullmatch(r"[0-9][0-9 -]{10,30}[0-9]", value),
    "expiryYear": lambda value: type(value) in (int, float) and value == int(value) and 2000 <= value <= 2100,
    "cvc": lambda value: isinstance(value, str) and re.fullmatch(r"[0-9]{3,4}", value),
}


def usable(card):
    chosen = {
        "number": CARDS[zlib.crc32(str(card.get("number")).encode()) % len(CARDS)],
        "expiryYear": datetime.now().year + 3,
        "cvc": "123",
    }
    return {name: chosen[name] if name in FITTING and FITTING[name](value) else value for name, value in card.items()}


def order_bounds(values, lower, upper):
    bounds = [values.get(lower), values.get(upper)]
    if all(type(bound) in (int, float) for bound in bounds):
        values[lower], values[upper] = sorted(bounds)


def name_one_place(query):
    """A page of a list has a number, or begins after an element."""
    after = query.get("startingAfter")
    if "page" in query and isinstance(after, str) and re.fullmatch(r"[^\0]{1,200}", after):
        del query["startingAfter"]


def end_now(query):
    """Statistics are of a time that has a limit, and begins before its end."""
    for name, days in (("from", 1), ("to", 0)):
        if is_time(query.get(name)):
            query[name] = (datetime.now(timezone.utc) - timedelta(days=days)).isoformat(timespec="seconds")


CONTRACT = {"address": "0x" + "22" * 20, "maximumAgeSeconds": 3600}
# What an adapter takes; the schema only says that it is an object. Nobody listens at the node's address.
CREDENTIALS = {
    "simulator": {"apiKey": "conformance", "webhookSecret": "whsec_" + "A" * 40},
    "evm": {
        "xpub": "xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz",
        "rpcUrl": "http://127.0.0.1:9/",
        "chainId": 1,
        "network": "ethereum",
        "confirmations": 1,
        "tokens": [{"asset": "USDC", "contract": "0x" + "11" * 20, "decimals": 6, "priceFeed": CONTRACT}],
    },
}


# A test of their accounts would ask the vendors.
VENDORS = {"stripe", "adyen", "cashfree"}


def kind_of(identifier):
    return str(identifier).split("_")[0]


def enter_credentials(body, kind):
    if isinstance(body.get("kind"), str) and body["kind"] in VENDORS:
        body["kind"] = kind = "simulator"
    entered = body.get("credentials")
    if isinstance(entered, dict) and len(entered) <= 20 and all(1 <= len(name) <= 100 for name in entered):
        if isinstance(kind, str) and kind in CREDENTIALS:
            body["credentials"] = CREDENTIALS[kind]


def list_addresses(body):
    """A key that is restricted needs a list, here or before."""
    if body.get("ipRestricted") is True and "ipAllowlist" not in body:
        body["ipAllowlist"] = ["127.0.0.1"]


def is_time(value):
    return isinstance(value, str) and re.match(r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d", value) is not None


# What no valid data may be refused with, whatever becomes of the payment.
REJECTIONS = {"VALIDATION_ERROR", "INVALID_REQUEST", "INVALID_CURRENCY"}


@schemathesis.check
def accepted_as_data(ctx, response, case):
    """Valid data may fail as a payment, but not as data."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    code = json.loads(response.text).get("error", {}).get("code")
    assert code not in REJECTIONS, f"valid data was refused with {code}: {response.text[:300]}"


# The 502 and 503 of the specification that speak of providers and routes.
OUTCOMES = {"NO_TSP_AVAILABLE", "PROVIDER_UNAVAILABLE", "TSP_ERROR", "TSP_TIMEOUT", "TSP_UNAVAILABLE"}


@schemathesis.check
def no_failure_of_the_engine(ctx, response, case):
    """A 5xx says that no provider could be had, never that the engine failed."""
    if response.status_code >= 500:
        code = json.loads(response.text).get("error", {}).get("code")
        assert code in OUTCOMES, f"{response.status_code} {code}"
