"""Tests against a running engine, whose sandbox the environment variables name."""

from __future__ import annotations

import os
import unittest
from datetime import datetime
from typing import Literal

from payment_engine import Client, PaymentEngineError, types


def card(number: str) -> types.CardPaymentMethod:
    year = datetime.now().year + 2
    return {"type": "card", "card": {"number": number, "expiryMonth": 12, "expiryYear": year, "cvc": "123"}}


@unittest.skipUnless("PAYMENT_ENGINE_URL" in os.environ, "no engine is named")
class EngineTest(unittest.TestCase):
    def client(self, version: Literal[1, 2] = 1) -> Client:
        return Client(
            base_url=os.environ["PAYMENT_ENGINE_URL"],
            api_key=os.environ[f"PAYMENT_ENGINE_KEY_{version}"],
            secret_salt=os.environ[f"PAYMENT_ENGINE_SALT_{version}"],
            signature_version=version,
        )

    def test_pays_and_refunds_with_both_versions_of_the_signature(self) -> None:
        versions: tuple[Literal[1, 2], ...] = (1, 2)
        for version in versions:
            client = self.client(version)
            intent = client.payment_intents.create({"amount": 1999, "currency": "EUR", "description": "Lampe für draußen"})
            paid = client.payment_intents.confirm(intent["id"], {"paymentMethod": card("4242424242424242")})
            self.assertEqual((paid["status"], paid["amountCaptured"]), ("succeeded", 1999))
            refund = client.refunds.create({"paymentIntentId": intent["id"], "amount": 500})
            self.assertEqual(refund["amount"], 500)
            self.assertEqual(client.refunds.list({"paymentIntentId": intent["id"]})["data"][0]["id"], refund["id"])
            self.assertGreater(len(client.payment_intents.timeline(intent["id"])), 0)

    def test_makes_one_payment_for_one_idempotency_key(self) -> None:
        key = f"python-{datetime.now().timestamp()}"
        client = self.client()
        first, second = (
            client.payment_intents.create({"amount": 700, "currency": "EUR"}, idempotency_key=key) for _ in range(2)
        )
        self.assertEqual(first["id"], second["id"])

    def test_raises_a_decline_with_the_payment_after_it(self) -> None:
        client = self.client()
        intent = client.payment_intents.create({"amount": 2500, "currency": "EUR"})
        with self.assertRaises(PaymentEngineError) as raised:
            client.payment_intents.confirm(intent["id"], {"paymentMethod": card("4000000000000002")})
        error = raised.exception
        self.assertEqual((error.code, error.status), ("CARD_DECLINED", 400))
        assert error.payment_intent is not None
        self.assertEqual(error.payment_intent["status"], "requires_payment_method")

    def test_reads_all_pages_of_a_list(self) -> None:
        client = self.client()
        created = [client.customers.create({"name": name})["id"] for name in "ABC"]
        found = [customer["id"] for customer in client.customers.iterate({"limit": 2})]
        self.assertEqual(found[:3], created[::-1])
        deleted = client.customers.delete(created[0])
        self.assertTrue(deleted["deleted"])

    def test_calls_an_action_without_a_body(self) -> None:
        client = self.client()
        key = client.api_keys.create({"name": "Reader", "scopes": ["customers:read"]})
        self.assertEqual(client.api_keys.revoke(key["id"])["status"], "revoked")


if __name__ == "__main__":
    unittest.main()
