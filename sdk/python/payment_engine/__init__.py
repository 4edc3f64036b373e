"""A client of the payment engine for servers. It needs nothing but Python's standard library."""

from .client import Client
from .errors import PaymentEngineConnectionError, PaymentEngineError, WebhookVerificationError
from .generated import types
from .resource import CallOptions, Page
from .webhooks import verify_webhook

__all__ = [
    "CallOptions",
    "Client",
    "Page",
    "PaymentEngineConnectionError",
    "PaymentEngineError",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
