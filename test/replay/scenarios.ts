import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { amendUpdate, providerEventSignal, type PaymentIntentInput } from '../../workflows/messages.ts';
import { type ScriptedActivities, type ProviderScript } from '../support/scripted-activities.ts';
import type { RunningPayment } from '../support/time-skipping.ts';

/** One course of a payment whose history is kept for replay. */
export interface Scenario {
  readonly providers: Readonly<Record<string, ProviderScript>>;
  readonly input?: Partial<PaymentIntentInput>;
  readonly prepare?: (activities: ScriptedActivities) => void;
  readonly course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<unknown>;
}

const approved = { kind: 'approved', providerPaymentId: 'sim_1', captured: true } as const;
const authorized = { kind: 'approved', providerPaymentId: 'sim_1', captured: false } as const;
const declined = { kind: 'declined', providerPaymentId: 'sim_1', code: 'CARD_DECLINED' } as const;
const fraud = { kind: 'failed', providerPaymentId: 'sim_1', code: 'FRAUD_DETECTED' } as const;
const pending = { kind: 'pending', providerPaymentId: 'sim_1' } as const;
const approveInApp = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: { type: 'approve_in_app', app: 'upi' },
} as const;
const unrecognised = { kind: 'unrecognised', providerResponse: { status: 422 } } as const;
const notCharged = { kind: 'not_charged' } as const;
const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
const timeout = { kind: 'outage', code: 'TSP_TIMEOUT' } as const;
const hang = { kind: 'hang' } as const;

const MANUAL = { amountMinor: 1_999, currency: 'EUR', country: 'DE', captureMethod: 'manual' } as const;

const confirm = async (payment: RunningPayment): Promise<unknown> => (await payment.confirm()).result();
const cancel = async (payment: RunningPayment): Promise<unknown> => (await payment.cancel()).result();

const approvedEvent = ({ input }: RunningPayment): ProviderEvent => ({
  provider: 'alpha',
  eventId: 'simevt_1',
  attemptId: attemptIdOf(input.paymentIntentId, 1),
  outcome: approved,
});

/** Lets a provider call begin before something else happens. */
async function whenCalled(activities: ScriptedActivities): Promise<void> {
  while (activities.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** One of each outcome; the names are the files' names. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  approved: { providers: { alpha: { authorize: [approved] } }, course: confirm },
  'declined-then-approved': {
    providers: { alpha: { authorize: [declined, approved] } },
    course: async (payment) => {
      await confirm(payment);
      await confirm(payment);
    },
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
    course: async (payment) => {
      await confirm(payment);
      await cancel(payment);
    },
  },
  'all-providers-away': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] } },
    course: async (payment) => {
      await confirm(payment);
      await cancel(payment);
    },
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
    course: async (payment) => {
      await confirm(payment);
      await payment.handle.signal(providerEventSignal, approvedEvent(payment));
    },
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
    course: async (payment) => {
      await confirm(payment);
      await cancel(payment);
    },
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
    course: async (payment) => {
      await confirm(payment);
      await cancel(payment);
    },
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
};
