import { DAY_MS } from '../../domain/time.ts';
import { reportedDispute } from './reported-dispute.ts';
import type { Dispute, DisputeStep, PaymentRecord } from './records.ts';

/** The transitions of disputes and of the payments whose money they move: pure functions. */

/** How long a merchant has to answer. */
const ANSWER_WITHIN_MS = 14 * DAY_MS;

/** What a step needs, and what it changes. */
interface Transition {
  readonly from: (dispute: Dispute) => boolean;
  readonly to: Partial<Pick<Dispute, 'stage' | 'status'>>;
  readonly funds: Dispute['funds'];
}

const isInquiry = ({ stage, status }: Dispute): boolean => stage === 'inquiry' && status !== 'closed';
const isOpen = ({ status }: Dispute): boolean => status === 'needs_response' || status === 'under_review';
const isOpenChargeback = (dispute: Dispute): boolean => dispute.stage !== 'inquiry' && isOpen(dispute);

const TRANSITIONS: Readonly<Record<Exclude<DisputeStep, 'opened'>, Transition>> = {
  chargeback: { from: isInquiry, to: { stage: 'chargeback', status: 'needs_response' }, funds: 'withdrawn' },
  under_review: { from: isOpen, to: { status: 'under_review' }, funds: null },
  won: { from: isOpenChargeback, to: { status: 'won' }, funds: 'reinstated' },
  lost: { from: isOpenChargeback, to: { status: 'lost' }, funds: null },
  closed: { from: isInquiry, to: { status: 'closed' }, funds: null },
  second_chargeback: {
    from: ({ stage, status }) => stage === 'chargeback' && status === 'won',
    to: { stage: 'pre_arbitration', status: 'needs_response' },
    funds: 'withdrawn',
  },
};

/** A new dispute: a chargeback takes the money at once. */
export function openDispute(
  blank: Omit<Dispute, 'step' | 'status' | 'funds' | 'respondBy' | 'past' | 'answers' | 'createdAt' | 'updatedAt'>,
  at: Date,
  answerWithinMs = ANSWER_WITHIN_MS,
): Dispute {
  const createdAt = at.toISOString();
  return {
    ...blank,
    step: 'opened',
    status: 'needs_response',
    funds: blank.stage === 'inquiry' ? null : 'withdrawn',
    respondBy: new Date(at.getTime() + answerWithinMs).toISOString(),
    past: [],
    answers: [],
    createdAt,
    updatedAt: createdAt,
  };
}

/** The dispute after a step; null where the step does not follow. */
export function advanceDispute(dispute: Dispute, step: Exclude<DisputeStep, 'opened'>, at: Date): Dispute | null {
  const { from, to, funds } = TRANSITIONS[step];
  if (!from(dispute)) return null;
  const respondBy = to.status === 'needs_response' ? answerBy(at) : dispute.respondBy;
  const past = [...dispute.past, reportedDispute(dispute)];
  return { ...dispute, ...to, step, funds, respondBy, past, updatedAt: at.toISOString() };
}

function answerBy(at: Date): string {
  return new Date(at.getTime() + ANSWER_WITHIN_MS).toISOString();
}

/** A payment after a step of its dispute has moved money. */
export function applyDispute(record: PaymentRecord, { id, amount, funds, updatedAt }: Dispute): PaymentRecord {
  if (funds === null) return record;
  const type = funds === 'withdrawn' ? 'chargeback' : 'chargeback_reversal';
  return { ...record, charges: [...record.charges, { type, amount, at: updatedAt, reference: id }] };
}

/** What disputes have taken of a payment and not given back, in minor units. */
export function withdrawnMinorOf({ charges }: PaymentRecord): number {
  const sumOf = (type: string): number =>
    charges.filter((charge) => charge.type === type).reduce((sum, { amount }) => sum + amount, 0);
  return sumOf('chargeback') - sumOf('chargeback_reversal');
}
