import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { authorizePayment } from '../../../activities/authorize-payment.ts';
import type { AuthorizePaymentResult } from '../../../protocol/payment-activities.ts';
import { RUN_OUT_OF_DATE } from '../../../domain/payment-step.ts';
import { SLOW_CALL_AFTER_MS } from '../../../domain/time-limits.ts';
import { unknownToken } from '../../../providers/unknown-token.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { inActivity } from '../../support/activity-context.ts';
import { PAYMENT_INTENT_ID, recordOf } from '../../support/attempts.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { MemoryPaymentStore } from '../../support/memory-payment-store.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { approved, outage, redirect } from '../../support/outcomes.ts';
import { IN_TIME, openAttemptOf, opening } from '../../support/payment-steps.ts';
import { type ProviderScript, scriptedProvider } from '../../support/scripted-provider.ts';
import { memoryCustomers } from '../../support/customers-at-provider.ts';

const MONEY = { amountMinor: approved.amountMinor, currency: approved.currency };

interface Setup {
  readonly authorize: ProviderScript['authorize'];
  /** Called when a provider is called. */
  readonly onCall?: (store: MemoryPaymentStore) => void;
  /** How long each call takes. */
  readonly callMs?: number;
}

/** A new payment, and a function that makes its first attempt at a provider. */
function newPayment({ authorize = [], onCall = () => undefined, callMs = 0 }: Setup) {
  const store = new MemoryPaymentStore();
  store.insert({ ...recordOf('requires_payment_method'), version: 0 });
  const called: string[] = [];
  let nowMs = Date.now();
  const registry = createProviderRegistry(
    ['alpha', 'beta'].map((name) => ({
      provider: scriptedProvider(name, { authorize }, ({ provider }) => {
        called.push(provider);
        nowMs += callMs;
        onCall(store);
      }),
      environments: ['sandbox'],
    })),
  );
  const customers = memoryCustomers();
  const dependencies = {
    payments: store,
    registry,
    reports: NO_REPORTS,
    returns: NO_RETURNS,
    now: () => new Date(nowMs).toISOString(),
    loadPaymentMethod: () => Promise.resolve({ type: 'upi', vpa: null } as const),
    customersAt: () => customers,
  };
  const send = (provider = 'alpha', tries = 1): Promise<AuthorizePaymentResult> => {
    const attempt = openAttemptOf(PAYMENT_INTENT_ID, { ...MONEY, provider });
    const intention = opening(PAYMENT_INTENT_ID, { attempts: [attempt] });
    const known = { paymentIntentId: PAYMENT_INTENT_ID, knownVersion: 0 };
    const request = {
      attempt,
      intention,
      ...IN_TIME,
      environment: 'sandbox',
      captureMethod: 'automatic',
      attemptBudget: 5,
    } as const;
    return inActivity(() => authorizePayment(dependencies, { ...known, ...request }), { attempt: tries });
  };
  return { store, called, send, customers };
}

const healthIn = ({ writes }: MemoryPaymentStore) =>
  writes.flatMap(({ step: { providerHealth = [] } }) => providerHealth);

describe('authorizePayment', () => {
  it('records the intention again, with the answer, if a failover of the database has lost it during the call', async () => {
    for (const [outcome, status] of [
      [approved, 'succeeded'],
      [redirect, 'requires_action'],
    ] as const) {
      const onCall = (store: MemoryPaymentStore): void => store.restore(PAYMENT_INTENT_ID, 0);
      const { send, called } = newPayment({ authorize: [outcome], onCall });
      const { payment } = await send();
      assert.deepEqual([payment.columns.status, payment.attempts[0]?.provider], [status, 'alpha']);
      assert.deepEqual(called, ['alpha']);
    }
  });

  it('makes the next try under the same key if a failover has lost the intention during a try without an answer', async () => {
    let isLost = false;
    const onCall = (store: MemoryPaymentStore): void => {
      if (!isLost) store.restore(PAYMENT_INTENT_ID, 0);
      isLost = true;
    };
    const { send, store } = newPayment({ authorize: [outage, approved], onCall });
    await assert.rejects(send(), { type: outage.code });
    assert.deepEqual((await store.read({ paymentIntentId: PAYMENT_INTENT_ID }))?.record.attempts, []);
    const { payment } = await send('alpha', 2);
    assert.deepEqual([payment.columns.status, payment.attempts.length], ['succeeded', 1]);
  });

  it('has the provider asked about a token that it does not know any more, and of no other decline', async () => {
    for (const [outcome, asked] of [
      [unknownToken(), 1],
      [{ ...unknownToken(), isTokenUnknown: undefined }, 0],
    ] as const) {
      const { isTokenUnknown, ...decline } = outcome;
      const answer = isTokenUnknown === undefined ? decline : { ...decline, isTokenUnknown };
      const { send, customers } = newPayment({ authorize: [answer] });
      const { payment } = await send();
      assert.equal(payment.columns.status, 'requires_payment_method');
      assert.deepEqual(
        customers.asked,
        payment.attempts.slice(0, asked).map(({ id }) => id),
      );
    }
  });

  for (const [answer, outcome] of [
    ['an approval', approved],
    ['a redirect', redirect],
  ] as const) {
    it(`counts ${answer} that comes late as a failure of the provider's health, and keeps the answer`, async () => {
      const { send, store } = newPayment({ authorize: [outcome], callMs: SLOW_CALL_AFTER_MS + 1 });
      const { payment } = await send();
      assert.equal(payment.columns.status, outcome === approved ? 'succeeded' : 'requires_action');
      assert.deepEqual(healthIn(store), [{ provider: 'alpha', available: false }]);
    });
  }

  it('counts every slow try without an answer, and a quick one only if it is the last', async () => {
    for (const [callMs, counted] of [
      [SLOW_CALL_AFTER_MS + 1, 1],
      [SLOW_CALL_AFTER_MS, 0],
    ] as const) {
      const { send, store } = newPayment({ authorize: [outage], callMs });
      await assert.rejects(send(), { type: outage.code });
      assert.equal(healthIn(store).length, counted);
    }
  });

  it('never sends an attempt to another provider than its intention names, for example after a restore of Temporal', async () => {
    const { send, called } = newPayment({ authorize: [outage] });
    await assert.rejects(send('alpha'), { type: outage.code });
    await assert.rejects(send('beta'), { type: RUN_OUT_OF_DATE, nonRetryable: true });
    assert.deepEqual(called, ['alpha']);
  });
});
