import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CHECKS } from '../../../chaos/checks/all-checks.ts';
import { answersConsistent, mayBecome } from '../../../chaos/checks/answers-consistent.ts';
import { noStrayCharges } from '../../../chaos/checks/no-stray-charges.ts';
import { callsScheduled } from '../../../chaos/checks/calls-scheduled.ts';
import { attemptsInTime } from '../../../chaos/checks/attempts-in-time.ts';
import { attemptsOnActiveRoutes } from '../../../chaos/checks/attempts-on-active-routes.ts';
import { waitsAdvised } from '../../../chaos/checks/waits-advised.ts';
import type { Check } from '../../../chaos/checks/check.ts';
import { exitsWork } from '../../../chaos/checks/exits-work.ts';
import { eventsDelivered } from '../../../chaos/checks/events-delivered.ts';
import { intentsFinished } from '../../../chaos/checks/intents-finished.ts';
import { memoryBounded } from '../../../chaos/checks/memory-bounded.ts';
import { ledgersMatch } from '../../../chaos/checks/ledgers-match.ts';
import { noSecretsLeaked } from '../../../chaos/checks/no-secrets-leaked.ts';
import { workflowsMatch } from '../../../chaos/checks/workflows-match.ts';
import { MERCHANT } from '../../../chaos/faults/switches.ts';
import type { ClientTry } from '../../../chaos/snapshot/client-try.ts';
import type { Snapshot } from '../../../chaos/snapshot/snapshot.ts';
import {
  AMOUNT,
  ATTEMPT,
  clientAnswer,
  attemptRow,
  clientTry,
  CONFIRMED_AT_MS,
  EXPIRES_AT_MS,
  INTENT,
  intentRow,
  ledgerEntry,
  REFUND,
  refundRow,
  unpaidIntentRow,
  snapshot,
} from '../../support/chaos-snapshot.ts';

/** A change of the consistent snapshot, and the problems that the check finds. */
interface Case {
  readonly title: string;
  readonly changes: Partial<Snapshot>;
  /** One pattern for each problem, in their order. */
  readonly problems: readonly RegExp[];
}

function describeCheck(check: Check, cases: readonly Case[]): void {
  describe(`the check "${check.name}"`, () => {
    for (const { title, changes, problems } of cases) {
      it(`${problems.length === 0 ? 'accepts' : 'finds'} ${title}`, () => {
        const found = check.find(snapshot(changes)).map(({ what }) => what);
        assert.equal(found.length, problems.length, found.join('\n'));
        for (const [index, pattern] of problems.entries()) assert.match(found[index] ?? '', pattern);
      });
    }
  });
}

describe('checks of a chaos run', () => {
  for (const check of CHECKS) {
    it(`find no problem in a consistent snapshot: ${check.name}`, () => assert.deepEqual(check.find(snapshot()), []));
  }
});

const running = { status: 'RUNNING', paymentStatus: 'processing', paymentProvider: 'alpha' };

describeCheck(callsScheduled, [
  { title: 'a call that a history has scheduled', changes: {}, problems: [] },
  {
    title: 'a call that no history has scheduled',
    changes: { scheduledAttempts: new Set() },
    problems: [/no history has scheduled/],
  },
]);

const begunAt = (startedAtMs: number) => ({ intents: [intentRow({ attempts: [attemptRow({ startedAtMs })] })] });

describeCheck(attemptsInTime, [
  { title: 'an attempt soon after its confirm', changes: begunAt(CONFIRMED_AT_MS + 30_000), problems: [] },
  {
    title: 'an attempt after the expiry',
    changes: begunAt(EXPIRES_AT_MS + 2_000),
    problems: [/began 2 s after the expiry/],
  },
  {
    title: 'an attempt long after its confirm',
    changes: {
      intents: [
        intentRow({
          expiresAtMs: CONFIRMED_AT_MS + 600_000,
          attempts: [attemptRow({ startedAtMs: CONFIRMED_AT_MS + 200_000 })],
        }),
      ],
    },
    problems: [/began 200 s after the last confirm/],
  },
]);

const inactive = (id: string) => [{ id, fromMs: CONFIRMED_AT_MS, untilMs: CONFIRMED_AT_MS + 10_000 }];

describeCheck(attemptsOnActiveRoutes, [
  {
    title: 'an attempt by a route that was switched off',
    changes: { ...begunAt(CONFIRMED_AT_MS + 5_000), inactivePeriods: inactive('rt_1') },
    problems: [/began 5000 ms after rt_1 was switched off/],
  },
  {
    title: 'an attempt at an account that was disabled',
    changes: { ...begunAt(CONFIRMED_AT_MS + 5_000), inactivePeriods: inactive('alpha') },
    problems: [/after alpha was switched off/],
  },
  {
    title: 'an attempt for a merchant that was suspended',
    changes: { ...begunAt(CONFIRMED_AT_MS + 5_000), inactivePeriods: inactive(MERCHANT) },
    problems: [/was switched off/],
  },
  {
    title: 'attempts before and after, and by other routes',
    changes: { ...begunAt(CONFIRMED_AT_MS + 11_000), inactivePeriods: [...inactive('rt_1'), ...inactive('rt_2')] },
    problems: [],
  },
]);

describeCheck(waitsAdvised, [
  {
    title: 'a capture that waits in silence',
    changes: { unadvisedWaits: [{ paymentIntentId: INTENT, what: 'its capture waits without an advisory' }] },
    problems: [/waits without an advisory/],
  },
]);

describeCheck(exitsWork, [
  {
    title: 'a capture that two people could not end',
    changes: { failedExits: [{ paymentIntentId: INTENT, what: 'the capture of a hold could not be ended by hand' }] },
    problems: [/could not be ended by hand/],
  },
]);

describeCheck(noStrayCharges, [
  { title: 'a snapshot without stray charges', changes: {}, problems: [] },
  {
    title: 'a stray charge, though it was reversed',
    changes: { strayCharges: [{ attemptId: ATTEMPT, paymentIntentId: INTENT, status: 'reversed' }] },
    problems: [/had ended without a charge/],
  },
  {
    title: 'a late report of a hold that the engine had voided',
    changes: { strayCharges: [{ attemptId: ATTEMPT, paymentIntentId: INTENT, status: 'unfounded' }] },
    problems: [],
  },
]);

describeCheck(intentsFinished, [
  { title: 'an acknowledged intent that is gone', changes: { intents: [] }, problems: [/no such intent/] },
  {
    title: 'an intent that is still processing',
    changes: { intents: [unpaidIntentRow('processing')], workflows: new Map([[INTENT, running]]) },
    problems: [/^is still processing$/],
  },
  {
    title: 'an intent that is processing without a workflow',
    changes: { intents: [unpaidIntentRow('processing')] },
    problems: [/its workflow is COMPLETED/],
  },
  {
    title: 'an intent long after its expiry',
    changes: { intents: [unpaidIntentRow('requires_action', { expiresAtMs: 900_000 })], atMs: 1_000_000 },
    problems: [/100 s after its expiry/],
  },
  {
    title: 'a held amount that waits for its merchant after the expiry',
    changes: { intents: [unpaidIntentRow('requires_capture')] },
    problems: [],
  },
  {
    title: 'a refund that never ends',
    changes: { refunds: [refundRow({ status: 'pending' })] },
    problems: [/pending/],
  },
]);

const reversal = { idempotencyKey: 'stray_1', reference: 'stray_1', status: 'succeeded', amount: AMOUNT };
const refundEntry = { idempotencyKey: REFUND, reference: REFUND, status: 'succeeded', amount: 500 };
const refundTransaction = { attemptId: ATTEMPT, type: 'refund', amount: 500, refundId: REFUND };
const refundedIntent = intentRow({
  amountRefunded: 500,
  transactions: [...intentRow().transactions, refundTransaction],
});

describeCheck(ledgersMatch, [
  {
    title: 'a charge of an intent that was canceled',
    changes: { intents: [unpaidIntentRow('canceled')] },
    problems: [/captured 1999; the intent \(canceled\) has recorded 0/],
  },
  {
    title: 'a stray charge that was reversed',
    changes: { intents: [unpaidIntentRow('canceled')], ledger: [ledgerEntry({ refunds: [reversal] })] },
    problems: [],
  },
  {
    title: 'a stray charge that was voided',
    changes: {
      intents: [unpaidIntentRow('canceled')],
      ledger: [
        ledgerEntry({
          status: 'voided',
          charges: [
            { type: 'capture', amount: AMOUNT },
            { type: 'void', amount: AMOUNT },
          ],
        }),
      ],
    },
    problems: [],
  },
  {
    title: 'a stray charge that was reversed in part',
    changes: {
      intents: [unpaidIntentRow('canceled')],
      ledger: [ledgerEntry({ refunds: [{ ...reversal, amount: 1 }] })],
      strayCharges: [{ attemptId: ATTEMPT, paymentIntentId: INTENT, status: 'pending' }],
    },
    problems: [/of which 1 was reversed.*the stray charge is pending/],
  },
  {
    title: 'a second charge',
    changes: { ledger: [ledgerEntry(), ledgerEntry({ provider: 'beta', idempotencyKey: 'att_1_2' })] },
    problems: [/beta under att_1_2: captured 1999/],
  },
  {
    title: 'a payment that no provider has',
    changes: { ledger: [] },
    problems: [/no provider has it/],
  },
  {
    title: 'a sum that is not that of the transactions',
    changes: { intents: [intentRow({ amountCaptured: 1 })] },
    problems: [/captured of it: 1, should be 1999/],
  },
  {
    title: 'an authorization that no intent records',
    changes: { intents: [unpaidIntentRow('canceled')], ledger: [ledgerEntry({ status: 'authorized', charges: [] })] },
    problems: [/still has the amount authorized; the intent is canceled/],
  },
  {
    title: 'a charge of an unknown intent',
    changes: { ledger: [ledgerEntry(), ledgerEntry({ paymentIntentId: 'pi_2', idempotencyKey: 'att_2_1' })] },
    problems: [/does not exist/],
  },
  {
    title: 'a refund that both sides know',
    changes: { refunds: [refundRow()], intents: [refundedIntent], ledger: [ledgerEntry({ refunds: [refundEntry] })] },
    problems: [],
  },
  {
    title: 'a refund that was never made at the provider',
    changes: { refunds: [refundRow()], intents: [refundedIntent] },
    problems: [/is succeeded; the ledgers have refunded \[\]/],
  },
  {
    title: 'a failed refund that the provider made',
    changes: { refunds: [refundRow({ status: 'failed' })], ledger: [ledgerEntry({ refunds: [refundEntry] })] },
    problems: [/is failed; the ledgers have refunded \[500\]/],
  },
]);

const answered = (status: number, intentStatus: string, code: string | null = null): ClientTry =>
  clientTry(clientAnswer(status, { code, intentStatus, intentId: INTENT }));

describeCheck(answersConsistent, [
  {
    title: 'two answers under one key that differ',
    changes: { tries: [answered(200, 'processing'), answered(200, 'succeeded')] },
    problems: [/answered differently: 200 processing; 200 succeeded/],
  },
  {
    title: 'repeats that got no definite answer first',
    changes: {
      tries: [
        clientTry(null),
        clientTry(clientAnswer(503, { code: 'SERVICE_UNAVAILABLE' })),
        clientTry(clientAnswer(409, { code: 'DUPLICATE_REQUEST', isInFlight: true })),
        answered(200, 'succeeded'),
      ],
    },
    problems: [],
  },
  {
    title: 'an answer that the row cannot come from',
    changes: { tries: [answered(200, 'canceled')] },
    problems: [/was reported as canceled, and is succeeded/],
  },
  {
    title: 'a decline without an attempt that was declined',
    changes: { tries: [answered(400, 'requires_payment_method', 'CARD_DECLINED')] },
    problems: [/no attempt has that code/],
  },
  {
    title: 'the only confirm refused, though it was carried out',
    changes: { tries: [clientTry(null), answered(409, 'succeeded', 'STATE_CONFLICT')] },
    problems: [/its only confirm was refused/],
  },
  {
    title: 'a confirm that a cancel was faster than',
    changes: { intents: [unpaidIntentRow('canceled')], tries: [answered(409, 'canceled', 'STATE_CONFLICT')] },
    problems: [],
  },
  {
    title: 'a refund that was reported as succeeded',
    changes: {
      refunds: [refundRow({ status: 'failed' })],
      tries: [
        clientTry(clientAnswer(201, { refundId: REFUND, refundStatus: 'succeeded' }), {
          operation: 'refund',
          confirms: false,
        }),
      ],
    },
    problems: [/reported as succeeded, and is failed/],
  },
]);

describe('mayBecome', () => {
  it('allows several transitions, and none from a terminal status', () => {
    assert.equal(mayBecome('requires_payment_method', 'succeeded'), true);
    assert.equal(mayBecome('succeeded', 'succeeded'), true);
    assert.equal(mayBecome('requires_capture', 'expired'), false);
    assert.equal(mayBecome('canceled', 'succeeded'), false);
  });
});

describeCheck(workflowsMatch, [
  { title: 'an intent without a workflow', changes: { workflows: new Map() }, problems: [/does not exist/] },
  {
    title: 'a workflow that runs on after its payment',
    changes: { workflows: new Map([[INTENT, running]]) },
    problems: [/is RUNNING, should be COMPLETED/, /PaymentStatus processing, should be succeeded/],
  },
  {
    title: 'a provider that is not the row’s',
    changes: {
      workflows: new Map([[INTENT, { status: 'COMPLETED', paymentStatus: 'succeeded', paymentProvider: null }]]),
    },
    problems: [/PaymentProvider nothing, should be alpha/],
  },
  {
    title: 'a refund whose workflow was ended by hand',
    changes: {
      refunds: [refundRow()],
      workflows: new Map([
        ...snapshot().workflows,
        [REFUND, { status: 'TERMINATED', paymentStatus: 'succeeded', paymentProvider: 'alpha' }],
      ]),
    },
    problems: [/the workflow of re_1 is TERMINATED/],
  },
]);

const [firstEvent, secondEvent] = snapshot().socketEvents;
const [firstWebhook, secondWebhook] = snapshot().webhooks;

describeCheck(eventsDelivered, [
  {
    title: 'an event that the socket did not bring',
    changes: { socketEvents: [firstEvent].flatMap((event) => event ?? []) },
    problems: [/the socket never got the event evt_2/],
  },
  {
    title: 'events in the wrong order',
    changes: {
      socketEvents: [secondEvent, firstEvent].flatMap((event) => event ?? []),
      webhooks: [secondWebhook, firstWebhook].flatMap((webhook) => webhook ?? []),
    },
    problems: [/evt_1 \(1\) after 2/, /evt_1 \(1\) came after that of 2/],
  },
  {
    title: 'webhooks that came again',
    changes: { webhooks: [...snapshot().webhooks, ...snapshot().webhooks] },
    problems: [],
  },
  {
    title: 'webhooks that may overtake each other',
    changes: {
      webhooks: [secondWebhook, firstWebhook].flatMap((webhook) => webhook ?? []),
      unorderedIntents: new Set([INTENT]),
    },
    problems: [],
  },
  {
    title: 'an event that the socket brought twice',
    changes: { socketEvents: [...snapshot().socketEvents, ...snapshot().socketEvents.slice(1)] },
    problems: [/evt_2 twice/],
  },
  {
    title: 'numbers with a gap',
    changes: { events: snapshot().events.slice(1) },
    problems: [/no event has the sequence 1/],
  },
]);

describeCheck(noSecretsLeaked, [
  {
    title: 'leaks, and places where nothing was found at all',
    changes: { secrets: { leaks: [{ place: 'api-1.log', what: 'a CVC' }], emptyPlaces: ['the tables'] } },
    problems: [/a CVC is in api-1\.log/, /nothing of the run was found in the tables/],
  },
]);

describeCheck(memoryBounded, [
  {
    title: 'a Node process that took too much',
    changes: { memoryPeaks: new Map([['worker-1', 701 * 1024 * 1024]]) },
    problems: [/worker-1 took 701 MiB/],
  },
  {
    title: 'a server that is not ours',
    changes: { memoryPeaks: new Map([['temporal', 2_000 * 1024 * 1024]]) },
    problems: [],
  },
]);
