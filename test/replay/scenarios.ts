import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  updateIntentUpdate,
  captureUpdate,
  providerEventSignal,
  readAgainSignal,
  refundEventSignal,
  type PaymentIntentInput,
} from '../../workflows/messages.ts';
import {
  approved,
  approveInApp,
  authorized,
  declined,
  eventFor,
  fraud,
  hang,
  MANUAL,
  notCharged,
  outage,
  pending,
  taken,
  timeout,
  unrecognised,
  until,
  voided,
} from '../support/outcomes.ts';
import type { EarlierRun } from '../support/earlier-run.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import type { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderCall, ProviderScript } from '../support/scripted-provider.ts';
import type { RunningPayment } from '../support/time-skipping.ts';

/** A run of a payment whose history is kept for replay. */
export interface Scenario {
  readonly providers: Readonly<Record<string, ProviderScript>>;
  readonly input?: Partial<PaymentIntentInput>;
  /** The payment as an earlier run has left it; absent where it is new. */
  readonly left?: EarlierRun;
  readonly prepare?: (activities: ScriptedActivities) => void;
  readonly course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<unknown>;
  /** Whether the history kept is that of the payment's refund. */
  readonly ofRefund?: true;
}

type Course = Scenario['course'];

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
const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
const refundPending = { ...refunded, kind: 'pending' } as const;
const lateApproval = { kind: 'answersAfterCancel', outcome: approved } as const;
const anotherAmount = { ...approved, amountMinor: 1 } as const;

const PROCESSING: EarlierRun = { status: 'processing', outcome: null, captureMethod: 'automatic' };
const WAITING: EarlierRun = { status: 'requires_action', outcome: null, captureMethod: 'automatic' };
const HELD: EarlierRun = { status: 'requires_capture', outcome: 'approved' };
const CANCEL = { id: 'cancel_1', kind: 'cancel', request: { reason: 'duplicate' }, result: null } as const;
const CAPTURE = { id: 'capture_1', kind: 'capture', request: { amountMinor: 700 }, result: null } as const;

const confirm: Course = async (payment) => (await payment.confirm()).result();
const cancel: Course = async (payment) => (await payment.cancel()).result();
const cancelByOperator: Course = (payment) => payment.handle.cancel();
const capture: Course = (payment) => payment.handle.executeUpdate(captureUpdate, { args: [{ amountMinor: 700 }] });
const end: Course = (payment) => payment.end();
const report: Course = (payment) => payment.handle.signal(providerEventSignal, eventFor(payment, approved));

/** Sends a confirm and does not wait for its answer. */
const sendConfirm: Course = (payment) => payment.confirm();

/** Waits until a provider has been asked that. */
const whenAsked =
  (operation: ProviderCall['operation']): Course =>
  (_payment, { calls }) =>
    until(() => calls.some((call) => call.operation === operation));

/** One after the other. */
const course =
  (...steps: readonly Course[]): Course =>
  async (payment, activities) => {
    for (const step of steps) await step(payment, activities);
  };

/** A request that the payment refuses for what is under way. */
const refused =
  (request: Course): Course =>
  async (payment, activities) => {
    await Promise.resolve(request(payment, activities)).catch(() => undefined);
  };

const skip =
  (milliseconds: number): Course =>
  (payment) =>
    payment.skip(milliseconds);

/** Has another run take the payment, as a reset does. */
const assignToAnotherRun: Course = ({ input }, { store }) => {
  store.assignToRun(input.paymentIntentId, 'another run');
  return Promise.resolve();
};

const update: Course = (payment) =>
  payment.handle.executeUpdate(updateIntentUpdate, { args: [{ paymentUpdateId: 'amd_1' }] });

const refund: Course = async (payment) => (await startRefund(payment, refundInputOf(payment))).result();

/** One of each outcome; the names are the files' names. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  approved: { providers: { alpha: { authorize: [approved] } }, course: confirm },
  'declined-then-approved': {
    providers: { alpha: { authorize: [declined, approved] } },
    course: course(confirm, confirm),
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
  'another-amount-then-approved': {
    providers: { alpha: { authorize: [anotherAmount], inquire: [anotherAmount, approved] } },
    course: confirm,
  },
  'unknown-shape': {
    providers: { alpha: { authorize: [unrecognised], inquire: [notCharged] } },
    course: course(confirm, cancel),
  },
  'all-providers-away': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] } },
    course: course(confirm, cancel),
  },
  'stuck-then-settled': {
    providers: { alpha: { authorize: [pending], inquire: [pending] } },
    course: course(sendConfirm, whenAsked('authorize'), skip(2 * MINUTE_MS), report),
  },
  'reported-during-the-call': {
    providers: { alpha: { authorize: [hang] } },
    course: course(sendConfirm, whenAsked('authorize'), report),
  },
  'approved-in-app': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp] } },
    course: course(confirm, report),
  },
  'expired-waiting-for-customer': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [notCharged] } },
    course: course(confirm, skip(30 * MINUTE_MS)),
  },
  'charged-as-it-expired': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [approved] } },
    course: course(confirm, skip(30 * MINUTE_MS)),
  },
  'expired-unpaid': { providers: { alpha: {} }, course: end },
  'canceled-unpaid': { providers: { alpha: {} }, course: cancel },
  'canceled-while-processing': {
    providers: { alpha: { authorize: [hang], close: [notCharged] } },
    course: course(sendConfirm, whenAsked('authorize'), cancel),
  },
  'canceled-while-asking': {
    providers: { alpha: { authorize: [unrecognised], inquire: [hang], close: [voided] } },
    input: { terms: MANUAL },
    course: course(sendConfirm, whenAsked('inquire'), cancel),
  },
  'canceled-waiting-for-customer': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [outage, notCharged] } },
    course: course(confirm, cancel),
  },
  'charge-won-against-cancel': {
    providers: { alpha: { authorize: [hang], close: [approved] } },
    course: course(sendConfirm, whenAsked('authorize'), cancel),
  },
  'approved-though-canceled-during-the-call': {
    providers: { alpha: { authorize: [lateApproval], close: [notCharged] } },
    course: course(sendConfirm, whenAsked('authorize'), cancel),
  },
  'canceled-unpaid-by-operator': { providers: { alpha: {} }, course: cancelByOperator },
  'canceled-while-processing-by-operator': {
    providers: { alpha: { authorize: [hang], close: [notCharged] } },
    course: course(sendConfirm, whenAsked('authorize'), cancelByOperator),
  },
  'charge-won-against-operator': {
    providers: { alpha: { authorize: [hang], close: [approved] } },
    course: course(sendConfirm, whenAsked('authorize'), cancelByOperator),
  },
  'confirm-and-update-refused-during-a-call': {
    providers: { alpha: { authorize: [hang] } },
    course: course(sendConfirm, whenAsked('authorize'), refused(confirm), refused(update), report),
  },
  'capture-refused-during-a-capture': {
    providers: { alpha: { authorize: [authorized], capture: [hang] } },
    input: { terms: MANUAL },
    course: course(
      confirm,
      (payment) => payment.capture(null),
      whenAsked('capture'),
      refused(capture),
      refused(cancel),
      report,
    ),
  },
  'stray-charge-reported-after-cancel-by-operator': {
    providers: { alpha: { authorize: [declined, hang], close: [hang] } },
    course: course(
      confirm,
      sendConfirm,
      (_payment, { calls }) => until(() => calls.length === 2),
      cancelByOperator,
      report,
      (_payment, { store }) => until(() => store.strayCharges.length === 1),
      (payment) => payment.handle.signal(providerEventSignal, eventFor(payment, approved, 2)),
    ),
  },
  'authorized-then-voided': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    course: course(confirm, cancel),
  },
  'authorization-lapsed': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    course: course(confirm, end),
  },
  'retries-exhausted': {
    providers: { alpha: { authorize: [declined] } },
    input: { attemptBudget: 1 },
    course: confirm,
  },
  'refused-then-canceled': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], skippedRoutes: [] };
    },
    course: course(confirm, cancel),
  },
  'refused-then-found-and-paid': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      const { plan } = activities;
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], skippedRoutes: [] };
      activities.laterPlan = plan;
    },
    course: course(confirm, confirm),
  },
  'updated-then-approved': {
    providers: { alpha: { authorize: [approved] } },
    prepare: ({ store }) => store.paymentUpdates.set('amd_1', { country: null }),
    course: course(update, confirm),
  },
  'update-gone-then-canceled': { providers: { alpha: {} }, course: course(update, cancel) },
  'captured-in-part': {
    providers: { alpha: { authorize: [authorized], capture: [taken(700)] } },
    input: { terms: MANUAL },
    course: course(confirm, capture),
  },
  'capture-repeated-after-outage': {
    providers: { alpha: { authorize: [authorized], capture: [outage, outage, outage, outage, taken(700)] } },
    input: { terms: MANUAL },
    course: course(confirm, async (payment) => (await payment.capture(700)).result()),
  },
  'capture-refused-then-captured': {
    providers: { alpha: { authorize: [authorized], capture: [unrecognised, taken(700)], inquire: [authorized] } },
    input: { terms: MANUAL },
    course: course(confirm, capture, capture),
  },
  'capture-found-nothing-held': {
    providers: { alpha: { authorize: [authorized], capture: [{ kind: 'not_held' }] } },
    input: { terms: MANUAL },
    course: course(confirm, capture),
  },
  'deposit-seen-then-confirmed': {
    providers: { alpha: { authorize: [depositAsked], inquire: [depositAsked] } },
    course: course(
      confirm,
      (payment) => payment.handle.signal(providerEventSignal, eventFor(payment, pending)),
      skip(SECOND_MS),
      report,
    ),
  },
  'taken-over-in-processing': {
    providers: { alpha: { inquire: [pending, approved] } },
    left: PROCESSING,
    course: end,
  },
  'taken-over-in-requires-action': {
    providers: { alpha: { inquire: [approveInApp, pending, approved] } },
    left: WAITING,
    course: end,
  },
  'taken-over-uncharged-then-canceled': {
    providers: { alpha: { inquire: [notCharged] } },
    left: PROCESSING,
    course: course(whenAsked('inquire'), skip(SECOND_MS), cancel),
  },
  'taken-over-holding-then-captured': {
    providers: { alpha: { inquire: [authorized], capture: [taken(700)] } },
    left: HELD,
    course: capture,
  },
  'taken-over-holding-then-lapsed': {
    providers: { alpha: { inquire: [authorized], close: [notCharged] } },
    left: HELD,
    course: end,
  },
  'taken-over-during-a-capture': {
    providers: { alpha: { capture: [outage, taken(700)] } },
    left: { ...HELD, operation: CAPTURE },
    course: end,
  },
  'taken-over-during-a-cancel': {
    providers: { alpha: { close: [notCharged] } },
    left: { ...WAITING, operation: CANCEL },
    course: end,
  },
  'out-of-date-then-paid': {
    providers: { alpha: { authorize: [declined, approved] } },
    course: course(confirm, assignToAnotherRun, confirm),
  },
  'out-of-date-during-a-capture': {
    providers: { alpha: { authorize: [authorized], capture: [outage, taken(700)] } },
    input: { terms: MANUAL },
    course: course(confirm, (payment) => payment.capture(700), whenAsked('capture'), assignToAnotherRun),
  },
  'asked-to-read-again': {
    providers: { alpha: { authorize: [authorized], inquire: [approved] } },
    input: { terms: MANUAL },
    course: course(confirm, (payment) => payment.handle.signal(readAgainSignal)),
  },
  'refund-succeeded': { providers: { alpha: { refund: [refunded] } }, course: refund, ofRefund: true },
  'refund-repeated-after-outage': {
    providers: { alpha: { refund: [outage, timeout, refunded] } },
    course: refund,
    ofRefund: true,
  },
  'refund-pending-then-reported': {
    providers: { alpha: { refund: [refundPending], inquireRefund: [refundPending] } },
    course: async (payment, activities) => {
      const input = refundInputOf(payment);
      const run = await startRefund(payment, input);
      await until(() => activities.calls.length > 0);
      const { refundId } = input;
      const event = { provider: 'alpha', eventId: 'simevt_1', refundId, refundOutcome: refunded };
      await run.signal(refundEventSignal, event);
      await run.result();
    },
    ofRefund: true,
  },
  'refund-taken-over': {
    providers: { alpha: { refund: [unrecognised, refundPending], inquireRefund: [refundPending, refunded] } },
    course: async (payment) => {
      const run = await startRefund(payment, refundInputOf(payment, { takeOverAfter: 'terminated' }));
      await run.result();
    },
    ofRefund: true,
  },
  'refund-taken-over-after-its-end': {
    providers: { alpha: {} },
    course: async (payment, { resolutions }) => {
      const input = refundInputOf(payment, { takeOverAfter: 'terminated' });
      const { refundId } = input;
      const at = '2026-01-01T00:00:00.000Z';
      resolutions.push({ refundId, at, status: 'succeeded', providerRefundId: 'simre_1', failure: null, tries: 1 });
      await (await startRefund(payment, input)).result();
    },
    ofRefund: true,
  },
};
