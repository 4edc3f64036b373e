import { PAYMENT_STATUSES, type PaymentStatus, TRANSITIONS } from '../../domain/payment-state.ts';
import { type ClientAnswer, type ClientTry, isDefinite } from '../snapshot/client-try.ts';
import type { IntentRow, Snapshot } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';

/** All answers under one idempotency key are equal, and every answer is consistent with the rows. */
export const answersConsistent: Check = {
  name: 'answers agree with each other and with the rows',
  find: (snapshot) => {
    const answered = snapshot.tries.flatMap((each) =>
      isDefinite(each.answer) ? [{ ...each, answer: each.answer }] : [],
    );
    const intents = new Map(snapshot.intents.map((intent) => [intent.id, intent]));
    return [
      ...contradictions(answered),
      ...answered.flatMap((each) => rowProblems(each, intents)),
      ...refundProblems(answered, snapshot),
      ...rejectedThoughDone(snapshot, answered, intents),
    ];
  },
};

type AnsweredTry = ClientTry & { readonly answer: ClientAnswer };

/** Invalid requests have no stored response: a repeat is validated again. */
const STATUSES_WITHOUT_STORED_RESPONSE: readonly number[] = [401, 403, 422];

/** Codes of attempts that ended with them. */
const ATTEMPT_CODES: readonly string[] = [
  'CARD_DECLINED',
  'INSUFFICIENT_FUNDS',
  'FRAUD_DETECTED',
  'PAYMENT_DECLINED',
  'TSP_PAYMENT_FAILED',
  'CRYPTO_DEPOSIT_FAILED',
  'PROVIDER_VALIDATION_ERROR',
];

function contradictions(answered: readonly AnsweredTry[]): Problem[] {
  const byKey = new Map<string, AnsweredTry[]>();
  for (const each of answered) {
    if (each.idempotencyKey === null || STATUSES_WITHOUT_STORED_RESPONSE.includes(each.answer.status)) continue;
    byKey.set(each.idempotencyKey, [...(byKey.get(each.idempotencyKey) ?? []), each]);
  }
  return [...byKey].flatMap(([key, tries]) => {
    const answers = new Set(tries.map(({ answer }) => describeAnswer(answer)));
    const [first] = tries;
    if (answers.size <= 1 || first === undefined) return [];
    const what = `${first.operation} under the key ${key} was answered differently: ${[...answers].join('; ')}`;
    return [{ intentId: intentOf(first), what }];
  });
}

/** `400 CARD_DECLINED requires_payment_method` */
export function describeAnswer({ status, code, intentStatus, refundStatus }: ClientAnswer): string {
  return [status, code, refundStatus ?? intentStatus].filter((part) => part !== null).join(' ');
}

function intentOf({ intentId, answer }: AnsweredTry): string | null {
  return intentId ?? answer.intentId;
}

/** The status that an answer gave an intent is the one it has, or one that leads to it. */
function rowProblems(each: AnsweredTry, intents: ReadonlyMap<string, IntentRow>): Problem[] {
  const { operation, answer, sentAt } = each;
  const intentId = intentOf(each);
  const intent = intents.get(intentId ?? '');
  if (intent === undefined) {
    const isLost = answer.code === null && answer.intentId !== null;
    return isLost
      ? [{ intentId, what: `${operation} of ${sentAt} was acknowledged, and there is no such intent` }]
      : [];
  }
  const problems: string[] = [];
  if (answer.intentStatus !== null && !mayBecome(answer.intentStatus, intent.status)) {
    problems.push(`was reported as ${answer.intentStatus}, and is ${intent.status}`);
  }
  if (
    answer.code !== null &&
    ATTEMPT_CODES.includes(answer.code) &&
    !intent.attempts.some(({ code }) => code === answer.code)
  ) {
    problems.push(`was answered with ${answer.code}, and no attempt has that code`);
  }
  return problems.map((what) => ({ intentId, what: `${operation} of ${sentAt} ${what}` }));
}

/** Whether a status can lead to another one, by any number of transitions. */
export function mayBecome(from: string, to: string): boolean {
  const isStatus = (text: string): text is PaymentStatus => PAYMENT_STATUSES.some((status) => status === text);
  if (!isStatus(from) || !isStatus(to)) return false;
  const reached = new Set<PaymentStatus>([from]);
  for (const status of reached) TRANSITIONS[status].forEach((next) => reached.add(next));
  return reached.has(to);
}

function refundProblems(answered: readonly AnsweredTry[], { refunds }: Snapshot): Problem[] {
  return answered.flatMap((each) => {
    const { refundId: id, refundStatus: answered } = each.answer;
    if (id === null || answered === null) return [];
    const row = refunds.find((refund) => refund.id === id);
    if (row?.status === answered || (row !== undefined && answered === 'pending')) return [];
    return [
      {
        intentId: intentOf(each),
        what: `its refund ${id} was reported as ${answered}, and is ${row?.status ?? 'not there'}`,
      },
    ];
  });
}

interface Rejection {
  readonly operation: ClientTry['operation'];
  readonly matches: (each: ClientTry) => boolean;
  /** The intent's status in the rejection, where the operation itself has led to it. */
  readonly intentStatuses: readonly string[];
  /** Whether the row shows that the operation was carried out. */
  readonly isDone: (intent: IntentRow) => boolean;
}

const REJECTIONS: readonly Rejection[] = [
  {
    operation: 'confirm',
    matches: ({ confirms }) => confirms,
    // A cancel or the expiry may have come first.
    intentStatuses: ['processing', 'requires_action', 'requires_capture', 'succeeded', 'failed'],
    isDone: ({ attempts }) => attempts.length > 0,
  },
  {
    operation: 'capture',
    matches: ({ operation }) => operation === 'capture',
    intentStatuses: ['succeeded'],
    isDone: ({ captureMethod, status }) => captureMethod === 'manual' && status === 'succeeded',
  },
  {
    operation: 'cancel',
    matches: ({ operation }) => operation === 'cancel',
    intentStatuses: ['canceled'],
    isDone: ({ cancellationReason }) => cancellationReason === 'requested_by_customer',
  },
];

/** Operations requested only once and rejected with STATE_CONFLICT, although the row shows that they were carried out. */
function rejectedThoughDone(
  { tries }: Snapshot,
  answered: readonly AnsweredTry[],
  intents: ReadonlyMap<string, IntentRow>,
): Problem[] {
  return REJECTIONS.flatMap(({ operation, matches, intentStatuses, isDone }) => {
    const keysByIntent = new Map<string | null, Set<string | null>>();
    for (const each of tries.filter(matches)) {
      keysByIntent.set(each.intentId, (keysByIntent.get(each.intentId) ?? new Set()).add(each.idempotencyKey));
    }
    const refused = answered.filter(
      (each) =>
        matches(each) &&
        each.answer.code === 'STATE_CONFLICT' &&
        intentStatuses.includes(each.answer.intentStatus ?? ''),
    );
    const refusedIntents = new Set(refused.map(({ intentId }) => intentId));
    return [...refusedIntents].flatMap((intentId) => {
      const intent = intents.get(intentId ?? '');
      const isSole = keysByIntent.get(intentId)?.size === 1;
      if (intent === undefined || !isSole || !isDone(intent)) return [];
      return [
        { intentId, what: `its only ${operation} was refused with STATE_CONFLICT, and was carried out nevertheless` },
      ];
    });
  });
}
