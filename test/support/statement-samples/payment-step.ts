import { INITIAL_COLUMNS, type PaymentRecord, type PaymentStep } from '../../../domain/payment-step.ts';
import type * as paymentStep from '../../../prisma/queries/payment-step.ts';
import { attemptOf } from '../payment-steps.ts';
import { disputeChange } from '../dispute-change.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-01-02T03:04:05.678Z';
const STEP: PaymentStep = { timeline: [{ kind: 'decision', summary: 'Decided' }] };
const AFTER: PaymentRecord = {
  paymentIntentId: 'pi_1',
  version: 2,
  terms: { amountMinor: 1_000, currency: 'USD', country: null, captureMethod: 'automatic' },
  columns: { ...INITIAL_COLUMNS, status: 'processing', paymentMethodId: 'pm_1', provider: 'alpha' },
  attempts: [],
  statusSince: AT,
  expiresAt: AT,
};
const DECLINED = attemptOf('pi_1', { outcome: 'declined' });
const WRITE = { step: STEP, after: AFTER, stepId: 'step_1', runId: 'run_1', at: AT };

const PROVIDER = `simulator_${'0'.repeat(32)}`;

export const samples: SamplesOf<typeof paymentStep> = {
  writeStep: [
    [WRITE],
    [
      {
        ...WRITE,
        step: {
          ...STEP,
          reportedCard: {
            paymentMethodId: 'pm_1',
            card: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2_039 },
          },
          suspectedCharge: { attemptId: 'att_1' },
          audit: { action: 'payment_intent.resolved_by_hand', by: 'Support', change: { note: 'Checked' } },
        },
      },
    ],
    [{ ...WRITE, step: { ...STEP, attempts: [DECLINED] } }],
    [{ ...WRITE, opens: { provider: PROVIDER, opening: null, returnUrl: null } }],
    [
      {
        ...WRITE,
        opens: {
          provider: PROVIDER,
          opening: { routeId: 'rt_1', provider: PROVIDER, before: AT, savedReferenceId: 'pm_1' },
          returnUrl: null,
        },
      },
    ],
    [{ ...WRITE, step: { ...STEP, attempts: [attemptOf('pi_1', { outcome: 'approved' })] } }],
    [{ ...WRITE, step: { ...STEP, testClockSeconds: 90 } }],
    [{ ...WRITE, step: { ...STEP, strayCharge: { attemptId: 'att_1', status: 'unfounded', money: null } } }],
    [{ ...WRITE, step: { ...STEP, isDisputed: true } }],
    [{ ...WRITE, step: { ...STEP, isDisputed: true, dispute: disputeChange('dp_1', 'att_1', 500) } }],
  ],
};
