import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  canTransition,
  INITIAL_STATUS,
  isTerminal,
  OPERATION_STATUSES,
  PAYMENT_STATUSES,
  TERMINAL_STATUSES,
  refusalOf,
  TRANSITIONS,
  type PaymentOperation,
  type PaymentStatus,
} from '../../../domain/payment-state.ts';

const OPERATIONS = Object.keys(OPERATION_STATUSES).filter((name): name is PaymentOperation =>
  Object.hasOwn(OPERATION_STATUSES, name),
);

describe('payment states', () => {
  it('are all reachable from the initial state', () => {
    const reached = new Set<PaymentStatus>([INITIAL_STATUS]);
    for (const status of reached) for (const next of TRANSITIONS[status]) reached.add(next);
    assert.deepEqual([...reached].sort(), [...PAYMENT_STATUSES].sort());
  });

  it('can all reach a terminal state', () => {
    const canEnd = (status: PaymentStatus, seen: readonly PaymentStatus[] = []): boolean =>
      isTerminal(status) || TRANSITIONS[status].some((next) => !seen.includes(next) && canEnd(next, [...seen, status]));
    for (const status of PAYMENT_STATUSES) assert.ok(canEnd(status), status);
  });

  it('have exactly four terminal ones', () => {
    assert.deepEqual(TERMINAL_STATUSES, ['succeeded', 'failed', 'canceled', 'expired']);
  });

  it('never leave a terminal one, on any walk through the table', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PAYMENT_STATUSES), { maxLength: 30 }), (wishes) => {
        let status: PaymentStatus = INITIAL_STATUS;
        for (const wish of wishes) {
          if (!canTransition(status, wish)) continue;
          assert.ok(!isTerminal(status));
          status = wish;
        }
      }),
    );
  });

  it('reach a charge only through processing', () => {
    const withMoney: PaymentStatus[] = ['succeeded', 'requires_capture', 'requires_action'];
    assert.ok(!TRANSITIONS.requires_payment_method.some((next) => withMoney.includes(next)));
  });
});

describe('operations on a payment', () => {
  it('are refused in every terminal state', () => {
    for (const operation of OPERATIONS) {
      for (const status of TERMINAL_STATUSES) assert.ok(refusalOf(operation, status) !== undefined);
    }
  });

  it('refuse a confirm of an expired intent with PAYMENT_EXPIRED, and others with STATE_CONFLICT', () => {
    assert.equal(refusalOf('confirm', 'expired'), 'PAYMENT_EXPIRED');
    assert.equal(refusalOf('cancel', 'expired'), 'STATE_CONFLICT');
    assert.equal(refusalOf('confirm', 'processing'), 'STATE_CONFLICT');
    assert.equal(refusalOf('confirm', 'requires_payment_method'), undefined);
    assert.equal(refusalOf('cancel', 'processing'), undefined);
  });
});
