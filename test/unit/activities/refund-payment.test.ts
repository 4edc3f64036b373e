import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refundPayment } from '../../../activities/refund-payment.ts';
import { newId } from '../../../domain/new-id.ts';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { inActivity } from '../../support/activity-context.ts';
import { useSimulator } from '../../support/simulator-fixture.ts';
import { adapterTo } from '../../support/simulator-harness.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';

describe('refundPayment with an unknown refund', () => {
  const simulator = useSimulator();

  const requestOf = (refundId: string) => ({
    refundId,
    provider: 'beta',
    environment: 'sandbox' as const,
    attemptId: 'att_unknown',
    providerPaymentId: 'sim_unknown',
    amountMinor: 300,
    currency: 'EUR',
  });

  for (const [what, context] of [
    ['a later try', { attempt: 2 }],
    ['the first try of another run', { runId: 'another run' }],
  ] as const) {
    it(`returns not refunded, and ${what} does so too if the result of the first was not recorded`, async () => {
      const provider = adapterTo(simulator.url);
      const registry = createProviderRegistry([{ provider, environments: ['sandbox'] }]);
      const request = requestOf(newId('refund'));
      const first = await inActivity(() => refundPayment({ registry, reports: NO_REPORTS }, request));
      assert.deepEqual([first.outcome, first.unrecognised?.status], [{ kind: 'not_refunded' }, 404]);
      const second = await inActivity(() => refundPayment({ registry, reports: NO_REPORTS }, request), context);
      assert.deepEqual([second.outcome, second.unrecognised?.status], [{ kind: 'not_refunded' }, 409]);
    });
  }
});
