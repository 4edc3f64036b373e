import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { authorizePayment } from '../../../activities/authorize-payment.ts';
import type { AuthorizePaymentResult } from '../../../activities/payment-activities.ts';
import { RUN_OUT_OF_DATE } from '../../../domain/payment-step.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { inActivity } from '../../support/activity-context.ts';
import { PAYMENT_INTENT_ID, recordOf } from '../../support/attempts.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { MemoryPaymentStore } from '../../support/memory-payment-store.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { approved, outage, redirect } from '../../support/outcomes.ts';
import { IN_TIME, openAttemptOf, opening } from '../../support/payment-steps.ts';
import { type ProviderScript, scriptedProvider } from '../../support/scripted-provider.ts';

const MONEY = { amountMinor: approved.amountMinor, currency: approved.currency };

interface Setup {
  readonly authorize: ProviderScript['authorize'];
  /** Called when a provider is called. */
  readonly onCall?: (store: MemoryPaymentStore) => void;
}

/** A new payment, and a function that makes its first attempt at a provider. */
function newPayment({ authorize = [], onCall = () => undefined }: Setup) {
  const store = new MemoryPaymentStore();
  store.insert({ ...recordOf('requires_payment_method'), version: 0 });
  const called: string[] = [];
  const registry = createProviderRegistry(
    ['alpha', 'beta'].map((name) => ({
      provider: scriptedProvider(name, { authorize }, ({ provider }) => {
        called.push(provider);
        onCall(store);
      }),
      environments: ['sandbox'],
    })),
  );
  const dependencies = {
    payments: store,
    registry,
    reports: NO_REPORTS,
    returns: NO_RETURNS,
    loadPaymentMethod: () => Promise.resolve({ type: 'upi', vpa: null } as const),
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
  return { store, called, send };
}

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

  it('never sends an attempt to another provider than its intention names, for example after a restore of Temporal', async () => {
    const { send, called } = newPayment({ authorize: [outage] });
    await assert.rejects(send('alpha'), { type: outage.code });
    await assert.rejects(send('beta'), { type: RUN_OUT_OF_DATE, nonRetryable: true });
    assert.deepEqual(called, ['alpha']);
  });
});
