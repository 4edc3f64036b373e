/** The shape of Cashfree's errors. */
export interface LedgerError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly type?: string;
}

export class LedgerRefusal extends Error {
  constructor(readonly error: LedgerError) {
    super(error.message);
  }
}

export function refusal(status: number, code: string, message: string, type = 'invalid_request_error'): LedgerRefusal {
  return new LedgerRefusal({ status, code, message, type });
}
