import assert from 'node:assert/strict';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { applyAmendment } from '../../activities/apply-amendment.ts';
import { recordChange } from '../../activities/record-change.ts';
import { attemptIdOf, transactionIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { type PaymentChange, RECORD_OVERTAKEN } from '../../domain/payment-change.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../support/payment-rows.ts';
import { amendmentOf, approval, AT, attemptOf, recordsOf, RUN } from '../support/payment-steps.ts';

const LATER = '2026-01-01T00:00:10.000Z';
const OVERTAKEN = { type: RECORD_OVERTAKEN, nonRetryable: true };

describe('steps of a payment that were written, but lost with their worker', () => {
  let test: TestDatabase;
  let accountId: string;

  before(async function start() {
    this.timeout(60_000);
    test = await createTestDatabase();
    accountId = await insertMerchantAccount(test.database);
  });
  after(() => test.close());

  const newIntent = (): Promise<string> => insertPaymentIntent(test.database, accountId);
  const record = (change: PaymentChange, runId = RUN): Promise<number> => recordChange(test.database, change, runId);
  const rowsOf = (id: string) => recordsOf(test.database, id);

  const nothingYet = (id: string, overrides: Partial<PaymentChange>): PaymentChange => {
    const change = approval(id, { attempts: [], transactions: [], transactionCount: 0, events: [], ...overrides });
    const columns = { status: 'requires_payment_method', provider: null, amountCapturedMinor: 0 } as const;
    return { ...change, columns: { ...change.columns, ...columns, ...overrides.columns } };
  };
  const refusal = (id: string, overrides: Partial<PaymentChange> = {}): PaymentChange =>
    nothingYet(id, { timeline: [{ kind: 'decision', summary: 'Not attempted: NO_TSP_AVAILABLE' }], ...overrides });
  const opening = (id: string, provider: string, overrides: Partial<PaymentChange> = {}): PaymentChange => {
    const change = nothingYet(id, {
      attempts: [attemptOf(id, { provider, outcome: null, providerPaymentId: null, finishedAt: null })],
      timeline: [{ kind: 'attempt', summary: `Attempt 1 goes to ${provider}` }],
      events: [{ type: 'payment_intent.processing' }],
      ...overrides,
    });
    return { ...change, columns: { ...change.columns, status: 'processing', provider } };
  };
  const cancellation = (id: string, overrides: Partial<PaymentChange> = {}): PaymentChange => {
    const change = nothingYet(id, {
      timeline: [{ kind: 'request', summary: 'Canceled (duplicate)' }],
      events: [{ type: 'payment_intent.canceled' }],
      ...overrides,
    });
    return { ...change, columns: { ...change.columns, status: 'canceled', cancellationReason: 'duplicate' } };
  };

  it('stay where an attempt was answered of which the later decision knows nothing, so that no end is taken back', async () => {
    const id = await newIntent();
    await record(opening(id, 'alpha'));
    const answered = attemptOf(id, { outcome: 'failed', code: 'FRAUD_DETECTED' });
    const failed = nothingYet(id, {
      fromVersion: 1,
      attempts: [answered],
      timeline: [{ kind: 'decision', summary: 'Failed (FRAUD_DETECTED)' }],
      events: [{ type: 'payment_intent.payment_failed' }],
    });
    await record({ ...failed, columns: { ...failed.columns, status: 'failed', provider: 'alpha' } });
    const stuck = opening(id, 'alpha', {
      fromVersion: 1,
      at: LATER,
      timeline: [{ kind: 'timer', summary: 'Stuck' }],
      events: [{ type: 'payment_intent.stuck' }],
    });
    await assert.rejects(record(stuck), OVERTAKEN);
    const { intent, events } = await rowsOf(id);
    assert.deepEqual([intent.status, intent.version], ['failed', 2]);
    assert.equal(events.at(-1)?.type, 'payment_intent.payment_failed');
  });

  it('are replaced by the later decision, once, under a version of its own', async () => {
    const id = await newIntent();
    await record(cancellation(id));
    const later = approval(id, { at: LATER });
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => record(later)));
    assert.ok(settled.some(({ status }) => status === 'fulfilled'));
    assert.equal(await record(later), 2);
    const { intent, transactions, timeline, events } = await rowsOf(id);
    assert.deepEqual([intent.status, intent.version, intent.cancellationReason], ['succeeded', 2, null]);
    assert.equal(transactions.length, 1);
    assert.deepEqual(
      timeline.map(({ version, ordinal, details }) => [version, ordinal, details]),
      [
        [1, 1, { lost: true }],
        [2, 1, null],
        [2, 2, { captured: true }],
      ],
    );
    assert.deepEqual(
      events.map(({ type, version }) => [type, version]),
      [
        ['payment_intent.canceled', 1],
        ['transaction.created', 2],
        ['payment_intent.succeeded', 2],
      ],
    );
  });

  it('are replaced though several were lost together, with the attempts that nobody acted upon', async () => {
    const id = await newIntent();
    await record(refusal(id));
    await record(opening(id, 'alpha', { fromVersion: 1 }));
    assert.equal(await record(cancellation(id, { at: LATER })), 3);
    const { intent, attempts } = await rowsOf(id);
    assert.deepEqual([intent.status, intent.version, attempts], ['canceled', 3, []]);
  });

  it('are passed over one by one where the same is decided again, until something else is', async () => {
    const id = await newIntent();
    await record(refusal(id));
    await record(opening(id, 'alpha', { fromVersion: 1 }));
    const once = await rowsOf(id);
    assert.equal(await record(refusal(id, { at: LATER })), 1);
    assert.equal(await record(opening(id, 'alpha', { at: LATER, fromVersion: 1 })), 2);
    assert.deepEqual(await rowsOf(id), once);
    assert.equal(await record(cancellation(id, { at: LATER, fromVersion: 1 })), 3);
  });

  it('tell of the route that was taken, where the lost decision had chosen another one', async () => {
    const id = await newIntent();
    await record(opening(id, 'alpha'));
    assert.equal(await record(opening(id, 'beta', { at: LATER })), 2);
    const { intent, attempts } = await rowsOf(id);
    assert.deepEqual([intent.provider, attempts.map(({ provider }) => provider)], ['beta', ['beta']]);
  });

  describe('whose provider may have been called', () => {
    const calledAtOnce = (id: string, provider: string, overrides: Partial<PaymentChange> = {}): PaymentChange => {
      const change = opening(id, provider, overrides);
      return { ...change, attempts: change.attempts.map((attempt) => ({ ...attempt, calledAtOnce: true })) };
    };

    it('are never replaced by a decision that knows nothing of the call', async () => {
      const id = await newIntent();
      const amendmentId = newId('amendment');
      await test.database.paymentIntentAmendment.create({
        data: { id: amendmentId, paymentIntentId: id, changes: { amountMinor: 2_500 } },
      });
      await record(calledAtOnce(id, 'alpha'));
      const before = await rowsOf(id);
      await assert.rejects(record(cancellation(id, { at: LATER })), OVERTAKEN);
      await assert.rejects(record(refusal(id, { at: LATER })), OVERTAKEN);
      await assert.rejects(applyAmendment(test.database, amendmentOf(id, amendmentId, { at: LATER }), RUN), OVERTAKEN);
      assert.deepEqual(await rowsOf(id), before);
    });

    it('are never replaced by a call elsewhere, nor by another method', async () => {
      const id = await newIntent();
      await record(calledAtOnce(id, 'alpha'));
      const before = await rowsOf(id);
      await assert.rejects(record(calledAtOnce(id, 'beta', { at: LATER })), OVERTAKEN);
      const otherCard = [{ ...attemptOf(id), outcome: null, paymentMethodId: 'pm_2', calledAtOnce: true }];
      await assert.rejects(record(opening(id, 'alpha', { at: LATER, attempts: otherCard })), OVERTAKEN);
      assert.deepEqual(await rowsOf(id), before);
    });

    it('are written anew where the same is decided again, but this time with a call', async () => {
      const id = await newIntent();
      await record(opening(id, 'alpha'));
      assert.equal(await record(calledAtOnce(id, 'alpha', { at: LATER })), 2);
      await assert.rejects(record(cancellation(id, { at: '2026-01-01T00:00:20.000Z' })), OVERTAKEN);
    });

    it('are passed over where the same call is decided again, with what it brought', async () => {
      const id = await newIntent();
      const succeeded = approval(id, { fromVersion: 1, attempts: [{ ...attemptOf(id), calledAtOnce: true }] });
      await record(calledAtOnce(id, 'alpha'));
      await record(succeeded);
      const before = await rowsOf(id);
      assert.equal(await record(calledAtOnce(id, 'alpha', { at: LATER })), 1);
      assert.equal(await record({ ...succeeded, at: LATER }), 2);
      assert.deepEqual(await rowsOf(id), before);
    });
  });

  it('stand against an earlier decision that arrives late', async () => {
    const id = await newIntent();
    await record(approval(id, { at: LATER }));
    await assert.rejects(record(cancellation(id)), OVERTAKEN);
    assert.equal((await rowsOf(id)).intent.status, 'succeeded');
  });

  it('are not what another run has written, which stands', async () => {
    const id = await newIntent();
    await record(opening(id, 'alpha'), 'run_0');
    await assert.rejects(record(cancellation(id, { at: LATER })), OVERTAKEN);
    const { intent, attempts } = await rowsOf(id);
    assert.deepEqual([intent.status, intent.version, attempts.length], ['processing', 1, 1]);
    await assert.rejects(record(opening(id, 'alpha', { at: LATER })), OVERTAKEN);
  });

  it('never forget an attempt that a provider has answered, nor money', async () => {
    const answered = await newIntent();
    const declined = attemptOf(answered, { outcome: 'declined' });
    await record(opening(answered, 'alpha', { attempts: [declined] }));
    await assert.rejects(record(cancellation(answered, { at: LATER })), OVERTAKEN);
    assert.equal((await rowsOf(answered)).attempts.length, 1);
    const charged = await newIntent();
    await record(approval(charged, { attempts: [] }));
    await assert.rejects(record(cancellation(charged, { at: LATER })), OVERTAKEN);
    assert.deepEqual(
      (await rowsOf(charged)).transactions.map(({ id }) => id),
      [transactionIdOf(charged, 1)],
    );
  });

  it('let an amendment be applied in their place, and leave nothing of theirs', async () => {
    const id = await newIntent();
    const amend = async (amountMinor: number): Promise<string> => {
      const amendmentId = newId('amendment');
      await test.database.paymentIntentAmendment.create({
        data: { id: amendmentId, paymentIntentId: id, changes: { amountMinor } },
      });
      return amendmentId;
    };
    const [lost, next] = [await amend(2_500), await amend(3_000)];
    await applyAmendment(test.database, amendmentOf(id, lost), RUN);
    await record(opening(id, 'alpha', { fromVersion: 1 }));
    const { amountMinor, version } = await applyAmendment(test.database, amendmentOf(id, next, { at: LATER }), RUN);
    assert.deepEqual([amountMinor, version], [3_000, 3]);
    const { intent, attempts } = await rowsOf(id);
    assert.deepEqual([intent.status, intent.version, attempts], ['requires_payment_method', 3, []]);
    const again = await applyAmendment(test.database, amendmentOf(id, lost, { at: LATER, fromVersion: 3 }), RUN);
    assert.equal(again.version, 3);
  });

  it('never matter in the end, whatever was decided and lost before', async () => {
    const decisions = [
      (id: string, at: string, fromVersion: number) => refusal(id, { at, fromVersion }),
      (id: string, at: string, fromVersion: number) => opening(id, 'alpha', { at, fromVersion }),
      (id: string, at: string, fromVersion: number) => opening(id, 'beta', { at, fromVersion }),
      (id: string, at: string, fromVersion: number) => cancellation(id, { at, fromVersion }),
    ] as const;
    const task = fc.record({
      kept: fc.nat({ max: 2 }),
      choices: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 5 }), async (tasks) => {
        const id = await newIntent();
        let known = 0;
        for (const [index, { choices, kept }] of tasks.entries()) {
          let version = known;
          for (const [step, choice] of choices.entries()) {
            const at = new Date(Date.parse(AT) + index * 1_000 + step).toISOString();
            const decide = decisions[choice] ?? decisions[0];
            version = await record(decide(id, at, version));
            if (step < kept && index < tasks.length - 1) known = version;
          }
        }
        const last = approval(id, { at: LATER, fromVersion: known });
        const version = await record(last);
        const { intent, attempts, transactions, timeline } = await rowsOf(id);
        assert.deepEqual([intent.version, intent.status], [version, 'succeeded']);
        assert.deepEqual(
          attempts.map(({ id: attemptId, outcome }) => [attemptId, outcome]),
          [[attemptIdOf(id, 1), 'approved']],
        );
        assert.equal(transactions.length, 1);
        const versions = new Set(timeline.map((line) => line.version));
        assert.deepEqual(
          [...versions],
          Array.from({ length: version }, (_, step) => step + 1),
        );
      }),
      { numRuns: 40 },
    );
  });
});
