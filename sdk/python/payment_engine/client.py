from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from .generated.resources import Resources
from .signing import Credentials
from .transport import Transport


class Client(Resources):
    """The operations of the engine by resource: `client.payment_intents.create({...})`.

    Each try of a call is signed, a POST gets an idempotency key, and transient failures are retried under the same
    key after 1, 2 and 4 seconds, or when the engine says. A call raises PaymentEngineError with the engine's code, and
    PaymentEngineConnectionError when no try got a response. The client keeps nothing open, and threads may share it.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        secret_salt: str,
        merchant_id: str | None = None,
        signature_version: Literal[1, 2] = 2,
        timeout_s: float = 30.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """
        `base_url` has no path: `https://payments.example`. `merchant_id` is the account to act for; without it, the one
        that the key was issued to. `signature_version` is that of the key. `timeout_s` is for one try; a payment's
        outcome is waited for up to 15 seconds. `sleep` waits between two tries. Raises ValueError for a URL of another
        kind.
        """
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url has to begin with https:// or http://")
        credentials = Credentials(api_key, secret_salt, signature_version)
        super().__init__(Transport(base_url, credentials, merchant_id, timeout_s, sleep))
