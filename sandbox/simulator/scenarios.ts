import { SECOND_MS } from '../../domain/time.ts';
import { planDeposit } from './deposit-state-machine.ts';
import type { PaymentRequest } from './protocol.ts';
import type { DeclineCode, DepositPlan, FailureReason, Misreport, RefundScript } from './records.ts';

/** What becomes of a payment when it is booked. */
export type Opening =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly declineCode: DeclineCode }
  | { readonly kind: 'failed'; readonly failureReason: FailureReason }
  /** The customer decides on the 3-D Secure page. */
  | { readonly kind: 'challenged' }
  /** The customer decides in an app; `approves` says whether it happens by itself after a moment. */
  | { readonly kind: 'asked_in_app'; readonly approves: boolean }
  /** The customer deposits a crypto asset. */
  | { readonly kind: 'awaits_deposit'; readonly plan: DepositPlan }
  /** Accepted, then silent. */
  | { readonly kind: 'pending' }
  /** Accepted without a reply, and charged some time after somebody was told that it is not. */
  | { readonly kind: 'charged_late'; readonly delayMs: number };

/** How a request is treated: booked, with or without a reply, or answered without being booked. */
export type Scenario =
  | {
      readonly kind: 'booked';
      readonly reply: 'payment' | 'lost';
      readonly opening: Opening;
      readonly refundScript: RefundScript;
      /** What the simulator says of the payment that is not so. */
      readonly misreport?: Misreport;
    }
  | { readonly kind: 'server_error' }
  | { readonly kind: 'unknown_shape' };

/** The instance at which a payment with the failover card fails. */
const FAILING_INSTANCE = 'alpha';
const FAILOVER_CARD = '4000000000000119';

const booked = (opening: Opening): Scenario => ({
  kind: 'booked',
  reply: 'payment',
  opening,
  refundScript: 'accepted',
});
const approvedWithRefunds = (refundScript: RefundScript): Scenario => ({
  kind: 'booked',
  reply: 'payment',
  opening: { kind: 'approved' },
  refundScript,
});
const declined = (declineCode: DeclineCode): Scenario => booked({ kind: 'declined', declineCode });

const APPROVED = booked({ kind: 'approved' });
const APPROVED_IN_APP = booked({ kind: 'asked_in_app', approves: true });
const NOT_ANSWERED_IN_APP = booked({ kind: 'asked_in_app', approves: false });

const SCENARIO_BY_CARD: Readonly<Record<string, Scenario>> = {
  '4242424242424242': APPROVED,
  '4000000000000002': declined('card_declined'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000006975': declined('limit_exceeded'),
  '4000000000009979': booked({ kind: 'failed', failureReason: 'fraud_suspected' }),
  '4000000000003220': booked({ kind: 'challenged' }),
  '4000000000000341': { kind: 'booked', reply: 'lost', opening: { kind: 'approved' }, refundScript: 'accepted' },
  '4000000000000259': booked({ kind: 'pending' }),
  '4000000000000069': { kind: 'unknown_shape' },
  '4000000000005126': approvedWithRefunds('refused'),
  '4000000000007726': approvedWithRefunds('lost'),
  '4000000000003063': approvedWithRefunds('silent'),
};

const SCENARIO_BY_VPA: Readonly<Record<string, Scenario>> = {
  'success@upi': APPROVED_IN_APP,
  'decline@upi': declined('do_not_honor'),
  'pending@upi': NOT_ANSWERED_IN_APP,
  'expire@upi': NOT_ANSWERED_IN_APP,
};

/** The scripted treatment of a payment at an instance; what is not scripted is approved. */
export function scenarioFor(request: PaymentRequest, instanceName: string): Scenario {
  const { method } = request;
  if (method.type === 'crypto') {
    const plan = planDeposit(request);
    return plan === null ? declined('unsupported_pair') : booked({ kind: 'awaits_deposit', plan });
  }
  if (method.type === 'upi') return SCENARIO_BY_VPA[method.vpa.toLowerCase()] ?? APPROVED_IN_APP;
  if (method.number === FAILOVER_CARD && instanceName === FAILING_INSTANCE) return { kind: 'server_error' };
  return misbehaving(SCENARIO_BY_CARD[method.number] ?? APPROVED, request);
}

/** How a card is treated where the metadata asks for a provider that misbehaves. */
function misbehaving(scripted: Scenario, { scenario, lateChargeSeconds }: PaymentRequest): Scenario {
  if (scripted.kind !== 'booked') return scripted;
  if (scenario === 'other_amount' || scenario === 'other_currency') return { ...scripted, misreport: scenario };
  if (scenario !== 'late_charge' || scripted.opening.kind !== 'approved') return scripted;
  const opening = { kind: 'charged_late', delayMs: lateChargeSeconds * SECOND_MS } as const;
  return { ...scripted, reply: 'payment', opening };
}
