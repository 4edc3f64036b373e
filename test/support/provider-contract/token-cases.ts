import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PaymentMethodDetails } from '../../../providers/payment-provider.ts';
import { approve, authorize, moneyOf, newAttempt } from './attempts.ts';
import { describePaymentFaults } from './fault-cases.ts';
import type { ContractContext } from './subject.ts';

/** Payments by a token of the provider's page, with faults and without. */
export function describeTokens(context: ContractContext, kind: string): void {
  const { subject, capabilities } = context;

  const tokenWith = (token: string): PaymentMethodDetails => ({
    type: 'card_token',
    provider: subject().provider.name,
    token,
  });

  describe(`takes a token (${kind})`, () => {
    const byToken = { ...context, newMethod: () => tokenWith(subject().newToken?.(kind) ?? '') };
    describePaymentFaults(byToken);

    it('charges once, however often the same attempt is sent', async () => {
      const attempt = newAttempt(byToken);
      const first = await authorize(byToken, attempt);
      assert.deepEqual(await authorize(byToken, attempt), first);
      const { amountMinor, currency } = await approve(byToken, attempt);
      assert.deepEqual({ amountMinor, currency }, moneyOf(context));
      assert.equal(await subject().countCharges(attempt.attemptId), 1);
    });

    if (capabilities.captureMethods.includes('manual')) {
      it('only authorizes under manual capture', async () => {
        const attempt = newAttempt(byToken, 'approved', 'manual');
        assert.equal((await approve(byToken, attempt)).captured, false);
        assert.equal(await subject().countCharges(attempt.attemptId), 0);
      });
    }

    it('declines a token that the provider has not issued, and repeats none of it', async () => {
      const known = subject().newToken?.(kind) ?? '';
      for (const token of [`${known.slice(0, 7)}_never_issued`, 'nothing at all']) {
        const attempt = newAttempt({ ...context, newMethod: () => tokenWith(token) });
        const outcome = await authorize(context, attempt);
        assert.equal(outcome.kind, 'declined');
        assert.ok(!JSON.stringify(outcome).includes(token));
        assert.equal(await subject().countCharges(attempt.attemptId), 0);
      }
    });

    it('reports a 4xx of a shape that nobody knows without the token', async () => {
      const token = subject().newToken?.(kind) ?? '';
      const attempt = newAttempt({ ...context, newMethod: () => tokenWith(token) });
      subject().faults.plan([
        { status: 422, work: 'not_done', body: JSON.stringify({ fault: `No use of ${token}.` }) },
      ]);
      const outcome = await authorize(context, attempt);
      assert.ok(outcome.kind === 'unrecognised');
      assert.ok(!JSON.stringify(outcome).includes(token));
    });
  });
}
