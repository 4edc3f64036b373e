import type { ApiError, ErrorCode, ErrorDetails, ErrorType, FailedPaymentIntent, Refund } from './generated/schemas.ts';

/** The engine rejected the request or could not carry it out; `code` says why. */
export class PaymentEngineError extends Error {
  override readonly name = 'PaymentEngineError';
  readonly code: ErrorCode;
  /** The family of the code. */
  readonly type: ErrorType;
  /** The HTTP status. */
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  /** For support: finds the request in the logs. */
  readonly requestId: string;

  constructor(status: number, { code, message, type, details, requestId }: ApiError) {
    super(message);
    this.code = code;
    this.type = type;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
  }

  /** The payment intent as the failure left it; of failed payments. A failed creation has its `clientSecret`. */
  get paymentIntent(): FailedPaymentIntent | undefined {
    return this.details?.paymentIntent;
  }

  /** The refund as the failure left it; of failed refunds. */
  get refund(): Refund | undefined {
    return this.details?.refund;
  }
}

/** No understandable answer came: whether the engine acted is unknown. The same request may be sent again. */
export class PaymentEngineConnectionError extends Error {
  override readonly name = 'PaymentEngineConnectionError';
}
