import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { recordStep } from '../../../activities/record-step.ts';
import { attemptIdOf, transactionIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import {
  CHECK_AFTER_MS,
  DATABASE_BEHIND_HISTORY,
  type PaymentRecord,
  type PaymentStep,
  RUN_OUT_OF_DATE,
} from '../../../domain/payment-step.ts';
import type { PaymentStore } from '../../../prisma/stores/payment-store.ts';
import { selectOperation } from '../../../prisma/queries/payment.ts';
import { inActivity } from '../../support/activity-context.ts';
import { useAccount } from '../../support/account-fixture.ts';
import type { insertPaymentIntent } from '../../support/payment-rows.ts';
import {
  approval,
  AT,
  attemptOf,
  note,
  openAttemptOf,
  opening,
  operationIdOf,
  record,
  recordPaid,
  recordsOf,
  RUN,
  type StepOptions,
  uncharged,
} from '../../support/payment-steps.ts';

const LATER = '2026-01-01T00:00:10.000Z';
const OUT_OF_DATE = { type: RUN_OUT_OF_DATE, nonRetryable: true };

describe('a step of a payment', function () {
  this.timeout(60_000);
  const test = useAccount();

  const newIntent = (overrides: Parameters<typeof insertPaymentIntent>[2] = {}): Promise<string> =>
    test.insertIntent(overrides);
  const write = (id: string, step: PaymentStep, options?: StepOptions): Promise<PaymentRecord> =>
    record(test.database, id, step, options);
  const rowsOf = (id: string) => recordsOf(test.database, id);
  const summariesOf = async (id: string): Promise<(readonly [number, string])[]> =>
    (await rowsOf(id)).timeline.map(({ version, summary }) => [version, summary]);

  it('writes everything that it changes', async () => {
    const id = await newIntent();
    const returned = await recordPaid(test.database, id);
    const { intent, attempts, transactions, timeline, events } = await rowsOf(id);
    assert.deepEqual([returned.version, returned.columns.status], [2, 'succeeded']);
    assert.deepEqual([intent.version, intent.status, intent.workflowRunId], [2, 'succeeded', RUN]);
    assert.deepEqual([intent.amountCapturedMinor, intent.provider], [1_000n, 'alpha']);
    assert.deepEqual(
      attempts.map(({ id: attemptId, outcome, operationId }) => [attemptId, outcome, operationId]),
      [[attemptIdOf(id, 1), 'approved', operationIdOf(id)]],
    );
    assert.deepEqual(
      transactions.map(({ type, amountMinor }) => [type, amountMinor]),
      [['capture', 1_000n]],
    );
    assert.deepEqual(
      timeline.map(({ version, ordinal, kind }) => [version, ordinal, kind]),
      [
        [1, 1, 'attempt'],
        [2, 1, 'attempt'],
        [2, 2, 'decision'],
      ],
    );
    assert.deepEqual(
      events.map(({ type, resourceId, version }) => [type, resourceId, version]),
      [
        ['payment_intent.processing', id, 1],
        ['transaction.created', transactionIdOf(id, 1, 'capture'), 2],
        ['payment_intent.succeeded', id, 2],
      ],
    );
  });

  it('returns the payment as the rows hold it afterwards', async () => {
    const id = await newIntent();
    const returned = await recordPaid(test.database, id);
    const stored = await test.store.read({ paymentIntentId: id });
    assert.deepEqual(stored?.record, returned);
  });

  it('publishes no internal data', async () => {
    const id = await newIntent();
    await recordPaid(test.database, id);
    const { events } = await rowsOf(id);
    assert.equal(events.length, 3);
    for (const { snapshot } of events) {
      const published = JSON.stringify(snapshot);
      for (const column of ['client_secret_hash', 'workflow_run_id', 'next_due_at']) {
        assert.ok(!published.includes(column), column);
      }
    }
  });

  describe('that is repeated', () => {
    it('changes nothing, and returns the payment as it is', async () => {
      const id = await newIntent();
      const stepId = newId('request');
      const first = await write(id, opening(id), { stepId });
      const once = await rowsOf(id);
      assert.deepEqual(await write(id, opening(id), { stepId }), first);
      assert.deepEqual(await write(id, opening(id), { stepId, at: LATER }), first);
      assert.deepEqual(await rowsOf(id), once);
    });

    it('changes nothing if other steps have followed', async () => {
      const id = await newIntent();
      const stepId = newId('request');
      await write(id, opening(id), { stepId });
      const paid = await write(id, approval(id));
      assert.deepEqual(await write(id, opening(id), { stepId }), paid);
      assert.equal((await rowsOf(id)).intent.version, 2);
    });

    it('is written once by many concurrent calls', async () => {
      const id = await newIntent();
      const stepId = newId('request');
      await Promise.all(Array.from({ length: 10 }, () => write(id, opening(id), { stepId })));
      const { intent, events, attempts } = await rowsOf(id);
      assert.deepEqual([intent.version, events.length, attempts.length], [1, 1, 1]);
    });

    it('is found if its commit was never acknowledged', async () => {
      const id = await newIntent();
      const { store } = test;
      const unacknowledged: PaymentStore = {
        ...store,
        async write(step) {
          await store.write(step);
          throw new Error('Connection terminated unexpectedly');
        },
      };
      const request = { paymentIntentId: id, knownVersion: 0, step: opening(id), at: AT };
      const identity = { runId: RUN, stepId: 'step' };
      await assert.rejects(recordStep(unacknowledged, request, identity), /Connection terminated/);
      const once = await rowsOf(id);
      assert.equal(once.intent.version, 1);
      assert.equal((await recordStep(store, request, identity)).version, 1);
      assert.deepEqual(await rowsOf(id), once);
    });
  });

  describe('that is written concurrently with another', () => {
    it('is written after the other, over the payment as it is then', async () => {
      const id = await newIntent();
      const { store } = test;
      let reads = 0;
      const overtaken: PaymentStore = {
        ...store,
        async read(question) {
          const stored = await store.read(question);
          reads += 1;
          if (reads === 1) await write(id, note('the other'));
          return stored;
        },
      };
      const request = { paymentIntentId: id, knownVersion: 0, step: opening(id), at: AT };
      const returned = await recordStep(overtaken, request, { runId: RUN, stepId: 'step' });
      assert.deepEqual([returned.version, reads], [2, 2]);
      assert.deepEqual(await summariesOf(id), [
        [1, 'the other'],
        [2, 'Attempt 1 goes to alpha'],
      ]);
    });

    it('gets a version of its own, however many are written', async () => {
      const id = await newIntent();
      const summaries = Array.from({ length: 10 }, (_, index) => `note ${index}`);
      await Promise.all(summaries.map((summary) => write(id, note(summary))));
      const entries = await summariesOf(id);
      assert.deepEqual(
        entries.map(([version]) => version),
        summaries.map((_, index) => index + 1),
      );
      assert.deepEqual(entries.map(([, summary]) => summary).sort(), summaries);
      assert.equal((await rowsOf(id)).intent.version, 10);
    });

    it('fails if other writers win again and again', async () => {
      const id = await newIntent();
      const { store } = test;
      const busy: PaymentStore = { ...store, write: () => Promise.resolve(false) };
      const request = { paymentIntentId: id, knownVersion: 0, step: note('never'), at: AT };
      await assert.rejects(recordStep(busy, request, { runId: RUN, stepId: 'step' }), /again and again/);
    });
  });

  describe('that was decided on stale data', () => {
    const assertRefused = async (id: string, step: PaymentStep, options: StepOptions = {}): Promise<void> => {
      const before = await rowsOf(id);
      await assert.rejects(write(id, step, options), OUT_OF_DATE);
      assert.deepEqual(await rowsOf(id), before);
    };

    it('is refused in another state than the one in which it was decided', async () => {
      const id = await newIntent();
      await assertRefused(id, approval(id));
      await recordPaid(test.database, id);
      await assertRefused(id, opening(id));
    });

    it('never changes an attempt that has ended', async () => {
      const id = await newIntent();
      await write(id, opening(id));
      await write(id, uncharged(id));
      const { from: _, to: __, ...late } = approval(id);
      await assertRefused(id, late);
      await assertRefused(id, { ...note('one more try'), attempts: [openAttemptOf(id, { tries: 2 })] });
    });

    it('is refused once another run has taken the payment over', async () => {
      const id = await newIntent();
      await write(id, opening(id));
      await test.database.paymentIntent.update({ where: { id }, data: { workflowRunId: 'run_2' } });
      await assertRefused(id, approval(id));
      await write(id, approval(id), { runId: 'run_2' });
    });

    it('is refused if the payment has ended', async () => {
      const id = await newIntent();
      await recordPaid(test.database, id);
      await assert.rejects(write(id, { ...note('back'), to: 'processing' }), /succeeded may not become processing/);
    });
  });

  describe('of a payment whose row is older than the history', () => {
    const assertBehind = async (id: string, knownVersion: number): Promise<void> => {
      const alerts: unknown[] = [];
      const context = { onLog: ({ meta }: { meta?: unknown }) => void alerts.push(meta) };
      await assert.rejects(
        inActivity(() => write(id, note('next'), { knownVersion }), context),
        { type: DATABASE_BEHIND_HISTORY, nonRetryable: true },
      );
      assert.match(JSON.stringify(alerts), new RegExp(`"alert":"${DATABASE_BEHIND_HISTORY}"`));
    };

    it('fails if the row has fewer steps than the history', async () => {
      const id = await newIntent();
      await write(id, note('kept'));
      await assertBehind(id, 2);
      assert.equal((await rowsOf(id)).intent.version, 1);
      assert.equal((await write(id, note('next'), { knownVersion: 1 })).version, 2);
    });

    it('fails if there is no row', () => assertBehind(newId('paymentIntent'), 0));
  });

  describe('that begins or answers an operation', () => {
    const scope = () => ({ merchantAccountId: test.account, environment: 'sandbox' }) as const;

    it('writes the operation, and later its result', async () => {
      const id = await newIntent();
      await write(id, opening(id));
      const open = await test.database.direct.row(selectOperation(id, scope(), operationIdOf(id)));
      assert.deepEqual(open, {
        id: operationIdOf(id),
        kind: 'confirm',
        request: { method: 'card' },
        result: null,
        lastCode: null,
        status: 'processing',
      });
      await write(id, approval(id), { at: LATER });
      const answered = await test.database.direct.row(selectOperation(id, scope(), operationIdOf(id)));
      assert.deepEqual(
        [answered?.request, answered?.result, answered?.status],
        [{ method: 'card' }, { status: 'succeeded', error: null }, 'succeeded'],
      );
      const [row] = (await rowsOf(id)).operations;
      assert.equal(row?.createdAt.toISOString(), AT);
    });

    it('records why the last try had no answer, and clears that with the result', async () => {
      const id = await newIntent();
      const operation = { id: `capture of ${id}`, kind: 'capture', result: null } as const;
      await write(id, { ...note('no answer'), operation: { ...operation, lastCode: 'TSP_TIMEOUT' } });
      assert.equal(
        (await test.database.direct.row(selectOperation(id, scope(), operation.id)))?.lastCode,
        'TSP_TIMEOUT',
      );
      await write(id, {
        ...note('answered'),
        operation: { ...operation, result: { status: 'succeeded', error: null } },
      });
      assert.equal((await test.database.direct.row(selectOperation(id, scope(), operation.id)))?.lastCode, null);
    });

    it('never changes a result', async () => {
      const id = await newIntent();
      await recordPaid(test.database, id);
      await write(id, { ...note('late'), operation: { id: operationIdOf(id), kind: 'confirm', result: null } });
      const found = await test.database.direct.row(selectOperation(id, scope(), operationIdOf(id)));
      assert.deepEqual(found?.result, { status: 'succeeded', error: null });
    });

    it('is found for its own payment and account only', async () => {
      const [id, other] = [await newIntent(), await newIntent()];
      await write(id, opening(id));
      assert.equal(await test.database.direct.row(selectOperation(other, scope(), operationIdOf(id))), undefined);
      for (const foreign of [{ merchantAccountId: 'mer_1' }, { environment: 'production' as const }]) {
        const statement = selectOperation(id, { ...scope(), ...foreign }, operationIdOf(id));
        assert.equal(await test.database.direct.row(statement), undefined);
      }
    });

    it('returns the operations without a result, and those that the query names', async () => {
      const id = await newIntent();
      const { store } = test;
      await write(id, opening(id));
      const capture = { id: `capture of ${id}`, kind: 'capture', request: { amountMinor: 5 }, result: null } as const;
      await write(id, { ...note('capture'), operation: capture });
      await write(id, approval(id));
      const idsOf = async (operationIds: readonly string[]): Promise<readonly string[]> =>
        (await store.read({ paymentIntentId: id, operationIds }))?.operations.map((each) => each.id).sort() ?? [];
      assert.deepEqual(await idsOf([]), [capture.id]);
      assert.deepEqual(await idsOf([operationIdOf(id)]), [capture.id, operationIdOf(id)]);
    });
  });

  describe('sets when the sweeper checks the payment next', () => {
    it('to a time that depends on its state, and records since when it is in that state', async () => {
      const id = await newIntent();
      await write(id, opening(id));
      const dueAt = (at: string) => new Date(Date.parse(at) + CHECK_AFTER_MS);
      const { intent: opened } = await rowsOf(id);
      assert.deepEqual([opened.nextDueAt, opened.statusSince], [dueAt(AT), new Date(AT)]);
      await write(id, note('nothing moves'), { at: LATER });
      const { intent: noted } = await rowsOf(id);
      assert.deepEqual([noted.nextDueAt, noted.statusSince], [dueAt(LATER), new Date(AT)]);
      await write(id, approval(id), { at: LATER });
      const { intent: ended } = await rowsOf(id);
      assert.deepEqual([ended.nextDueAt, ended.statusSince], [dueAt(LATER), new Date(LATER)]);
    });

    it('also if no check was due', async () => {
      const id = await newIntent({ nextDueAt: null });
      await write(id, note('again'));
      assert.notEqual((await rowsOf(id)).intent.nextDueAt, null);
    });
  });

  it('keeps the payment method that is attached', async () => {
    const id = await newIntent({ paymentMethodId: 'pm_attached' });
    await write(id, note('nothing'));
    assert.equal((await rowsOf(id)).intent.paymentMethodId, 'pm_attached');
  });

  describe('erases card data', () => {
    const insertMethod = async (paymentIntentId: string): Promise<string> => {
      const id = newId('paymentMethod');
      const sealed = { ciphertext: Buffer.from('sealed') };
      const owner = { merchantAccountId: test.account, environment: 'sandbox', paymentIntentId };
      const method = { type: 'card', masked: { type: 'card' }, keyId: 'k1' };
      await test.database.paymentMethod.create({ data: { id, ...owner, ...method, ...sealed } });
      const code = { paymentMethodId: id, paymentIntentId, keyId: 'k1', ciphertext: Buffer.from('sealed') };
      await test.database.paymentMethodCvc.create({ data: code });
      return id;
    };
    const hasCvc = async (id: string): Promise<boolean> =>
      (await test.database.paymentMethodCvc.count({ where: { paymentMethodId: id } })) === 1;

    it('namely the CVC that an outcome names, and no other', async () => {
      const id = await newIntent();
      const [used, other] = [await insertMethod(id), await insertMethod(id)];
      await write(id, opening(id));
      assert.deepEqual([await hasCvc(used), await hasCvc(other)], [true, true]);
      await write(id, { ...uncharged(id), eraseCvcOf: used });
      assert.deepEqual([await hasCvc(used), await hasCvc(other)], [false, true]);
    });

    for (const to of ['succeeded', 'requires_capture'] as const) {
      it(`namely every CVC when the payment is ${to}`, async () => {
        const [id, elsewhere] = [await newIntent(), await newIntent()];
        const [one, two, kept] = [await insertMethod(id), await insertMethod(id), await insertMethod(elsewhere)];
        await write(id, opening(id));
        await write(id, approval(id, { to }));
        assert.deepEqual([await hasCvc(one), await hasCvc(two), await hasCvc(kept)], [false, false, true]);
      });
    }
  });

  describe('records provider health', () => {
    const openCircuits = async (): Promise<string[]> => {
      const rows = await test.database.providerHealth.findMany({ where: { openUntil: { gt: new Date() } } });
      return rows.map(({ provider }) => provider);
    };
    const report = async (available: boolean): Promise<void> => {
      const id = await newIntent();
      const step = { ...note('asked'), providerHealth: [{ provider: 'alpha', available }] };
      await write(id, step, { at: new Date().toISOString() });
    };

    it('opens the circuit after 5 failures in a row, and closes it with the first answer', async () => {
      for (let failure = 1; failure <= 4; failure += 1) await report(false);
      assert.deepEqual(await openCircuits(), []);
      await report(false);
      assert.deepEqual(await openCircuits(), ['alpha']);
      await report(true);
      assert.deepEqual(await openCircuits(), []);
    });
  });

  it('is recorded exactly once under any repeats, crashes and concurrent writes', async () => {
    const { store } = test;
    /** A write may fail before or after its commit; the step is repeated then, like an activity. */
    type WriteFailure = 'none' | 'before' | 'after';
    const failing = (failure: WriteFailure): PaymentStore => ({
      ...store,
      async write(step) {
        if (failure === 'before') throw new Error('connection refused');
        const written = await store.write(step);
        if (failure === 'after') throw new Error('connection terminated');
        return written;
      },
    });
    const writer = fc.array(fc.constantFrom<WriteFailure>('none', 'before', 'after'), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(writer, { minLength: 1, maxLength: 6 }), async (writers) => {
        const id = await newIntent();
        const versions = await Promise.all(
          writers.map(async (failures, index) => {
            const request = { paymentIntentId: id, knownVersion: 0, step: note(`writer ${index}`), at: AT };
            const identity = { runId: RUN, stepId: `step ${index}` };
            for (const failure of failures)
              await recordStep(failing(failure), request, identity).catch(() => undefined);
            return (await recordStep(store, request, identity)).version;
          }),
        );
        const entries = await summariesOf(id);
        assert.deepEqual(
          entries.map(([version]) => version),
          writers.map((_, index) => index + 1),
        );
        assert.deepEqual(
          entries.map(([, summary]) => summary).sort(),
          writers.map((_, index) => `writer ${index}`).sort(),
        );
        assert.ok(versions.every((version) => version <= writers.length));
      }),
      { numRuns: 30 },
    );
  });

  it('can record one of several attempts, and leaves the others unchanged', async () => {
    const id = await newIntent();
    await write(id, opening(id));
    await write(id, uncharged(id));
    const second = openAttemptOf(id, { id: attemptIdOf(id, 2), number: 2, provider: 'beta' });
    await write(id, { ...opening(id), attempts: [second] });
    const returned = await write(id, {
      ...note('beta, try 2'),
      attempts: [{ ...second, tries: 2 }],
    });
    assert.deepEqual(
      returned.attempts.map(({ number, outcome, tries }) => [number, outcome, tries]),
      [
        [1, 'not_charged', 1],
        [2, null, 2],
      ],
    );
    assert.deepEqual(returned.attempts[0], attemptOf(id, { outcome: 'not_charged', providerPaymentId: null }));
  });

  it('keeps the id and the tries of an attempt in the payment and its events, as the rows do', async () => {
    const id = await newIntent();
    await write(id, opening(id));
    const open = openAttemptOf(id);
    await write(id, {
      ...note('alpha has created the payment'),
      attempts: [{ ...open, tries: 3, providerPaymentId: 'psp_1' }],
    });
    const declined = { ...open, outcome: 'declined', code: 'CARD_DECLINED', finishedAt: AT } as const;
    const returned = await write(id, {
      ...note('declined'),
      attempts: [declined],
      events: [{ type: 'payment_intent.payment_failed' }],
    });
    const stored = await test.store.read({ paymentIntentId: id });
    assert.deepEqual(stored?.record, returned);
    const [attempt] = returned.attempts;
    assert.deepEqual([attempt?.providerPaymentId, attempt?.tries], ['psp_1', 3]);
    const { snapshot } = await test.database.event.findFirstOrThrow({
      where: { paymentIntentId: id, type: 'payment_intent.payment_failed' },
    });
    assert.deepEqual((snapshot as { attempts: unknown }).attempts, returned.attempts);
  });
});
