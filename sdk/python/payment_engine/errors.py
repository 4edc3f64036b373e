from __future__ import annotations

from .generated.types import ApiError, ErrorCode, ErrorDetails, ErrorType, FailedPaymentIntent, Refund


class PaymentEngineError(Exception):
    """The engine rejected the request or could not carry it out; `code` says why."""

    def __init__(self, status: int, error: ApiError) -> None:
        super().__init__(error.get("message", error["code"]))
        self.code: ErrorCode = error["code"]
        #: The family of the code.
        self.type: ErrorType | None = error.get("type")
        #: The HTTP status.
        self.status = status
        self.details: ErrorDetails = error.get("details") or {}
        #: For support: finds the request in the logs.
        self.request_id: str | None = error.get("requestId")

    @property
    def payment_intent(self) -> FailedPaymentIntent | None:
        """The payment intent as the failure left it; of failed payments. A failed creation has its `clientSecret`."""
        return self.details.get("paymentIntent")

    @property
    def refund(self) -> Refund | None:
        """The refund as the failure left it; of failed refunds."""
        return self.details.get("refund")


class PaymentEngineConnectionError(Exception):
    """No understandable answer came: whether the engine acted is unknown. The same request may be sent again."""


class WebhookVerificationError(Exception):
    """The webhook is not from the engine, was changed on its way, or is more than 5 minutes old."""
