"""Tests against a scripted server: what is sent, what is repeated, what is raised."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from payment_engine import (
    Client,
    PaymentEngineConnectionError,
    WebhookVerificationError,
    verify_webhook,
)
from payment_engine.signing import signature_v1, signature_v2

SALT = "salt-of-the-example"
INTENT = "pi_0197f3c29a4b7d1e8c5f60718293a4b5"
Answer = tuple[int, Any, dict[str, str]]

DONE: Answer = (200, {"success": True, "data": {"id": INTENT}}, {})


def failure(status: int, code: str, headers: dict[str, str] | None = None) -> Answer:
    details = {"paymentIntent": {"id": INTENT}}
    error = {"code": code, "message": "As the test has it.", "type": "payment_error", "requestId": "req_1"}
    return status, {"success": False, "error": {**error, "details": details}}, headers or {}


def page(*ids: str) -> Answer:
    pagination = {"page": 1, "limit": 2, "total": 9, "totalPages": 5, "totalIsEstimate": True}
    return 200, {"success": True, "data": [{"id": id} for id in ids], "pagination": pagination}, {}


class Server(ThreadingHTTPServer):
    """Gives the scripted answers in turn; None hangs up."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[Answer | None] = []
        self.received: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
        answer = self.server.answers.pop(0)
        if answer is None:
            return
        status, content, headers = answer
        data = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_args: Any) -> None:
        pass


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Server()
        thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.pauses_s: list[float] = []

    def client(self, *answers: Answer | None, **options: Any) -> Client:
        self.server.answers = list(answers)
        url = f"http://127.0.0.1:{self.server.server_address[1]}"
        return Client(
            base_url=url, api_key="svc_test_k", secret_salt=SALT, sleep=self.pauses_s.append, timeout_s=20, **options
        )

    def keys(self) -> list[str | None]:
        return [request["headers"].get("x-idempotency-key") for request in self.server.received]

    def test_signs_the_example_of_the_documentation(self) -> None:
        signature = signature_v2(
            SALT,
            method="POST",
            target="/api/v1/refunds",
            timestamp="2026-11-22T12:00:00Z",
            nonce="7f1d3c526b0e4c839a512f0e8d4b6a97",
            idempotency_key="refund-1042",
            body=b'{"paymentIntentId": "pi_0197f3c29a4b7d1e8c5f60718293a4b5", "amount": 500}',
        )
        self.assertEqual(signature, "38828c3af5b6b3a9d12251160b95f8c453917cd6fcc5967817fc15b366b41b88")
        self.assertEqual(signature_v1(SALT, "t", None), signature_v1(SALT, "t", b"{}"))

    def test_fills_in_paths_queries_and_bodies(self) -> None:
        client = self.client(DONE, DONE, DONE, DONE)
        client.payment_intents.confirm(INTENT, respond_async=True)
        client.channel_limits.put("card", "EUR", {"minimumAmount": 50, "maximumAmount": 100})
        client.payment_routes.list({"limit": 5, "active": "true"})
        client.merchant_accounts.suspend("mer_a/../b")
        self.assertEqual(
            [(each["method"], each["path"], each["body"]) for each in self.server.received],
            [
                ("POST", f"/api/v1/payment-intents/{INTENT}/confirm", b"{}"),
                ("PUT", "/api/v1/channel-limits/card/EUR", b'{"minimumAmount": 50, "maximumAmount": 100}'),
                ("GET", "/api/v1/payment-routes?limit=5&active=true", b""),
                ("POST", "/api/v1/merchants/mer_a%2F..%2Fb/suspend", b""),
            ],
        )
        self.assertEqual(self.server.received[0]["headers"]["prefer"], "respond-async")
        self.assertEqual([key is not None for key in self.keys()], [True, False, False, True])

    def test_says_where_the_server_redirects_to(self) -> None:
        with self.assertRaisesRegex(PaymentEngineConnectionError, "redirects to https://engine.example/. Expected a base"):
            self.client((301, "", {"Location": "https://engine.example/"})).payment_intents.get(INTENT)

    def test_sends_an_empty_idempotency_key_which_the_engine_refuses(self) -> None:
        self.client(DONE).payment_intents.confirm(INTENT, idempotency_key="")
        self.assertEqual(self.keys(), [""])

    def test_reads_the_next_page_before_the_loop_may_delete_the_last_element(self) -> None:
        client = self.client(page("c", "b"), page("a"))
        read_at = [len(self.server.received) for _ in client.customers.iterate({"limit": 2})]
        self.assertEqual(read_at, [1, 2, 2])

    def test_sends_a_datetime_as_a_time_with_its_zone(self) -> None:
        zone = timezone(timedelta(hours=5, minutes=30))
        since = datetime(2026, 11, 1, 5, 30, tzinfo=zone)
        client = self.client(page(), (200, {"success": True, "data": {}}, {}))
        client.payment_intents.list({"createdFrom": since})
        client.api_keys.update("key_1", {"expiresAt": since})
        self.assertEqual(self.paths()[0], "/api/v1/payment-intents?createdFrom=2026-11-01T00%3A00%3A00.000Z")
        self.assertEqual(json.loads(self.server.received[1]["body"]), {"expiresAt": "2026-11-01T00:00:00.000Z"})

    def test_refuses_a_datetime_without_a_zone(self) -> None:
        with self.assertRaisesRegex(ValueError, "has no time zone"):
            self.client().payment_intents.list({"createdFrom": datetime(2026, 11, 1)})

    def paths(self) -> list[str]:
        return [request["path"] for request in self.server.received]


class WebhookTest(unittest.TestCase):
    SECRET = "whsec_" + base64.b64encode(b"of the endpoint").decode()
    BODY = b'{"id": "evt_1", "type": "payment_intent.succeeded"}'

    def headers(self, at_s: float) -> dict[str, str]:
        signed = f"evt_1.{int(at_s)}.".encode() + self.BODY
        signature = base64.b64encode(hmac.new(b"of the endpoint", signed, hashlib.sha256).digest()).decode()
        signatures = f"v1,c29tZSBvdGhlcg== v1,{signature}"
        return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(int(at_s)), "Webhook-Signature": signatures}

    def test_accepts_every_form_of_bytes(self) -> None:
        for payload in (bytearray(self.BODY), memoryview(self.BODY)):
            self.assertEqual(verify_webhook(payload, self.headers(time.time()), self.SECRET)["id"], "evt_1")

    def test_says_what_to_do(self) -> None:
        now_s = time.time()
        for payload, headers, secret, says in (
            (self.BODY + b" ", self.headers(now_s), self.SECRET, "byte for byte"),
            (self.BODY, self.headers(now_s), "whsec_…", "Copy all of it"),
            (self.BODY, self.headers(now_s - 301), self.SECRET, "Set its clock"),
            (self.BODY, {}, self.SECRET, "as they came"),
        ):
            with self.assertRaisesRegex(WebhookVerificationError, says):
                verify_webhook(payload, headers, secret, now_s=now_s)
        with self.assertRaisesRegex(TypeError, "before anything parses it"):
            verify_webhook(json.loads(self.BODY), self.headers(now_s), self.SECRET)


if __name__ == "__main__":
    unittest.main()
