import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, it } from 'mocha';
import { closePayment } from '../../../activities/call-provider.ts';
import type { InquiryOutcome } from '../../../domain/provider-outcome.ts';
import type { PaymentProvider } from '../../../providers/payment-provider.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';

const ATTEMPT = { attemptId: 'att_1', provider: 'alpha', environment: 'sandbox' } as const;
const HELD = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: false,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const CAPTURED = { ...HELD, captured: true } as const;
const NOT_CHARGED = { kind: 'not_charged' } as const;

function close(outcome: InquiryOutcome): Promise<unknown> {
  const unused = () => Promise.reject(new Error('not called here'));
  const provider: PaymentProvider = {
    name: 'alpha',
    authorize: unused,
    inquire: unused,
    close: () => Promise.resolve(outcome),
    capture: unused,
    refund: unused,
    inquireRefund: unused,
    parseWebhook: () => null,
  };
  const registry = createProviderRegistry([{ provider, environments: ['sandbox'] }]);
  const environment = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') });
  return environment.run(() => closePayment(registry, ATTEMPT));
}

describe('calling a payment off', () => {
  for (const outcome of [CAPTURED, NOT_CHARGED]) {
    it(`ends with ${outcome.kind}`, async () => {
      assert.deepEqual(await close(outcome), outcome);
    });
  }

  for (const outcome of [HELD, { kind: 'pending', providerPaymentId: 'sim_1' }] as const) {
    it(`is tried again while the provider says ${outcome.kind} and has let go of nothing`, async () => {
      await assert.rejects(close(outcome), { type: 'OUTCOME_OPEN', nonRetryable: false });
    });
  }
});
