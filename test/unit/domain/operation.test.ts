import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { conflict, type OperationKind, resultOf } from '../../../domain/operation.ts';
import { isTerminal, PAYMENT_STATUSES, TERMINAL_STATUSES } from '../../../domain/payment-state.ts';

const KINDS: readonly OperationKind[] = ['confirm', 'capture', 'cancel'];
const operationOf = (kind: OperationKind) => ({ id: 'operation_1', kind, request: null, result: null });

describe('the result of an operation', () => {
  it('is the stored one if there is one, whatever the state of the payment', () => {
    const result = { status: 'requires_capture', error: { code: 'PROVIDER_VALIDATION_ERROR', message: 'no' } } as const;
    for (const kind of KINDS) {
      for (const status of PAYMENT_STATUSES) assert.equal(resultOf({ ...operationOf(kind), result }, status), result);
    }
  });

  it('is null until the payment has ended', () => {
    for (const kind of KINDS) {
      for (const status of PAYMENT_STATUSES) {
        assert.equal(resultOf(operationOf(kind), status) === null, !isTerminal(status));
      }
    }
  });

  it("follows from the payment's terminal state: succeeded, or superseded", () => {
    const done = { confirm: 'succeeded', capture: 'succeeded', cancel: 'canceled' } as const;
    for (const kind of KINDS) {
      for (const status of TERMINAL_STATUSES) {
        const error = status === done[kind] ? null : conflict(kind, status);
        assert.deepEqual(resultOf(operationOf(kind), status), { status, error });
      }
    }
  });

  it('is the conflict with which the API refuses the operation in that state', () => {
    assert.equal(conflict('confirm', 'expired').code, 'PAYMENT_EXPIRED');
    assert.equal(conflict('capture', 'expired').code, 'STATE_CONFLICT');
    assert.equal(conflict('cancel', 'succeeded').code, 'STATE_CONFLICT');
  });
});
