import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, it } from 'mocha';
import { closePayment } from '../../../activities/inquire-payment.ts';
import type { ProviderAnswer } from '../../../protocol/payment-activities.ts';
import type { FinalOutcome, InquiryOutcome } from '../../../domain/provider-outcome.ts';
import type { ProviderCapabilities } from '../../../providers/payment-provider.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { attemptOf, PAYMENT_INTENT_ID, recordOf } from '../../support/attempts.ts';
import { MemoryPaymentStore } from '../../support/memory-payment-store.ts';
import { approved, authorized, notCharged, pending } from '../../support/outcomes.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { memoryCustomers } from '../../support/customers-at-provider.ts';

/** What the activity has logged. */
let logged: string[] = [];

function close(
  outcome: InquiryOutcome,
  store = new MemoryPaymentStore(),
  closing: ProviderCapabilities['closing'] = 'at_once',
): Promise<ProviderAnswer<FinalOutcome>> {
  const scripted = scriptedProvider('alpha', { close: [outcome] }, () => undefined);
  const provider = { ...scripted, capabilities: { ...scripted.capabilities, closing } };
  const registry = createProviderRegistry([{ provider, environments: ['sandbox'] }]);
  const attempt = attemptOf(1);
  store.insert(recordOf('requires_capture', [attempt]));
  const environment = new MockActivityEnvironment(undefined, {
    logger: new DefaultLogger('WARN', ({ message }) => void logged.push(message)),
  });
  return environment.run(() =>
    closePayment(
      {
        payments: store,
        registry,
        reports: NO_REPORTS,
        returns: NO_RETURNS,
        loadPaymentMethod: () => Promise.reject(new Error('not needed')),
        customersAt: memoryCustomers,
      },
      {
        paymentIntentId: PAYMENT_INTENT_ID,
        knownVersion: 3,
        attemptId: attempt.id,
        attemptNumber: 1,
        provider: 'alpha',
        environment: 'sandbox',
        amountMinor: attempt.amountMinor,
        currency: attempt.currency,
        captureMethod: 'manual',
      },
    ),
  );
}

describe('closePayment', () => {
  for (const outcome of [approved, notCharged]) {
    it(`ends with ${outcome.kind}, and adds it to the timeline`, async () => {
      const store = new MemoryPaymentStore();
      assert.deepEqual((await close(outcome, store)).outcome, outcome);
      const words = `alpha, told to close attempt 1: ${outcome.kind.replace('_', ' ')}`;
      assert.deepEqual(
        store.writes.map(({ step }) => step.timeline),
        [[{ kind: 'inquiry', summary: words }]],
      );
    });
  }

  for (const outcome of [authorized, pending]) {
    it(`is retried while the provider reports ${outcome.kind} and still holds the money`, async () => {
      logged = [];
      await assert.rejects(close(outcome), { type: 'OUTCOME_OPEN', nonRetryable: false });
      assert.deepEqual(logged, [], 'nothing is wrong');
    });
  }

  for (const [closing, awaited] of [
    ['at_once', 'it is told again'],
    ['by_webhook', 'its webhook about the end is awaited'],
    ['never', 'what has arrived is awaited'],
  ] as const) {
    it(`says in the timeline what it waits for where a provider closes ${closing.replace('_', ' ')}`, async () => {
      const store = new MemoryPaymentStore();
      await assert.rejects(close(pending, store, closing), { type: 'OUTCOME_OPEN' });
      assert.deepEqual(
        store.writes.map(({ step }) => step.timeline),
        [[{ kind: 'inquiry', summary: `alpha, told to close attempt 1: pending; ${awaited}` }]],
      );
    });
  }

  it('is retried if the provider reports another amount', async () => {
    const store = new MemoryPaymentStore();
    const another = { ...approved, amountMinor: 1 };
    await assert.rejects(close(another, store), { type: 'AMOUNT_DIFFERS', nonRetryable: false });
    const summary =
      'alpha, told to close attempt 1, reported another amount or currency than was asked for: it is told again';
    assert.deepEqual(
      store.writes.map(({ step }) => step.timeline),
      [[{ kind: 'inquiry', summary }]],
    );
  });
});
