import { SECOND_MS } from '../../domain/time.ts';
import { advanceDispute, applyDispute, openDispute } from './dispute-state-machine.ts';
import type { Ledger } from './ledger.ts';
import { newId } from './new-id.ts';
import { disputeEvent, fraudWarningEvent } from './outgoing-events.ts';
import type { DisputeAnswerRequest, DisputeRequest } from './protocol.ts';
import type { Dispute, DisputePlan, DisputeStep, LedgerEntry, OutgoingEvent } from './records.ts';

type DisputeResult =
  | { readonly kind: 'done'; readonly dispute: Dispute }
  | { readonly kind: 'not_found' | 'not_captured' | 'amount_exceeded' | 'wrong_step' };

/** Opens disputes and carries them on, as testers ask for, or the card of a payment does. */
export interface DisputeService {
  open(request: DisputeRequest): DisputeResult;
  advance(disputeId: string, step: Exclude<DisputeStep, 'opened'>): DisputeResult;
  /**
   * Takes a merchant's answer, once under its key. Evidence with the words `winning_evidence` or `losing_evidence` decides the dispute
   * at once, other evidence is examined; an acceptance loses it, or closes an inquiry.
   */
  answer(key: string, request: DisputeAnswerRequest): DisputeResult;
  /** Does to a captured payment what its card asks for. */
  carryOut(entry: LedgerEntry, plan: DisputePlan): void;
}

export interface DisputeServiceDependencies {
  readonly ledger: Ledger;
  /** Receives each event that was written. */
  readonly onEvent: (event: OutgoingEvent) => void;
}

export function createDisputeService({ ledger, onEvent }: DisputeServiceDependencies): DisputeService {
  /** Writes a dispute, the money that its step has moved, and its event. */
  const save = (dispute: Dispute): DisputeResult => {
    const entry = ledger.find(dispute.paymentKey);
    if (entry?.record == null) return { kind: 'not_found' };
    const event = disputeEvent(dispute);
    ledger.saveDispute(dispute, { ...entry, record: applyDispute(entry.record, dispute) }, event);
    onEvent(event);
    return { kind: 'done', dispute };
  };

  const openFor = (
    { key, record }: LedgerEntry,
    { amount, reason, stage, respondWithinSeconds }: Omit<DisputeRequest, 'reference' | 'paymentIntentId'>,
  ): DisputeResult => {
    if (record?.payment.status !== 'captured') return { kind: 'not_captured' };
    const { reference, amountCaptured, currency } = record.payment;
    if (amount !== undefined && amount > amountCaptured) return { kind: 'amount_exceeded' };
    const blank = {
      id: newId('simdp'),
      paymentKey: key,
      reference,
      amount: amount ?? amountCaptured,
      currency,
      reason,
      stage,
    };
    const withinMs = respondWithinSeconds === undefined ? undefined : respondWithinSeconds * SECOND_MS;
    return save(openDispute(blank, new Date(), withinMs));
  };

  return {
    open({ reference, paymentIntentId = '', ...request }) {
      const entries = reference === undefined ? ledger.ofPaymentIntent(paymentIntentId) : ledger.ofReference(reference);
      const entry = entries.findLast(({ record }) => record?.payment.status === 'captured');
      if (entry !== undefined) return openFor(entry, request);
      return { kind: entries.length === 0 ? 'not_found' : 'not_captured' };
    },

    advance(disputeId, step) {
      const dispute = ledger.findDispute(disputeId);
      if (dispute === undefined) return { kind: 'not_found' };
      const advanced = advanceDispute(dispute, step, new Date());
      return advanced === null ? { kind: 'wrong_step' } : save(advanced);
    },

    answer(key, { disputeId, accept, evidence }) {
      const dispute = ledger.findDispute(disputeId);
      if (dispute === undefined) return { kind: 'not_found' };
      if (dispute.answers.includes(key)) return { kind: 'done', dispute };
      const keyed = { ...dispute, answers: [...dispute.answers, key] };
      let result: DisputeResult = { kind: 'wrong_step' };
      let state: Dispute | null = dispute.status === 'needs_response' ? keyed : null;
      for (const step of stepsOfAnswer(dispute, accept, Object.values(evidence).join(' '))) {
        state = state === null ? null : advanceDispute(state, step, new Date());
        if (state !== null) result = save(state);
      }
      return result;
    },

    carryOut(entry, plan) {
      if (plan !== 'fraud_warning') {
        openFor(entry, plan === 'inquiry' ? { reason: 'general', stage: plan } : { reason: plan, stage: 'chargeback' });
        return;
      }
      const event = fraudWarningEvent(entry);
      ledger.save(entry, event);
      onEvent(event);
    },
  };
}

/** An inquiry moves no money, so it can only be closed. */
function stepsOfAnswer(
  { stage }: Dispute,
  accept: boolean,
  evidence: string,
): readonly Exclude<DisputeStep, 'opened'>[] {
  const isInquiry = stage === 'inquiry';
  if (accept) return [isInquiry ? 'closed' : 'lost'];
  if (evidence.includes('winning_evidence')) return ['under_review', isInquiry ? 'closed' : 'won'];
  if (evidence.includes('losing_evidence')) return ['under_review', isInquiry ? 'chargeback' : 'lost'];
  return ['under_review'];
}
