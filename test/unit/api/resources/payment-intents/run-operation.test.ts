import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { type Admission, UNLIMITED_ADMISSION } from '../../../../../api/admission.ts';
import { ApiError } from '../../../../../domain/api-error.ts';
import { NOT_COUNTED } from '../../../../../api/checkout-limits/decline-limits.ts';
import { runOperation, type WorkflowOperation } from '../../../../../api/resources/payment-intents/run-operation.ts';
import { ERROR_CATALOGUE } from '../../../../../domain/error-catalogue.ts';
import type { PaymentStatus } from '../../../../../domain/payment-state.ts';
import type { Database } from '../../../../../prisma/connection/client.ts';
import type { PaymentWorkflows, UpdateAnswer } from '../../../../../workflow-client/payment-workflows.ts';
import type { StoredIntent } from '../../../../../prisma/queries/payment-intent.ts';
import { parseCardPublicKey, publicKeyOf } from '../../../../../vault/card-keys.ts';
import { createKeyring } from '../../../../../vault/keyring.ts';
import type { selectOperation } from '../../../../../prisma/queries/payment.ts';
import type { RowOf, Statement } from '../../../../../prisma/connection/statement.ts';
import type { PaymentIntentInput } from '../../../../../protocol/messages.ts';
import { assertContains } from '../../../../support/assert-contains.ts';
import { storedIntent } from '../../../../support/payment-intents.ts';
import { principalWith } from '../../../../support/principal.ts';

interface Situation {
  readonly name: WorkflowOperation['name'];
  /** The workflow's answers, call by call. */
  readonly answers: readonly UpdateAnswer[];
  /** The status in the row, or one for each read; the last is repeated. */
  readonly status: PaymentStatus | readonly PaymentStatus[];
  readonly respondAsync?: boolean;
  /** What the operation's row says, read by read; the last is repeated. None where there is no row. */
  readonly operations?: readonly (Partial<RowOf<ReturnType<typeof selectOperation>>> | null)[];
  readonly confirmWaitMs?: number;
  readonly attempts?: StoredIntent['attempts'];
  readonly timing?: WorkflowOperation['timing'];
  readonly success?: WorkflowOperation['success'];
}

const OPERATION_ID = 'op_1';

function inTurn<Value>(values: readonly Value[]): () => Value | undefined {
  let next = 0;
  return () => {
    const value = values[Math.min(next, values.length - 1)];
    next += 1;
    return value;
  };
}

/** A database with an intent and, optionally, an operation. */
function databaseOf({ name, status, operations = [], attempts = [] }: Situation) {
  const nextStatus = inTurn(typeof status === 'string' ? [status] : status);
  const nextOperation = inTurn(operations);
  const reads = { operations: 0 };
  const row = async ({ sql }: Statement<object>): Promise<object | undefined> => {
    if (!sql.text.includes('payment_operation')) {
      return { ...storedIntent({ status: nextStatus() ?? 'processing' }), attempts };
    }
    reads.operations += 1;
    const operation = nextOperation();
    if (operation === undefined || operation === null) return undefined;
    const found = { id: OPERATION_ID, kind: name, request: null, result: null, lastCode: null, status: 'processing' };
    return { ...found, ...operation };
  };
  const database = { direct: { row, execute: () => Promise.resolve(1) } } as unknown as Database;
  return { database, reads };
}

async function outcomeOf(situation: Situation) {
  const { name, answers, respondAsync = false, confirmWaitMs = 15_000 } = situation;
  const started: string[] = [];
  const waits: number[] = [];
  const refusals: string[] = [];
  const { database, reads } = databaseOf(situation);
  const workflows = {
    start: async ({ paymentIntentId }: PaymentIntentInput) => void started.push(`start ${paymentIntentId}`),
    takeOver: async ({ paymentIntentId }: PaymentIntentInput, endedAs: string) => {
      started.push(`take over ${paymentIntentId}, ${endedAs}`);
      return true;
    },
  } as unknown as PaymentWorkflows;
  const declineLimits = { count: () => Promise.resolve(NOT_COUNTED) };
  const upiRequestLimits = { count: () => Promise.resolve() };
  const openConfirms = { add: () => assert.fail('nothing is counted') };
  const reported: number[] = [];
  const admission: Admission = { ...UNLIMITED_ADMISSION, report: (_startedAtMs, engineMs) => reported.push(engineMs) };
  const key = { id: 'k', bytes: randomBytes(32) };
  const keyring = createKeyring([key]);
  const cards = parseCardPublicKey(publicKeyOf(key));
  const ask = (waitMs: number): Promise<UpdateAnswer> => {
    const answer = answers[waits.length];
    waits.push(waitMs);
    return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
  };
  const operation: WorkflowOperation = {
    name,
    principal: principalWith({}),
    intent: storedIntent().intent,
    operationId: OPERATION_ID,
    sendUpdate: ask,
    onRefused: async () => void refusals.push(name),
    respondAsync,
    ...(situation.timing === undefined ? {} : { timing: situation.timing }),
    ...(situation.success === undefined ? {} : { success: situation.success }),
  };
  let failure: ApiError | undefined;
  const startedAt = performance.now();
  const limits = { admission, confirmWaitMs, failoverWithinMs: 120_000 };
  const dependencies = {
    database,
    keyring,
    cards,
    workflows,
    declineLimits,
    upiRequestLimits,
    openConfirms,
    ...limits,
  };
  const outcome = await runOperation(dependencies, operation).then(
    ({ status: httpStatus, body }) => [httpStatus, JSON.parse(body).data.status],
    (error: unknown) => {
      if (!(error instanceof ApiError)) return [String(error)];
      failure = error;
      return [error.status, error.code];
    },
  );
  const tookMs = performance.now() - startedAt;
  return { outcome, failure, started, waits, refusals, reported, tookMs, operationReads: reads.operations };
}

const done = (status: PaymentStatus): UpdateAnswer => ({ kind: 'done', result: { status, error: null } });
const failed = (code: 'CARD_DECLINED' | 'NO_TSP_AVAILABLE' | 'FRAUD_DETECTED'): UpdateAnswer => ({
  kind: 'done',
  result: { status: 'requires_payment_method', error: { code, message: 'no' } },
});
const pending: UpdateAnswer = { kind: 'pending' };
const finished: UpdateAnswer = { kind: 'finished' };
const refused: UpdateAnswer = { kind: 'refused', code: 'STATE_CONFLICT', mayBeOutdated: false };
const refusedForNow: UpdateAnswer = { ...refused, mayBeOutdated: true };

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
      'was taken up, which is all that was asked for',
      { name: 'confirm', answers: [pending], status: 'requires_payment_method', respondAsync: true, operations: [{}] },
      [200, 'requires_payment_method'],
    ],
    [
      'was refused by the workflow',
      { name: 'confirm', answers: [refused], status: 'processing' },
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
      { name: 'update', answers: [pending], status: 'requires_payment_method' },
      [503, 'SERVICE_UNAVAILABLE'],
    ],
  ] as const satisfies readonly (readonly [string, Situation, readonly [number, string]])[]) {
    it(`answers ${expected.join(' ')} to a ${situation.name} that ${what}`, async () => {
      assert.deepEqual((await outcomeOf(situation)).outcome, [...expected]);
    });
  }

  it('names the payment that a create has made if its confirm is refused', async () => {
    const success = { status: 201, additions: { clientSecret: 'pi_1_secret_2' } } as const;
    const situation = { name: 'confirm', answers: [refused], status: 'canceled' } as const;
    const { failure } = await outcomeOf({ ...situation, success });
    assert.ok(failure);
    assert.deepEqual([failure.code, failure.details?.status], ['STATE_CONFLICT', 'canceled']);
    assertContains(failure.details?.paymentIntent, { id: storedIntent().intent.id, ...success.additions });
    assert.deepEqual((await outcomeOf(situation)).failure?.details, { status: 'canceled' });
  });

  it('starts a workflow that was never started, then sends the update again', async () => {
    const answers: UpdateAnswer[] = [{ kind: 'not_started' }, done('succeeded')];
    const { outcome, started, waits } = await outcomeOf({ name: 'confirm', answers, status: 'succeeded' });
    assert.deepEqual(outcome, [200, 'succeeded']);
    assert.deepEqual([started, waits.length], [[`start ${storedIntent().intent.id}`], 2]);
    for (const waitMs of waits) assert.ok(waitMs > 14_000 && waitMs <= 15_000);
  });

  it('fails if the workflow does not start', async () => {
    const answers: UpdateAnswer[] = Array.from({ length: 3 }, () => ({ kind: 'not_started' }));
    const { outcome } = await outcomeOf({ name: 'confirm', answers, status: 'requires_payment_method' });
    assert.deepEqual(outcome, [503, 'SERVICE_UNAVAILABLE']);
  });

  describe('whose workflow has ended', () => {
    const TAKEN_OVER = `take over ${storedIntent().intent.id}, ended`;

    it('starts another run for an open payment, and sends it the update', async () => {
      const { outcome, started } = await outcomeOf({
        name: 'confirm',
        answers: [finished, done('succeeded')],
        status: ['requires_payment_method', 'succeeded'],
      });
      assert.deepEqual([outcome, started], [[200, 'succeeded'], [TAKEN_OVER]]);
    });

    it('answers SERVICE_UNAVAILABLE if run after run ends', async () => {
      const answers = [finished, finished, finished];
      const { outcome, started, refusals } = await outcomeOf({ name: 'confirm', answers, status: 'processing' });
      assert.deepEqual(outcome, [503, 'SERVICE_UNAVAILABLE']);
      assert.deepEqual([started, refusals], [[TAKEN_OVER, TAKEN_OVER, TAKEN_OVER], []]);
    });

    it('starts no other run for a payment that has ended', async () => {
      const { outcome, started, refusals } = await outcomeOf({
        name: 'capture',
        answers: [finished],
        status: 'succeeded',
      });
      assert.deepEqual(outcome, [409, 'STATE_CONFLICT']);
      assert.deepEqual([started, refusals], [[], ['capture']]);
    });

    it('returns the result in its row if an earlier run has accepted it', async () => {
      const result = { status: 'succeeded', error: null } as const;
      const operations = [{ result, status: 'succeeded' }] as const;
      const situation: Situation = { name: 'confirm', answers: [finished], status: 'succeeded', operations };
      const { outcome, refusals } = await outcomeOf(situation);
      assert.deepEqual([outcome, refusals], [[200, 'succeeded'], []]);
    });

    it('returns the outcome of the payment if its row has no result', async () => {
      const canceled: Situation = {
        name: 'cancel',
        answers: [finished],
        status: 'canceled',
        operations: [{ status: 'canceled' }],
      };
      assert.deepEqual((await outcomeOf(canceled)).outcome, [200, 'canceled']);
      assert.deepEqual((await outcomeOf({ ...canceled, name: 'capture' })).outcome, [409, 'STATE_CONFLICT']);
    });
  });

  describe('that another run refuses', () => {
    it('returns the result in its row', async () => {
      const result = { status: 'requires_payment_method', error: { code: 'CARD_DECLINED', message: 'no' } } as const;
      const { outcome, refusals } = await outcomeOf({
        name: 'confirm',
        answers: [refused],
        status: 'requires_payment_method',
        operations: [{ result }],
      });
      assert.deepEqual([outcome, refusals], [[400, 'CARD_DECLINED'], []]);
    });

    it('waits for its result if it was accepted', async () => {
      const result = { status: 'succeeded', error: null } as const;
      const { outcome, operationReads } = await outcomeOf({
        name: 'confirm',
        answers: [refused],
        status: 'succeeded',
        operations: [{}, {}, { result, status: 'succeeded' }],
      });
      assert.deepEqual([outcome, operationReads], [[200, 'succeeded'], 3]);
    });

    it('is undecided if its result does not come in time', async () => {
      const { outcome, failure, refusals } = await outcomeOf({
        name: 'capture',
        answers: [refused],
        status: 'requires_capture',
        operations: [{ status: 'requires_capture' }],
        confirmWaitMs: 250,
      });
      assert.deepEqual(outcome, [503, 'SERVICE_UNAVAILABLE']);
      assert.deepEqual([failure?.isUndecided, refusals], [true, []]);
    });

    it('is refused if no run has accepted it', async () => {
      const { outcome, refusals, failure } = await outcomeOf({
        name: 'confirm',
        answers: [refused],
        status: 'processing',
      });
      assert.deepEqual([outcome, refusals], [[409, 'STATE_CONFLICT'], ['confirm']]);
      assert.equal(failure?.isUndecided, false);
    });
  });

  describe('that a workflow refuses because of a state that the payment has left', () => {
    it('is sent again until the workflow knows the state', async () => {
      const { outcome, waits, refusals } = await outcomeOf({
        name: 'capture',
        answers: [refusedForNow, refusedForNow, done('succeeded')],
        status: ['requires_capture', 'requires_capture', 'succeeded'],
      });
      assert.deepEqual([outcome, waits.length, refusals], [[200, 'succeeded'], 3, []]);
    });

    it('answers SERVICE_UNAVAILABLE if the workflow does not know the state in time', async () => {
      const { outcome, refusals } = await outcomeOf({
        name: 'confirm',
        answers: Array.from({ length: 10 }, () => refusedForNow),
        status: 'requires_payment_method',
        confirmWaitMs: 250,
      });
      assert.deepEqual([outcome, refusals], [[503, 'SERVICE_UNAVAILABLE'], []]);
    });

    it('is refused if the row does not allow it either', async () => {
      const { outcome, refusals } = await outcomeOf({
        name: 'confirm',
        answers: [refusedForNow],
        status: 'processing',
      });
      assert.deepEqual([outcome, refusals], [[409, 'STATE_CONFLICT'], ['confirm']]);
    });
  });

  describe('with Prefer: respond-async', () => {
    it("waits only for the workflow's acceptance", async () => {
      const situation: Situation = {
        name: 'confirm',
        answers: [pending],
        status: 'processing',
        respondAsync: true,
        operations: [{}],
      };
      assert.deepEqual((await outcomeOf(situation)).waits, [0]);
    });

    it('succeeds once its row exists', async () => {
      const { outcome, operationReads } = await outcomeOf({
        name: 'confirm',
        answers: [pending],
        status: 'requires_payment_method',
        respondAsync: true,
        operations: [null, null, {}],
      });
      assert.deepEqual([outcome, operationReads], [[200, 'requires_payment_method'], 3]);
    });

    it('is undecided if its row does not come in time', async () => {
      const { outcome, failure } = await outcomeOf({
        name: 'cancel',
        answers: [pending],
        status: 'processing',
        respondAsync: true,
        confirmWaitMs: 250,
      });
      assert.deepEqual([outcome, failure?.isUndecided], [[503, 'SERVICE_UNAVAILABLE'], true]);
    });

    it('is refused at once if no run has accepted it', async () => {
      const { outcome, tookMs } = await outcomeOf({
        name: 'confirm',
        answers: [refused],
        status: 'processing',
        respondAsync: true,
      });
      assert.deepEqual(outcome, [409, 'STATE_CONFLICT']);
      assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
    });

    it('succeeds at once if an earlier run has accepted what another run refuses', async () => {
      const { outcome, tookMs } = await outcomeOf({
        name: 'confirm',
        answers: [refused],
        status: 'processing',
        respondAsync: true,
        operations: [{}],
      });
      assert.deepEqual(outcome, [200, 'processing']);
      assert.ok(tookMs < 10_000, `it took ${tookMs} ms`);
    });
  });

  describe('that is a capture without a result', () => {
    for (const lastCode of ['TSP_ERROR', 'TSP_TIMEOUT', 'TSP_UNAVAILABLE'] as const) {
      it(`answers with the reason of the last try, and stays undecided: ${lastCode}`, async () => {
        const { outcome, failure } = await outcomeOf({
          name: 'capture',
          answers: [pending],
          status: 'requires_capture',
          operations: [{ status: 'requires_capture', lastCode }],
        });
        assert.deepEqual(outcome, [ERROR_CATALOGUE[lastCode].status, lastCode]);
        assert.equal(failure?.isUndecided, true);
        assert.ok((failure?.retryAfterSeconds ?? 0) > 0);
      });
    }

    it('is undecided if the provider was not called yet', async () => {
      const { outcome, failure } = await outcomeOf({
        name: 'capture',
        answers: [pending],
        status: 'requires_capture',
        operations: [{ status: 'requires_capture' }],
      });
      assert.deepEqual([outcome, failure?.isUndecided], [[503, 'SERVICE_UNAVAILABLE'], true]);
    });
  });

  describe('whose duration admission measures', () => {
    const MINUTE = '2026-06-01T12:00';
    const attempt = (number: number, startedAt: string, finishedAt: string | null) => ({
      id: `att_${number}`,
      number,
      routeId: 'route_1',
      provider: 'alpha',
      paymentMethodId: 'pm_1',
      amountMinor: 1_234,
      currency: 'USD',
      tries: 1,
      outcome: null,
      code: null,
      providerPaymentId: null,
      startedAt: `${MINUTE}:${startedAt}Z`,
      finishedAt: finishedAt === null ? null : `${MINUTE}:${finishedAt}Z`,
    });
    const earlier = attempt(1, '00', '02');
    const timesOf = async (
      situation: Pick<Situation, 'answers' | 'status' | 'attempts'>,
    ): Promise<readonly number[]> => {
      const timing = { startedAtMs: Date.now() - 10_000, earlierAttempts: 1 };
      const { reported } = await outcomeOf({ name: 'confirm', ...situation, timing });
      return reported.map((ms) => Math.floor(ms / 1_000));
    };

    it('counts without its attempts, from the start of the first to the end of the last', async () => {
      const attempts = [earlier, attempt(2, '10', '14'), attempt(3, '15', '17')];
      assert.deepEqual(await timesOf({ answers: [done('succeeded')], status: 'succeeded', attempts }), [3]);
      assert.deepEqual(await timesOf({ answers: [done('succeeded')], status: 'succeeded', attempts: [earlier] }), [10]);
    });

    it('counts up to the first attempt while an attempt is open, whether or not the workflow has answered', async () => {
      for (const [answer, status] of [
        [done('requires_action'), 'requires_action'],
        [pending, 'processing'],
      ] as const) {
        const open = { ...attempt(2, '10', null), startedAt: new Date(Date.now() - 6_500).toISOString() };
        assert.deepEqual(await timesOf({ answers: [answer], status, attempts: [earlier, open] }), [3]);
      }
    });

    it('counts whole where the workflow has not answered in time', async () => {
      assert.deepEqual(await timesOf({ answers: [pending], status: 'requires_payment_method' }), [10]);
    });
  });
});
