import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { ApiError } from '../../../api/errors.ts';
import { carryOut, type Operation } from '../../../api/payment-intents/operation.ts';
import type { PaymentStatus } from '../../../domain/payment-state.ts';
import type { Database } from '../../../prisma/client.ts';
import type { PaymentWorkflows, UpdateAnswer } from '../../../temporal/payment-workflows.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { storedIntent } from '../../support/payment-intents.ts';

interface Situation {
  readonly name: Operation['name'];
  /** What the workflow answers, call by call. */
  readonly answers: readonly UpdateAnswer[];
  /** What the row says afterwards. */
  readonly status: PaymentStatus;
  readonly respondAsync?: boolean;
}

async function outcomeOf({ name, answers, status, respondAsync = false }: Situation) {
  const started: string[] = [];
  const waits: number[] = [];
  const database = {
    direct: { query: () => Promise.resolve([storedIntent({ status })]), execute: () => Promise.resolve(1) },
  } as unknown as Database;
  const workflows = {
    start: ({ paymentIntentId }: { paymentIntentId: string }) => Promise.resolve(void started.push(paymentIntentId)),
  } as unknown as PaymentWorkflows;
  const access = {
    apiKeyId: 'key_1',
    merchantId: 'org_1',
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    attemptBudget: 5,
    scopes: [],
  } as const;
  const keyring = parseKeyring(`k:${randomBytes(32).toString('base64')}`);
  const startMarks = { note: () => undefined, close: () => Promise.resolve() };
  const ask = (waitMs: number): Promise<UpdateAnswer> => {
    const answer = answers[waits.length];
    waits.push(waitMs);
    return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
  };
  const operation = { name, access, intent: storedIntent().intent, ask, respondAsync };
  const outcome = await carryOut({ database, keyring, workflows, startMarks, confirmWaitMs: 15_000 }, operation).then(
    ({ status: httpStatus, body }) => [httpStatus, JSON.parse(body).data.status],
    (error: unknown) => (error instanceof ApiError ? [error.status, error.code] : [String(error)]),
  );
  return { outcome, started, waits };
}

const done = (status: PaymentStatus): UpdateAnswer => ({ kind: 'done', result: { status, error: null } });
const failed = (code: 'CARD_DECLINED' | 'NO_TSP_AVAILABLE' | 'FRAUD_DETECTED'): UpdateAnswer => ({
  kind: 'done',
  result: { status: 'requires_payment_method', error: { code, message: 'no' } },
});
const pending: UpdateAnswer = { kind: 'pending' };

describe('an operation on a payment intent', () => {
  for (const [what, situation, expected] of [
    ['succeeded', { name: 'confirm', answers: [done('succeeded')], status: 'succeeded' }, [200, 'succeeded']],
    [
      'was declined',
      { name: 'confirm', answers: [failed('CARD_DECLINED')], status: 'requires_payment_method' },
      [400, 'CARD_DECLINED'],
    ],
    [
      'had no route',
      { name: 'confirm', answers: [failed('NO_TSP_AVAILABLE')], status: 'requires_payment_method' },
      [503, 'NO_TSP_AVAILABLE'],
    ],
    ['still runs', { name: 'confirm', answers: [pending], status: 'processing' }, [200, 'processing']],
    [
      'shows no sign of life',
      { name: 'confirm', answers: [pending], status: 'requires_payment_method' },
      [503, 'SERVICE_UNAVAILABLE'],
    ],
    [
      'failed as the wait for it ended',
      { name: 'confirm', answers: [pending, failed('FRAUD_DETECTED')], status: 'failed' },
      [400, 'FRAUD_DETECTED'],
    ],
    [
      'was accepted, which is all that was asked for',
      { name: 'confirm', answers: [pending], status: 'requires_payment_method', respondAsync: true },
      [200, 'requires_payment_method'],
    ],
    [
      'was refused by the workflow',
      { name: 'confirm', answers: [{ kind: 'refused', code: 'STATE_CONFLICT' }], status: 'processing' },
      [409, 'STATE_CONFLICT'],
    ],
    [
      'came after the expiry',
      { name: 'confirm', answers: [{ kind: 'finished' }], status: 'expired' },
      [409, 'PAYMENT_EXPIRED'],
    ],
    [
      'came after the end',
      { name: 'cancel', answers: [{ kind: 'finished' }], status: 'expired' },
      [409, 'STATE_CONFLICT'],
    ],
    ['canceled', { name: 'cancel', answers: [pending], status: 'canceled' }, [200, 'canceled']],
    [
      'waits for the provider',
      { name: 'cancel', answers: [pending], status: 'processing' },
      [503, 'SERVICE_UNAVAILABLE'],
    ],
    [
      'waits for a worker',
      { name: 'amend', answers: [pending], status: 'requires_payment_method' },
      [503, 'SERVICE_UNAVAILABLE'],
    ],
  ] as const satisfies readonly (readonly [string, Situation, readonly [number, string]])[]) {
    it(`answers ${expected.join(' ')} to a ${situation.name} that ${what}`, async () => {
      assert.deepEqual((await outcomeOf(situation)).outcome, [...expected]);
    });
  }

  it('starts a workflow that was never started, then asks again', async () => {
    const answers: UpdateAnswer[] = [{ kind: 'not_started' }, done('succeeded')];
    const { outcome, started, waits } = await outcomeOf({ name: 'confirm', answers, status: 'succeeded' });
    assert.deepEqual(outcome, [200, 'succeeded']);
    assert.deepEqual([started, waits], [[storedIntent().intent.id], [15_000, 15_000]]);
  });

  it('gives up on a workflow that does not start', async () => {
    const answers: UpdateAnswer[] = [{ kind: 'not_started' }, { kind: 'not_started' }];
    const { outcome } = await outcomeOf({ name: 'confirm', answers, status: 'requires_payment_method' });
    assert.deepEqual(outcome, [503, 'SERVICE_UNAVAILABLE']);
  });

  it('waits for acceptance only where the client wants no outcome', async () => {
    const situation: Situation = { name: 'confirm', answers: [pending], status: 'processing', respondAsync: true };
    assert.deepEqual((await outcomeOf(situation)).waits, [0]);
  });
});
