import { SECOND_MS } from '../../domain/time.ts';
import { planDeposit } from './deposit-state-machine.ts';
import type { PaymentRequest } from './protocol.ts';
import type {
  DeclineCode,
  DepositPlan,
  DisputePlan,
  FailureReason,
  Misreport,
  RefundScenario,
  StoredCard,
} from './records.ts';

/** The first state of a payment. */
export type Opening =
  | { readonly kind: 'approved' }
  | {
      readonly kind: 'declined';
      readonly declineCode: DeclineCode;
      /** The card network's advice to merchants, which overrules that of the code. */
      readonly merchantAdviceCode?: string;
    }
  | { readonly kind: 'failed'; readonly failureReason: FailureReason }
  /** The customer decides on the 3-D Secure page. */
  | { readonly kind: 'challenged' }
  /** The customer decides in an app; `approves` says whether it happens by itself after a moment. */
  | { readonly kind: 'asked_in_app'; readonly approves: boolean }
  /** The customer deposits a crypto asset. */
  | { readonly kind: 'awaits_deposit'; readonly plan: DepositPlan }
  /** Accepted, then silent. */
  | { readonly kind: 'pending' }
  /** Accepted without a reply, and charged some time after an inquiry answered that it is not. */
  | { readonly kind: 'charged_late'; readonly delayMs: number };

/** How a request is handled: recorded, with or without a reply, or answered without a record. */
export type Scenario =
  | {
      readonly kind: 'recorded';
      readonly reply: 'payment' | 'lost';
      readonly opening: Opening;
      readonly refundScenario: RefundScenario;
      /** What the simulator reports wrongly of the payment. */
      readonly misreport?: Misreport;
      /** What is done to the payment once it is captured. */
      readonly disputePlan?: DisputePlan;
    }
  | { readonly kind: 'server_error' }
  | { readonly kind: 'unknown_shape' };

/** The instance at which a payment with the failover card fails. */
const FAILING_INSTANCE = 'alpha';
const FAILOVER_CARD = '4000000000000119';
/** The card whose issuer declines every payment of which the customer was not authenticated. */
const AUTHENTICATED_CARD = '4000000000003188';
/** The card that its issuer declines there without a reason, and approves elsewhere. */
const DECLINED_CARD = '4000000000004954';

const recorded = (opening: Opening): Scenario => ({
  kind: 'recorded',
  reply: 'payment',
  opening,
  refundScenario: 'accepted',
});
const approvedWithRefundScenario = (refundScenario: RefundScenario): Scenario => ({
  kind: 'recorded',
  reply: 'payment',
  opening: { kind: 'approved' },
  refundScenario,
});
const disputed = (disputePlan: DisputePlan): Scenario => ({
  kind: 'recorded',
  reply: 'payment',
  opening: { kind: 'approved' },
  refundScenario: 'accepted',
  disputePlan,
});
const declined = (declineCode: DeclineCode): Scenario => recorded({ kind: 'declined', declineCode });
const declinedForADay = recorded({ kind: 'declined', declineCode: 'do_not_honor', merchantAdviceCode: '25' });

const APPROVED = recorded({ kind: 'approved' });
const CHALLENGED = recorded({ kind: 'challenged' });
const APPROVED_IN_APP = recorded({ kind: 'asked_in_app', approves: true });
const NOT_ANSWERED_IN_APP = recorded({ kind: 'asked_in_app', approves: false });

const SCENARIO_BY_CARD: Readonly<Record<string, Scenario>> = {
  '4242424242424242': APPROVED,
  '4000000000000002': declined('card_declined'),
  '4000000000009987': declined('lost_card'),
  '4000000000000127': declined('incorrect_cvc'),
  '4000000000004012': declinedForADay,
  '4000000000000135': declined('expired_card'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000006975': declined('limit_exceeded'),
  '4000000000009979': recorded({ kind: 'failed', failureReason: 'fraud_suspected' }),
  '4000000000003220': CHALLENGED,
  // Its bank wants the customer each time, also where a merchant charges it alone.
  '4000002760003184': CHALLENGED,
  '4000000000000341': { kind: 'recorded', reply: 'lost', opening: { kind: 'approved' }, refundScenario: 'accepted' },
  '4000000000000259': recorded({ kind: 'pending' }),
  '4000000000000069': { kind: 'unknown_shape' },
  '4000000000005126': approvedWithRefundScenario('refused'),
  '4000000000007726': approvedWithRefundScenario('lost'),
  '4000000000003063': approvedWithRefundScenario('silent'),
  '4000000000002685': disputed('product_not_received'),
  '4000000000001976': disputed('inquiry'),
  '4000000000005423': disputed('fraud_warning'),
};

/** The card whose customer is authenticated when it is stored. */
const AUTHENTICATED_ONCE_CARD = '4000002500003155';
/** The card that is lost by the time at which a merchant charges it without the customer. */
const LOST_LATER_CARD = '4000002500001001';

/** A token names its test card by the last four digits: `tok_4242`. */
const TEST_TOKEN = /^tok_\d{4}$/;

const SCENARIO_BY_VPA: Readonly<Record<string, Scenario>> = {
  'success@upi': APPROVED_IN_APP,
  'decline@upi': declined('do_not_honor'),
  'pending@upi': NOT_ANSWERED_IN_APP,
  'expire@upi': NOT_ANSWERED_IN_APP,
};

/**
 * The scenario of a payment at an instance; inputs without a scenario of their own are approved.
 * @param stored the card for which the token of the request stands; undefined where it stands for none
 */
export function scenarioFor(
  request: PaymentRequest,
  instanceName: string,
  stored: StoredCard | undefined = undefined,
): Scenario {
  const { method } = request;
  if (method.type === 'crypto') {
    const plan = planDeposit(request);
    return plan === null ? declined('unsupported_pair') : recorded({ kind: 'awaits_deposit', plan });
  }
  if (method.type === 'upi') return scenarioOfVpa(method.vpa);
  if (method.type === 'stored_card' && stored === undefined) return declined('card_declined');
  const number = numberOf(method, stored);
  if (number === LOST_LATER_CARD && request.credential?.initiator === 'merchant') return declined('lost_card');
  if (number === AUTHENTICATED_ONCE_CARD && request.storeFor !== undefined) return CHALLENGED;
  if (number === undefined && method.type === 'stored_card') return withProviderFault(APPROVED, request);
  if (number === undefined) return declined('card_declined');
  if (number === FAILOVER_CARD && instanceName === FAILING_INSTANCE) return { kind: 'server_error' };
  if (instanceName === FAILING_INSTANCE) {
    if (number === DECLINED_CARD) return declined('do_not_honor');
    if (request.scenario === 'processing_error_alpha') return declined('processing_error');
  }
  if (number === AUTHENTICATED_CARD) return request.authenticate ? CHALLENGED : declined('authentication_required');
  return withProviderFault(SCENARIO_BY_CARD[number] ?? APPROVED, request);
}

/** The number of a card, as far as the simulator knows it. */
function numberOf(
  method: Extract<PaymentRequest['method'], { type: 'card' | 'card_token' | 'stored_card' }>,
  stored: StoredCard | undefined,
): string | undefined {
  if (method.type === 'card') return method.number;
  if (method.type === 'card_token') return cardOfToken(method.token);
  return stored?.testCard == null ? undefined : cardOfToken(`tok_${stored.testCard}`);
}

/** The last digits of a test card, by which a stored one is recognised: its number is not kept. */
export function testCardOf(number: string): string | null {
  const digits = number.slice(-4);
  return cardOfToken(`tok_${digits}`) === number ? digits : null;
}

/** The test card that a token stands for; undefined where it stands for none. */
function cardOfToken(token: string): string | undefined {
  if (!TEST_TOKEN.test(token)) return undefined;
  const numbers = [
    ...Object.keys(SCENARIO_BY_CARD),
    FAILOVER_CARD,
    DECLINED_CARD,
    AUTHENTICATED_CARD,
    AUTHENTICATED_ONCE_CARD,
    LOST_LATER_CARD,
  ];
  return numbers.find((number) => number.endsWith(token.slice(-4)));
}

/** Who pays by link or QR code is waited for: nobody else can scan it. */
function scenarioOfVpa(vpa: string | null): Scenario {
  return vpa === null ? NOT_ANSWERED_IN_APP : (SCENARIO_BY_VPA[vpa.toLowerCase()] ?? APPROVED_IN_APP);
}

/** The scenario of a card where the metadata asks for a fault of the provider. */
function withProviderFault(base: Scenario, { scenario, lateChargeSeconds }: PaymentRequest): Scenario {
  if (base.kind !== 'recorded') return base;
  if (scenario === 'other_amount' || scenario === 'other_currency') return { ...base, misreport: scenario };
  if (scenario !== 'late_charge' || base.opening.kind !== 'approved') return base;
  const opening = { kind: 'charged_late', delayMs: lateChargeSeconds * SECOND_MS } as const;
  return { ...base, reply: 'payment', opening };
}
