"""Pays with the client that the OpenAPI generator has made of the document, which knows nothing of this engine besides."""

import hashlib
import hmac
import os
import uuid
from datetime import datetime, timezone

from payment_engine import ApiClient, Configuration
from payment_engine.api import PaymentIntentsApi
from payment_engine.models import ConfirmPaymentIntentRequest, CreatePaymentIntentRequest

SECRET_SALT = os.environ["CONFORMANCE_SECRET_SALT"]


class SigningPool:
    """Stands before the client's connections and signs what goes out, over the bytes that are sent."""

    def __init__(self, pool):
        self.pool = pool

    def request(self, method, url, body=None, headers=None, **options):
        timestamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        data = (body or "").encode() if not isinstance(body, bytes) else body
        nonce = uuid.uuid4().hex
        context = [(headers or {}).get(name, "") for name in ("X-Merchant-ID", "X-Idempotency-Key")]
        target = url.removeprefix(os.environ["CONFORMANCE_BASE_URL"])
        lines = ["v2", method, target, timestamp, nonce, *context, hashlib.sha256(data).hexdigest()]
        signature = hmac.new(SECRET_SALT.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()
        signed = {**(headers or {}), "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature}
        return self.pool.request(method, url, body=body, headers=signed, **options)


configuration = Configuration(
    host=os.environ["CONFORMANCE_BASE_URL"],
    access_token=os.environ["CONFORMANCE_API_KEY"],
)

with ApiClient(configuration) as client:
    client.rest_client.pool_manager = SigningPool(client.rest_client.pool_manager)
    intents = PaymentIntentsApi(client)
    created = intents.create_payment_intent(
        CreatePaymentIntentRequest(amount=1999, currency="EUR", country="DE", description="A lamp")
    ).data
    card = {"number": "4242424242424242", "expiryMonth": 12, "expiryYear": datetime.now().year + 3, "cvc": "123"}
    request = ConfirmPaymentIntentRequest.from_dict({"paymentMethod": {"type": "card", "card": card}})
    confirmed = intents.confirm_payment_intent(created.id, confirm_payment_intent_request=request).data
    assert confirmed.status == "succeeded", confirmed.status
    assert confirmed.amount_captured == 1999, confirmed.amount_captured
    read = intents.get_payment_intent(created.id).data
    assert read.status == "succeeded", read.status
    listed = intents.list_payment_intents(limit=1).data
    assert listed[0].id == created.id, listed[0].id
    print(f"{created.id} was created, confirmed and read: {read.status}, {read.amount_captured} {read.currency}")
