import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createProviderReports } from '../../../activities/provider-reports.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { InquiryOutcome, RefundInquiryOutcome } from '../../../domain/provider-outcome.ts';
import { insertProviderEvent } from '../../../prisma/queries/provider-event.ts';
import { useTestDatabase } from '../../support/database.ts';

const PENDING = { kind: 'pending', providerPaymentId: 'psp_1' } as const;
const APPROVED = {
  kind: 'approved',
  providerPaymentId: 'psp_1',
  amountMinor: 1_000,
  currency: 'USD',
  captured: true,
} as const;
const VOIDED = {
  kind: 'not_charged',
  voided: { providerPaymentId: 'psp_1', amountMinor: 1_000, currency: 'USD' },
} as const;
const REFUNDED = { kind: 'refunded', providerRefundId: 'psp_2', amountMinor: 1_000, currency: 'USD' } as const;

describe('reports of a provider', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  const newAttempt = () => {
    const paymentIntentId = newId('paymentIntent');
    return {
      provider: 'alpha',
      paymentIntentId,
      attemptId: attemptIdOf(paymentIntentId, 1),
      captureMethod: 'automatic',
    } as const;
  };
  type NewAttempt = Pick<ReturnType<typeof newAttempt>, 'provider' | 'paymentIntentId' | 'attemptId'>;
  const insertReport = async ({ provider, paymentIntentId, attemptId }: NewAttempt, outcome: InquiryOutcome) => {
    const event = { provider, eventId: newId('event'), attemptId, outcome };
    await test.database.direct.row(insertProviderEvent(event, { paymentIntentId, refundId: null }));
  };
  const insertRefundReport = async (
    { provider, paymentIntentId }: NewAttempt,
    refundId: string,
    refundOutcome: RefundInquiryOutcome,
  ) => {
    const event = { provider, eventId: newId('event'), refundId, refundOutcome };
    await test.database.direct.row(insertProviderEvent(event, { paymentIntentId, refundId }));
  };

  it('say what became of an attempt, also after a late report that it was open', async () => {
    const reports = createProviderReports(test.database);
    const attempt = newAttempt();
    assert.equal(await reports.ofAttempt(attempt), null);
    await insertReport(attempt, PENDING);
    assert.deepEqual(await reports.ofAttempt(attempt), PENDING);
    await insertReport(attempt, APPROVED);
    await insertReport(attempt, PENDING);
    assert.deepEqual(await reports.ofAttempt(attempt), APPROVED);
  });

  it('say that an attempt was voided, also if its authorization is reported after that as captured', async () => {
    const reports = createProviderReports(test.database);
    const attempt = newAttempt();
    await insertReport(attempt, VOIDED);
    await insertReport(attempt, APPROVED);
    assert.deepEqual(await reports.ofAttempt(attempt), VOIDED);
  });

  it('say that a hold was captured, also if the rest of it is reported as voided', async () => {
    const reports = createProviderReports(test.database);
    const attempt = { ...newAttempt(), captureMethod: 'manual' } as const;
    await insertReport(attempt, { ...APPROVED, captured: false });
    const captured = { ...APPROVED, capturedMinor: 400 };
    await insertReport(attempt, captured);
    await insertReport(attempt, VOIDED);
    assert.deepEqual(await reports.ofAttempt(attempt), captured);
  });

  it('say that money is held, also if the provider reports after it that the customer did not come', async () => {
    const reports = createProviderReports(test.database);
    const attempt = { ...newAttempt(), captureMethod: 'manual' } as const;
    const held = { ...APPROVED, captured: false };
    await insertReport(attempt, held);
    await insertReport(attempt, { kind: 'declined', providerPaymentId: 'psp_1', code: 'CARD_DECLINED' });
    assert.deepEqual(await reports.ofAttempt(attempt), held);
  });

  it('are those of that provider about that attempt', async () => {
    const reports = createProviderReports(test.database);
    const attempt = newAttempt();
    await insertReport(attempt, APPROVED);
    assert.equal(await reports.ofAttempt({ ...attempt, provider: 'beta' }), null);
    assert.equal(await reports.ofAttempt({ ...attempt, attemptId: attemptIdOf(attempt.paymentIntentId, 2) }), null);
    assert.equal(await reports.ofAttempt({ ...attempt, attemptId: 'of another system' }), null);
  });

  it('say what became of a refund, and of the refund of a stray charge', async () => {
    const reports = createProviderReports(test.database);
    const attempt = newAttempt();
    for (const refundId of [newId('refund'), strayChargeIdOf(attempt.attemptId)]) {
      const refund = { ...attempt, refundId };
      assert.equal(await reports.ofRefund(refund), null);
      await insertRefundReport(attempt, refundId, REFUNDED);
      assert.deepEqual(await reports.ofRefund(refund), REFUNDED);
    }
    assert.equal(await reports.ofAttempt(attempt), null);
  });
});
