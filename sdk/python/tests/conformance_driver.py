"""Makes the calls of `sdk/conformance` with the Python client: one command in, one report out, each a line of JSON."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

from payment_engine import (
    Client,
    PaymentEngineConnectionError,
    PaymentEngineError,
    WebhookVerificationError,
    verify_webhook,
)


def run(command: dict[str, Any]) -> dict[str, Any]:
    if "webhook" in command:
        return verify(command["webhook"])
    pauses_s: list[float] = []
    client = client_of(command["client"], pauses_s)
    try:
        report = call(client, command["call"])
    except (PaymentEngineConnectionError, PaymentEngineError, ValueError) as error:
        report = outcome_of(error)
    return {**report, "pausesMs": [round(pause_s * 1000) for pause_s in pauses_s]}


def verify(webhook: dict[str, Any]) -> dict[str, Any]:
    try:
        event = verify_webhook(base64.b64decode(webhook["body"]), webhook["headers"], webhook["secrets"])
    except WebhookVerificationError:
        return {"kind": "webhook_refused"}
    return {"kind": "event", "id": event["id"]}


def client_of(settings: dict[str, Any], pauses_s: list[float]) -> Client:
    return Client(
        base_url=settings["baseUrl"],
        api_key=settings["apiKey"],
        secret_salt=settings["secretSalt"],
        merchant_id=settings.get("merchantId"),
        signature_version=settings.get("signatureVersion", 2),
        timeout_s=settings["timeoutMs"] / 1000,
        sleep=pauses_s.append,
    )


def call(client: Client, asked: dict[str, Any]) -> dict[str, Any]:
    names = {"idempotencyKey": "idempotency_key", "merchantId": "merchant_id", "respondAsync": "respond_async"}
    options = {names[name]: value for name, value in asked.get("options", {}).items()}
    intents = client.payment_intents
    method = {
        "createPaymentIntent": intents.create,
        "confirmPaymentIntent": intents.confirm,
        "getPaymentIntent": intents.get,
        "updatePaymentIntent": intents.update,
        "listPaymentIntents": intents.iterate if asked.get("iterate") else intents.list,
        "createRefund": client.refunds.create,
        "suspendMerchantAccount": client.merchant_accounts.suspend,
    }[asked["operation"]]
    content = [asked[name] for name in ("query", "body") if name in asked]
    result: Any = method(*asked.get("path", []), *content, **options)
    if asked.get("iterate"):
        return {"kind": "items", "ids": [element["id"] for element in result]}
    if asked["operation"] == "listPaymentIntents":
        return {"kind": "items", "ids": [element["id"] for element in result["data"]]}
    return {"kind": "result", "data": result}


def outcome_of(error: Exception) -> dict[str, Any]:
    if isinstance(error, PaymentEngineConnectionError):
        return {"kind": "connection_error"}
    if not isinstance(error, PaymentEngineError):
        return {"kind": "usage_error"}
    intent = error.payment_intent
    return {
        "kind": "engine_error",
        "code": error.code,
        "status": error.status,
        "requestId": error.request_id,
        "paymentIntentId": None if intent is None else intent["id"],
    }


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
