import assert from 'node:assert/strict';
import { CARD_TRIES } from '../../domain/decline-retries.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { SHOWN_AFTER_MS } from '../../domain/time-limits.ts';
import {
  askProviderNowUpdate,
  resolvePaymentUpdate,
  updateIntentUpdate,
  captureUpdate,
  readAgainSignal,
  type PaymentIntentInput,
} from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
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
  redirect,
  taken,
  timeout,
  unrecognised,
  until,
  voided,
} from '../support/outcomes.ts';
import { eventually } from '../support/eventually.ts';
import type { EarlierRun } from '../support/earlier-run.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import { CHARGED_ALONE, type ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderCall, ProviderScript } from '../support/scripted-provider.ts';
import type { RunningPayment } from '../support/time-skipping.ts';

/** A payment whose history is recorded for replay. */
export interface Scenario {
  readonly providers: Readonly<Record<string, ProviderScript>>;
  readonly input?: Partial<PaymentIntentInput>;
  /** The payment as an earlier run has left it; absent where it is new. */
  readonly left?: EarlierRun;
  readonly prepare?: (activities: ScriptedActivities) => void;
  readonly steps: (payment: RunningPayment, activities: ScriptedActivities) => Promise<unknown>;
  /** Whether the recorded history is that of the payment's refund. */
  readonly ofRefund?: true;
}

type Steps = Scenario['steps'];

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
const redirectWithoutId = { ...redirect, providerPaymentId: null } as const;
const returned = { kind: 'pending', providerPaymentId: null, isReturned: true } as const;
const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
const refundPending = { ...refunded, kind: 'pending' } as const;
const lateApproval = { kind: 'answersAfterCancel', outcome: approved } as const;
const anotherAmount = { ...approved, amountMinor: 1 } as const;

const unauthenticated = { ...declined, advice: 'authenticate' } as const;
const technical = { ...declined, advice: 'elsewhere' } as const;
const NOT_DECLINED = { count: 0, until: null };
const UNDECLINED = { day: NOT_DECLINED, month: NOT_DECLINED };

const PROCESSING: EarlierRun = { status: 'processing', outcome: null, captureMethod: 'automatic' };
const WAITING: EarlierRun = { status: 'requires_action', outcome: null, captureMethod: 'automatic' };
const HELD: EarlierRun = { status: 'requires_capture', outcome: 'approved' };
const CANCEL = { id: 'cancel_1', kind: 'cancel', request: { reason: 'duplicate' }, result: null } as const;
const CAPTURE = { id: 'capture_1', kind: 'capture', request: { amountMinor: 700 }, result: null } as const;

const confirm: Steps = async (payment) => (await payment.confirm()).result();
const confirmAlone: Steps = async (payment) => (await payment.confirm({ savedUse: 'recurring' })).result();
const chargesAlone = (activities: ScriptedActivities): void => void (activities.method = CHARGED_ALONE);
const cancel: Steps = async (payment) => (await payment.cancel()).result();
const cancelByOperator: Steps = (payment) => payment.handle.cancel();
const capture: Steps = (payment) => payment.handle.executeUpdate(captureUpdate, { args: [{ amountMinor: 700 }] });
const end: Steps = (payment) => payment.end();
const report: Steps = (payment, activities) => activities.report(payment.handle, eventFor(payment, approved));

const askAtOnce: Steps = (payment) =>
  eventually(() => payment.handle.executeUpdate(askProviderNowUpdate, { args: [{ by: 'Support' }] }));
const resolveAsNotCharged: Steps = async (payment) => {
  for (const by of ['Ann', 'Bob']) {
    const request = { by, note: 'Not in their ledger', outcome: 'not_charged' } as const;
    await eventually(() => payment.handle.executeUpdate(resolvePaymentUpdate, { args: [request] }));
  }
};

/** Sends a confirm and does not wait for its answer. */
const sendConfirm: Steps = (payment) => payment.confirm();

/** Waits until a provider has received a call of the operation. */
const whenAsked =
  (operation: ProviderCall['operation']): Steps =>
  (_payment, { calls }) =>
    until(() => calls.some((call) => call.operation === operation));

const whenPayableAgain: Steps = (_payment, activities) =>
  until(() => activities.last.columns.status === 'requires_payment_method');

/** Runs the steps one after the other. */
const inSequence =
  (...steps: readonly Steps[]): Steps =>
  async (payment, activities) => {
    for (const step of steps) await step(payment, activities);
  };

/** Sends a request that the payment refuses in its state. */
const refused =
  (request: Steps): Steps =>
  async (payment, activities) => {
    await Promise.resolve(request(payment, activities)).catch(() => undefined);
  };

const skip =
  (milliseconds: number): Steps =>
  (payment) =>
    payment.skip(milliseconds);

/** Assigns the payment to another run, as a reset does. */
const assignToAnotherRun: Steps = ({ input }, { store }) => {
  store.assignToRun(input.paymentIntentId, 'another run');
  return Promise.resolve();
};

const whenShownAsProcessing: Steps = (payment) =>
  eventually(async () => {
    const found = await payment.searchAttributes();
    assert.equal(found.get(SEARCH_ATTRIBUTES.status), 'processing');
  });

const update: Steps = (payment) =>
  payment.handle.executeUpdate(updateIntentUpdate, { args: [{ paymentUpdateId: 'upd_1' }] });

const refund: Steps = async (payment) => (await startRefund(payment, refundInputOf(payment))).result();

/** One of each outcome; the names are the files' names. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  approved: { providers: { alpha: { authorize: [approved] } }, steps: confirm },
  'declined-then-approved': {
    providers: { alpha: { authorize: [declined, approved] } },
    steps: inSequence(confirm, confirm),
  },
  'failed-as-fraud': { providers: { alpha: { authorize: [fraud] } }, steps: confirm },
  'failed-with-its-workflow': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] }, beta: { authorize: [fraud] } },
    steps: async (payment) => (await payment.confirm({ cardLast4: '4242' })).result(),
  },
  'resolved-by-hand-as-not-charged': {
    providers: { alpha: { authorize: [timeout], inquire: [timeout] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), skip(5 * MINUTE_MS), resolveAsNotCharged),
  },
  'asked-at-once-then-approved': {
    providers: { alpha: { authorize: [pending], inquire: [approved] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), askAtOnce),
  },
  'failed-over': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] }, beta: { authorize: [approved] } },
    steps: confirm,
  },
  'authenticated-after-a-decline': {
    providers: { alpha: { authorize: [unauthenticated, redirect], inquire: [redirect] } },
    prepare: (activities) => {
      activities.plan = { ...activities.plan, retries: { elsewhere: null, declines: UNDECLINED } };
    },
    steps: inSequence(confirm, (payment, activities) =>
      activities.report(payment.handle, eventFor(payment, approved, 2)),
    ),
  },
  'declined-then-approved-elsewhere': {
    providers: { alpha: { authorize: [technical] }, beta: { authorize: [approved] } },
    prepare: (activities) => {
      const elsewhere = { maxRetries: 1, issuerDeclines: false };
      activities.plan = { ...activities.plan, retries: { elsewhere, declines: UNDECLINED } };
    },
    steps: confirm,
  },
  'declined-at-a-limit-of-the-schemes': {
    providers: { alpha: { authorize: [unauthenticated] } },
    prepare: (activities) => {
      const declined = { count: CARD_TRIES.day, until: '2026-12-01T00:00:00.000Z' };
      activities.plan = {
        ...activities.plan,
        retries: { elsewhere: null, declines: { day: declined, month: declined } },
      };
    },
    steps: inSequence(confirm, cancel),
  },
  'not-failed-over-after-customer-action': {
    providers: {
      alpha: { authorize: [outage], inquire: [redirect, notCharged] },
      beta: { authorize: [approved] },
    },
    steps: inSequence(confirm, skip(MINUTE_MS / 2), whenPayableAgain, cancel),
  },
  'lost-reply-found': {
    providers: { alpha: { authorize: [timeout], inquire: [outage, approved] }, beta: { authorize: [approved] } },
    steps: confirm,
  },
  'another-amount-then-approved': {
    providers: { alpha: { authorize: [anotherAmount], inquire: [anotherAmount, approved] } },
    steps: confirm,
  },
  'unknown-shape': {
    providers: { alpha: { authorize: [unrecognised], inquire: [notCharged] } },
    steps: inSequence(confirm, cancel),
  },
  'all-providers-away': {
    providers: { alpha: { authorize: [outage], inquire: [notCharged] } },
    steps: inSequence(confirm, cancel),
  },
  'stuck-then-settled': {
    providers: { alpha: { authorize: [pending], inquire: [pending] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), skip(2 * MINUTE_MS), report),
  },
  'approved-without-the-customer': {
    providers: { alpha: { authorize: [approved] } },
    prepare: chargesAlone,
    steps: confirmAlone,
  },
  'closed-because-the-customer-is-not-there': {
    providers: { alpha: { authorize: [redirect], close: [timeout, notCharged] } },
    prepare: chargesAlone,
    steps: confirmAlone,
  },
  'lost-reply-found-to-want-an-absent-customer': {
    providers: { alpha: { authorize: [timeout], inquire: [redirect], close: [notCharged] } },
    prepare: chargesAlone,
    steps: confirmAlone,
  },
  'removed-before-the-charge-without-the-customer': {
    providers: { alpha: {} },
    prepare: (activities) => {
      chargesAlone(activities);
      activities.store.removedReferences.add('pm_test');
    },
    steps: confirmAlone,
  },
  'unanswered-for-seconds': {
    providers: { alpha: { authorize: [hang] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), skip(SHOWN_AFTER_MS), whenShownAsProcessing, report),
  },
  'reported-during-the-call': {
    providers: { alpha: { authorize: [hang] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), report),
  },
  'approved-in-app': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp] } },
    steps: inSequence(confirm, report),
  },
  'expired-waiting-for-customer': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [notCharged] } },
    steps: inSequence(confirm, skip(30 * MINUTE_MS)),
  },
  'charged-as-it-expired': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [approved] } },
    steps: inSequence(confirm, skip(30 * MINUTE_MS)),
  },
  'expired-unpaid': { providers: { alpha: {} }, steps: end },
  'canceled-unpaid': { providers: { alpha: {} }, steps: cancel },
  'canceled-while-processing': {
    providers: { alpha: { authorize: [hang], close: [notCharged] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), cancel),
  },
  'canceled-while-asking': {
    providers: { alpha: { authorize: [unrecognised], inquire: [hang], close: [voided] } },
    input: { terms: MANUAL },
    steps: inSequence(sendConfirm, whenAsked('inquire'), cancel),
  },
  'canceled-waiting-for-customer': {
    providers: { alpha: { authorize: [approveInApp], inquire: [approveInApp], close: [outage, notCharged] } },
    steps: inSequence(confirm, cancel),
  },
  'returned-with-a-result': {
    providers: { alpha: { authorize: [redirectWithoutId], inquire: [approved] } },
    steps: inSequence(confirm, (payment, activities) => activities.report(payment.handle, eventFor(payment, returned))),
  },
  'charge-won-against-cancel': {
    providers: { alpha: { authorize: [hang], close: [approved] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), cancel),
  },
  'approved-though-canceled-during-the-call': {
    providers: { alpha: { authorize: [lateApproval], close: [notCharged] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), cancel),
  },
  'canceled-unpaid-by-operator': { providers: { alpha: {} }, steps: cancelByOperator },
  'canceled-while-processing-by-operator': {
    providers: { alpha: { authorize: [hang], close: [notCharged] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), cancelByOperator),
  },
  'charge-won-against-operator': {
    providers: { alpha: { authorize: [hang], close: [approved] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), cancelByOperator),
  },
  'confirm-and-update-refused-during-a-call': {
    providers: { alpha: { authorize: [hang] } },
    steps: inSequence(sendConfirm, whenAsked('authorize'), refused(confirm), refused(update), report),
  },
  'capture-refused-during-a-capture': {
    providers: { alpha: { authorize: [authorized], capture: [hang] } },
    input: { terms: MANUAL },
    steps: inSequence(
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
    steps: inSequence(
      confirm,
      sendConfirm,
      (_payment, { calls }) => until(() => calls.length === 2),
      cancelByOperator,
      report,
      (_payment, { store }) => until(() => store.strayCharges.length === 1),
      (payment, activities) => activities.report(payment.handle, eventFor(payment, approved, 2)),
    ),
  },
  'authorized-then-voided': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, cancel),
  },
  'authorization-lapsed': {
    providers: { alpha: { authorize: [authorized], close: [notCharged] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, end),
  },
  'retries-exhausted': {
    providers: { alpha: { authorize: [declined] } },
    input: { attemptBudget: 1 },
    steps: confirm,
  },
  'refused-then-canceled': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], skippedRoutes: [] };
    },
    steps: inSequence(confirm, cancel),
  },
  'refused-then-found-and-paid': {
    providers: { alpha: { authorize: [approved] } },
    prepare: (activities) => {
      const { plan } = activities;
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], skippedRoutes: [] };
      activities.laterPlan = plan;
    },
    steps: inSequence(confirm, confirm),
  },
  'updated-then-approved': {
    providers: { alpha: { authorize: [approved] } },
    prepare: ({ store }) => store.paymentUpdates.set('upd_1', { country: null }),
    steps: inSequence(update, confirm),
  },
  'update-gone-then-canceled': { providers: { alpha: {} }, steps: inSequence(update, cancel) },
  'captured-in-part': {
    providers: { alpha: { authorize: [authorized], capture: [taken(700)] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, capture),
  },
  'capture-repeated-after-outage': {
    providers: { alpha: { authorize: [authorized], capture: [outage, outage, outage, outage, taken(700)] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, async (payment) => (await payment.capture(700)).result()),
  },
  'capture-refused-then-captured': {
    providers: { alpha: { authorize: [authorized], capture: [unrecognised, taken(700)], inquire: [authorized] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, capture, capture),
  },
  'capture-found-nothing-held': {
    providers: { alpha: { authorize: [authorized], capture: [{ kind: 'not_held' }] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, capture),
  },
  'deposit-seen-then-confirmed': {
    providers: { alpha: { authorize: [depositAsked], inquire: [depositAsked] } },
    steps: inSequence(
      confirm,
      (payment, activities) => activities.report(payment.handle, eventFor(payment, pending)),
      skip(SECOND_MS),
      report,
    ),
  },
  'taken-over-in-processing': {
    providers: { alpha: { inquire: [pending, approved] } },
    left: PROCESSING,
    steps: end,
  },
  'taken-over-in-requires-action': {
    providers: { alpha: { inquire: [approveInApp, pending, approved] } },
    left: WAITING,
    steps: end,
  },
  'taken-over-uncharged-then-canceled': {
    providers: { alpha: { inquire: [notCharged] } },
    left: PROCESSING,
    steps: inSequence(whenAsked('inquire'), skip(SECOND_MS), cancel),
  },
  'taken-over-holding-then-captured': {
    providers: { alpha: { inquire: [authorized], capture: [taken(700)] } },
    left: HELD,
    steps: capture,
  },
  'taken-over-holding-then-lapsed': {
    providers: { alpha: { inquire: [authorized], close: [notCharged] } },
    left: HELD,
    steps: end,
  },
  'taken-over-holding-then-captured-unanswered': {
    providers: { alpha: { inquire: [outage], capture: [taken(700)] } },
    left: HELD,
    steps: inSequence(whenAsked('inquire'), capture),
  },
  'taken-over-during-a-capture': {
    providers: { alpha: { capture: [outage, taken(700)] } },
    left: { ...HELD, operation: CAPTURE },
    steps: end,
  },
  'taken-over-during-a-cancel': {
    providers: { alpha: { close: [notCharged] } },
    left: { ...WAITING, operation: CANCEL },
    steps: end,
  },
  'out-of-date-then-paid': {
    providers: { alpha: { authorize: [declined, approved] } },
    steps: inSequence(confirm, assignToAnotherRun, confirm),
  },
  'out-of-date-during-a-capture': {
    providers: { alpha: { authorize: [authorized], capture: [outage, taken(700)] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, (payment) => payment.capture(700), whenAsked('capture'), assignToAnotherRun),
  },
  'asked-to-read-again': {
    providers: { alpha: { authorize: [authorized], inquire: [approved] } },
    input: { terms: MANUAL },
    steps: inSequence(confirm, (payment) => payment.handle.signal(readAgainSignal)),
  },
  'refund-succeeded': { providers: { alpha: { refund: [refunded] } }, steps: refund, ofRefund: true },
  'refund-repeated-after-outage': {
    providers: { alpha: { refund: [outage, timeout, refunded] } },
    steps: refund,
    ofRefund: true,
  },
  'refund-pending-then-reported': {
    providers: { alpha: { refund: [refundPending], inquireRefund: [refundPending] } },
    steps: async (payment, activities) => {
      const input = refundInputOf(payment);
      const run = await startRefund(payment, input);
      await until(() => activities.calls.length > 0);
      const { refundId } = input;
      const event = { provider: 'alpha', eventId: 'simevt_1', refundId, refundOutcome: refunded };
      await activities.reportRefund(run, event);
      await run.result();
    },
    ofRefund: true,
  },
  'refund-failed-after-success': {
    providers: { alpha: {} },
    steps: async (payment, activities) => {
      const failureEvent = { provider: 'alpha', eventId: 'simevt_1' };
      const input = refundInputOf(payment, { failureEvent });
      const { refundId } = input;
      const refundOutcome = { kind: 'refused', providerRefundId: 'simre_1' } as const;
      activities.refundEvents.push({ ...failureEvent, refundId, refundOutcome });
      await (await startRefund(payment, input)).result();
    },
    ofRefund: true,
  },
  'refund-taken-over': {
    providers: { alpha: { refund: [unrecognised, refundPending], inquireRefund: [refundPending, refunded] } },
    steps: async (payment) => {
      const run = await startRefund(payment, refundInputOf(payment, { takeOverAfter: 'terminated' }));
      await run.result();
    },
    ofRefund: true,
  },
  'refund-taken-over-after-its-end': {
    providers: { alpha: {} },
    steps: async (payment, { resolutions }) => {
      const input = refundInputOf(payment, { takeOverAfter: 'terminated' });
      const { refundId } = input;
      const at = '2026-01-01T00:00:00.000Z';
      resolutions.push({ refundId, at, status: 'succeeded', providerRefundId: 'simre_1', failure: null, tries: 1 });
      await (await startRefund(payment, input)).result();
    },
    ofRefund: true,
  },
};
