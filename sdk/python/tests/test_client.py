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
from urllib.parse import parse_qsl

from payment_engine import (
    Client,
    PaymentEngineConnectionError,
    PaymentEngineError,
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

    def test_signs_with_version_1(self) -> None:
        client = self.client(DONE, DONE, signature_version=1)
        client.payment_intents.create({"amount": 1999, "currency": "EUR", "description": "Lampe für draußen"})
        client.payment_intents.get(INTENT, merchant_id="mer_other")
        for request in self.server.received:
            headers = request["headers"]
            self.assertEqual(headers["authorization"], "Bearer svc_test_k")
            self.assertEqual(headers["x-secret-salt"], SALT)
            signed = headers["x-timestamp"].encode() + (request["body"] or b"{}")
            self.assertEqual(headers["x-signature"], hmac.new(SALT.encode(), signed, hashlib.sha256).hexdigest())
        self.assertEqual(self.server.received[1]["headers"]["x-merchant-id"], "mer_other")

    def test_signs_with_version_2_unless_told_otherwise_each_try_with_a_new_nonce(self) -> None:
        client = self.client(failure(502, "TSP_TIMEOUT"), DONE, merchant_id="mer_2")
        client.refunds.create({"paymentIntentId": INTENT}, idempotency_key="refund-7")
        for request in self.server.received:
            headers = request["headers"]
            signature = signature_v2(
                SALT,
                method="POST",
                target="/api/v1/refunds",
                timestamp=headers["x-timestamp"],
                nonce=headers["x-nonce"],
                merchant_id="mer_2",
                idempotency_key="refund-7",
                body=request["body"],
            )
            self.assertEqual(headers["x-signature"], signature)
            self.assertNotIn("x-secret-salt", headers)
        self.assertEqual(len({request["headers"]["x-nonce"] for request in self.server.received}), 2)

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

    def test_filters_by_each_pair_of_metadata(self) -> None:
        client = self.client(DONE)
        client.payment_intents.list({"metadata": {"order": "A&1", "channel": "web"}, "limit": 5})
        path, query = self.server.received[0]["path"].split("?")
        self.assertEqual(path, "/api/v1/payment-intents")
        self.assertEqual(parse_qsl(query), [("metadata[order]", "A&1"), ("metadata[channel]", "web"), ("limit", "5")])

    def test_rejects_a_missing_id_instead_of_sending_another_request(self) -> None:
        with self.assertRaises(ValueError):
            self.client().customers.get("")
        self.assertEqual(self.server.received, [])

    def test_repeats_a_transient_failure_with_one_idempotency_key(self) -> None:
        client = self.client(failure(500, "INTERNAL_ERROR"), None, (503, "<html>", {"Retry-After": "9"}), DONE)
        self.assertEqual(client.refunds.create({"paymentIntentId": INTENT}), {"id": INTENT})
        self.assertEqual(self.pauses_s, [1, 2, 9])
        self.assertEqual(len(set(self.keys())), 1)

    def test_repeats_a_request_whose_first_try_still_runs_but_not_one_with_the_key_of_another(self) -> None:
        client = self.client(
            failure(409, "DUPLICATE_REQUEST", {"Retry-After": "3600"}), failure(409, "DUPLICATE_REQUEST")
        )
        with self.assertRaises(PaymentEngineError) as raised:
            client.payment_intents.create({"amount": 1, "currency": "EUR"})
        self.assertEqual((raised.exception.code, self.pauses_s), ("DUPLICATE_REQUEST", [60]))

    def test_raises_the_error_of_the_engine(self) -> None:
        with self.assertRaises(PaymentEngineError) as raised:
            self.client(failure(400, "CARD_DECLINED")).payment_intents.confirm(INTENT)
        error = raised.exception
        self.assertEqual((error.code, error.status, error.request_id), ("CARD_DECLINED", 400, "req_1"))
        assert error.payment_intent is not None
        self.assertEqual(error.payment_intent["id"], INTENT)
        self.assertEqual((self.pauses_s, len(self.server.received)), ([], 1))

    def test_gives_up_after_four_tries(self) -> None:
        for answer, expected in (
            (None, PaymentEngineConnectionError),
            (failure(502, "TSP_TIMEOUT"), PaymentEngineError),
        ):
            self.server.received.clear()
            with self.assertRaises(expected):
                self.client(*[answer] * 4).payment_intents.get(INTENT)
            self.assertEqual(len(self.server.received), 4)

    def test_takes_the_refusal_of_a_proxy_for_no_answer_and_follows_no_redirect(self) -> None:
        answers: tuple[Answer, ...] = ((404, "not here", {}), (302, "", {"Location": "http://elsewhere.example/"}))
        for answer in answers:
            with self.assertRaises(PaymentEngineConnectionError):
                self.client(answer).payment_intents.get(INTENT)
        self.assertEqual((self.pauses_s, len(self.server.received)), ([], 2))

    def test_says_where_the_server_redirects_to(self) -> None:
        with self.assertRaisesRegex(PaymentEngineConnectionError, "redirects to https://engine.example/. Expected a base"):
            self.client((301, "", {"Location": "https://engine.example/"})).payment_intents.get(INTENT)

    def test_takes_json_that_is_nested_too_deep_for_no_answer(self) -> None:
        self.assertEqual(self.client((200, "[" * 100_000, {}), DONE).payment_intents.get(INTENT), {"id": INTENT})
        self.assertEqual(self.pauses_s, [1])

    def test_sends_an_empty_idempotency_key_which_the_engine_refuses(self) -> None:
        self.client(DONE).payment_intents.confirm(INTENT, idempotency_key="")
        self.assertEqual(self.keys(), [""])

    def test_reads_each_page_after_the_last_element_of_the_one_before(self) -> None:
        client = self.client(page("d", "c"), page("b", "a"), page())
        found = [each["id"] for each in client.customers.iterate({"limit": 2})]
        self.assertEqual(found, ["d", "c", "b", "a"])
        places = ["", "&startingAfter=c", "&startingAfter=a"]
        self.assertEqual(self.paths(), [f"/api/v1/customers?limit=2{place}" for place in places])

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

    def test_returns_the_event_of_a_genuine_webhook(self) -> None:
        other = "whsec_" + base64.b64encode(b"of the past").decode()
        event = verify_webhook(self.BODY, self.headers(time.time()), [other, self.SECRET])
        self.assertEqual(event["id"], "evt_1")

    def test_accepts_every_form_of_bytes(self) -> None:
        for payload in (bytearray(self.BODY), memoryview(self.BODY)):
            self.assertEqual(verify_webhook(payload, self.headers(time.time()), self.SECRET)["id"], "evt_1")

    def test_refuses_any_other(self) -> None:
        now_s = time.time()
        for payload, headers in (
            (self.BODY + b" ", self.headers(now_s)),
            (self.BODY, self.headers(now_s - 301)),
            (self.BODY, self.headers(now_s + 302)),
            (self.BODY, {**self.headers(now_s), "Webhook-Id": "evt_2"}),
            (self.BODY, {**self.headers(now_s), "Webhook-Timestamp": "9" * 5000}),
            (self.BODY, {**self.headers(now_s), "Webhook-Signature": "v1,é"}),
            (self.BODY, {}),
        ):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(payload, headers, self.SECRET, now_s=now_s)

    def test_refuses_a_secret_that_is_none(self) -> None:
        now_s = time.time()
        signed = f"evt_1.{int(now_s)}.".encode() + self.BODY
        forged = base64.b64encode(hmac.new(b"", signed, hashlib.sha256).digest()).decode()
        headers = {**self.headers(now_s), "Webhook-Signature": f"v1,{forged}"}
        secrets: list[str | list[str]] = ["", "whsec_", "whsec_é", []]
        for secret in secrets:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(self.BODY, headers, secret)

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
