import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import {
  amendUpdate,
  captureUpdate,
  providerEventSignal,
  refundEventSignal,
  type PaymentIntentInput,
} from '../../workflows/messages.ts';
import { resumed } from '../support/resumed.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import { type ScriptedActivities, type ProviderScript } from '../support/scripted-activities.ts';
import type { RunningPayment } from '../support/time-skipping.ts';

/** One course of a payment whose history is kept for replay. */
export interface Scenario {
  readonly providers: Readonly<Record<string, ProviderScript>>;
  readonly input?: Partial<PaymentIntentInput>;
  readonly prepare?: (activities: ScriptedActivities) => void;
  readonly course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<unknown>;
  /** Whether the history kept is that of the payment's refund. */
  readonly ofRefund?: true;
}

const approved = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: true,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const authorized = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: false,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const declined = { kind: 'declined', providerPaymentId: 'sim_1', code: 'CARD_DECLINED' } as const;
const fraud = { kind: 'failed', providerPaymentId: 'sim_1', code: 'FRAUD_DETECTED' } as const;
const pending = { kind: 'pending', providerPaymentId: 'sim_1' } as const;
const approveInApp = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: { type: 'approve_in_app', app: 'upi' },
} as const;
const depositAsked = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: {
    type: 'crypto_deposit',
    asset: 'BTC',
    network: 'bitcoin',
    address: 'sim1address',
    amount: '0.00030000',
    confirmationsRequired: 2,
  },
} as const;
const taken = { kind: 'captured', providerPaymentId: 'sim_1', capturedMinor: 700, currency: 'EUR' } as const;
const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
const refundPending = { kind: 'pending', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
const unrecognised = { kind: 'unrecognised', providerResponse: { status: 422 } } as const;
const notCharged = { kind: 'not_charged' } as const;
const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
const timeout = { kind: 'outage', code: 'TSP_TIMEOUT' } as const;
const hang = { kind: 'hang' } as const;

const MANUAL = { amountMinor: 1_999, currency: 'EUR', country: 'DE', captureMethod: 'manual' } as const;

const confirm = async (payment: RunningPayment): Promise<unknown> => (await payment.confirm()).result();
const confirmAtOnce = async (payment: RunningPayment): Promise<unknown> =>
  (await payment.confirm({ atOnce: true })).result();
const cancel = async (payment: RunningPayment): Promise<unknown> => (await payment.cancel()).result();

const capture = (payment: RunningPayment): Promise<unknown> =>
  payment.handle.executeUpdate(captureUpdate, { args: [{ amountMinor: 700 }] });
const refund = async (payment: RunningPayment): Promise<unknown> => {
  const run = await startRefund(payment, refundInputOf(payment));
  return run.result();
};

const approvedEvent = ({ input }: RunningPayment): ProviderEvent => ({
  provider: 'alpha',
  eventId: 'simevt_1',
  attemptId: attemptIdOf(input.paymentIntentId, 1),
  outcome: approved,
});

type Confirm = typeof confirm;
const twice =
  (confirmation: Confirm): Confirm =>
  async (payment) => {
    await confirmation(payment);
    await confirmation(payment);
  };
const thenCanceled =
  (confirmation: Confirm): Confirm =>
  async (payment) => {
    await confirmation(payment);
    await cancel(payment);
  };
const thenReported =
  (confirmation: Confirm): Confirm =>
  async (payment) => {
    await confirmation(payment);
    await payment.handle.signal(providerEventSignal, approvedEvent(payment));
  };

/** Lets a provider call begin before something else happens. */
async function whenCalled(activities: ScriptedActivities): Promise<void> {
  while (activities.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** One of each outcome; the names are the files' names. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  approved: { providers: { alpha: { authorize: [approved] } }, course: confirm },
  'declined-then-approved': {
    providers: { alpha: { authorize: [declined, approved] } },
    course: twice(confirm),
  },
  'approved-at-once': { providers: { alpha: { authorize: [approved] } }, course: confirmAtOnce },
  'declined-at-once-then-approved': {
    providers: { alpha: { authorize: [declined, approved] } },
    course: twice(confirmAtOnce),
  },
  'silent-at-once-then-approved': {
    providers: { alpha: { authorize: [hang, outage, approved] } },
    course: confirmAtOnce,
  },
  'away-at-once-then-failed-over': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] }, beta: { authorize: [approved] } },
    course: confirmAtOnce,
  },
  'not-called-at-once-then-approved': {
    providers: { alpha: { authorize: [outage, approved] } },
    prepare: (activities) => (activities.hasNoSlots = true),
    course: confirmAtOnce,
  },
  'unknown-shape-at-once': {
    providers: { alpha: { authorize: [unrecognised], inquire: [notCharged] } },
    course: thenCanceled(confirmAtOnce),
  },
  'pending-at-once-then-reported': {
    providers: { alpha: { authorize: [pending], inquire: [pending] } },
    course: async (payment) => {
      const sent = await payment.confirm({ atOnce: true });
      await payment.handle.signal(providerEventSignal, approvedEvent(payment));
      await sent.result();
    },
  },
  'approved-in-app-at-once': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp] } },
    course: thenReported(confirmAtOnce),
  },
  'failed-as-fraud': { providers: { alpha: { authorize: [fraud] } }, course: confirm },
  'failed-over': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] }, beta: { authorize: [approved] } },
    course: confirm,
  },
  'lost-reply-found': {
    providers: { alpha: { authorize: [timeout], inquire: [outage, approved] }, beta: { authorize: [approved] } },
    course: confirm,
  },
  'unknown-shape': {
    providers: { alpha: { authorize: [unrecognised], inquire: [notCharged] } },
    course: thenCanceled(confirm),
  },
  'all-providers-away': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] } },
    course: thenCanceled(confirm),
  },
  'stuck-then-settled': {
    providers: { alpha: { authorize: [pending], inquire: [pending] } },
    course: async (payment, activities) => {
      const sent = await payment.confirm();
      await whenCalled(activities);
      await payment.skip(2 * MINUTE_MS);
      await payment.handle.signal(providerEventSignal, approvedEvent(payment));
      await sent.result();
    },
  },
  'approved-in-app': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp] } },
    course: thenReported(confirm),
  },
  'expired-waiting-for-customer': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [notCharged] } },
    course: async (payment) => {
      await confirm(payment);
      await payment.skip(30 * MINUTE_MS);
    },
  },
  'expired-unpaid': { providers: { alpha: { authorize: [approved] } }, course: (payment) => payment.end() },
  'canceled-unpaid': { providers: { alpha: { authorize: [approved] } }, course: cancel },
  'canceled-while-processing': {
    providers: { alpha: { authorize: [hang], close: [notCharged] } },
    course: async (payment, activities) => {
      await payment.confirm();
      await whenCalled(activities);
      await cancel(payment);
    },
  },
  'charge-won-against-cancel': {
    providers: { alpha: { authorize: [hang], close: [approved] } },
    course: async (payment, activities) => {
      await payment.confirm();
      await whenCalled(activities);
      await cancel(payment);
    },
  },
  'authorised-then-voided': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    course: thenCanceled(confirm),
  },
  'authorisation-lapsed': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    course: async (payment) => {
      await confirm(payment);
      await payment.end();
    },
  },
  'retries-exhausted': {
    providers: { alpha: { authorize: [declined] } },
    input: { attemptBudget: 1 },
    course: confirm,
  },
  'refused-then-canceled': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], passedOver: [] };
    },
    course: thenCanceled(confirm),
  },
  'amended-then-approved': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      activities.amendedTerms = { ...MANUAL, captureMethod: 'automatic' };
    },
    course: async (payment) => {
      await payment.handle.executeUpdate(amendUpdate, { args: [{ amendmentId: 'amd_1' }] });
      await confirm(payment);
    },
  },
  'captured-in-part': {
    providers: { alpha: { authorize: [authorized], capture: [taken] } },
    input: { terms: MANUAL },
    course: async (payment) => {
      await confirm(payment);
      await capture(payment);
    },
  },
  'capture-repeated-after-outage': {
    providers: {
      alpha: { authorize: [authorized], capture: [outage, outage, outage, outage, taken], inquire: [authorized] },
    },
    input: { terms: MANUAL },
    course: async (payment) => {
      await confirm(payment);
      await capture(payment);
      await capture(payment);
    },
  },
  'capture-found-nothing-held': {
    providers: { alpha: { authorize: [authorized], capture: [{ kind: 'not_held' }] } },
    input: { terms: MANUAL },
    course: async (payment) => {
      await confirm(payment);
      await capture(payment);
    },
  },
  'deposit-seen-then-confirmed': {
    providers: { alpha: { authorize: [depositAsked], inquire: [depositAsked] } },
    course: async (payment) => {
      await confirm(payment);
      const event = approvedEvent(payment);
      await payment.handle.signal(providerEventSignal, { ...event, eventId: 'simevt_0', outcome: pending });
      await payment.skip(MINUTE_MS / 60);
      await payment.handle.signal(providerEventSignal, event);
    },
  },
  'refused-then-found-and-paid': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      const { plan } = activities;
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], passedOver: [] };
      activities.laterPlan = plan;
    },
    course: twice(confirm),
  },
  'restarted-in-processing': {
    providers: { alpha: { inquire: [pending, approved] } },
    input: resumed('processing', null),
    course: (payment) => payment.end(),
  },
  'restarted-in-requires-action': {
    providers: { alpha: { inquire: [approveInApp, pending, approved] } },
    input: resumed('requires_action', null),
    course: (payment) => payment.end(),
  },
  'restarted-uncharged-then-canceled': {
    providers: { alpha: { inquire: [notCharged] } },
    input: resumed('processing', null),
    course: async (payment, activities) => {
      await whenCalled(activities);
      await payment.skip(MINUTE_MS / 60);
      await cancel(payment);
    },
  },
  'restarted-holding-then-captured': {
    providers: { alpha: { inquire: [authorized], capture: [taken] } },
    input: resumed('requires_capture', 'approved'),
    course: capture,
  },
  'refund-succeeded': { providers: { alpha: { refund: [refunded] } }, course: refund, ofRefund: true },
  'refund-lost-reply-found': {
    providers: { alpha: { refund: [outage], inquireRefund: [outage, refunded] } },
    course: refund,
    ofRefund: true,
  },
  'refund-pending-then-reported': {
    providers: { alpha: { refund: [refundPending], inquireRefund: [refundPending] } },
    course: async (payment, activities) => {
      const input = refundInputOf(payment);
      const run = await startRefund(payment, input);
      await whenCalled(activities);
      const { refundId } = input;
      const event = { provider: 'alpha', eventId: 'simevt_1', refundId, refundOutcome: refunded };
      await run.signal(refundEventSignal, event);
      await run.result();
    },
    ofRefund: true,
  },
  'refund-restarted': {
    providers: { alpha: { inquireRefund: [refundPending, refunded] } },
    course: async (payment) => {
      const run = await startRefund(payment, refundInputOf(payment, { restartedAfter: 'terminated' }));
      await run.result();
    },
    ofRefund: true,
  },
};
