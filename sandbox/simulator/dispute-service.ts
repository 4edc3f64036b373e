import { advanceDispute, applyDispute, openDispute } from './dispute-state-machine.ts';
import type { Ledger } from './ledger.ts';
import { newId } from './new-id.ts';
import { disputeEvent, fraudWarningEvent } from './outgoing-events.ts';
import type { DisputeRequest } from './protocol.ts';
import type { Dispute, DisputePlan, DisputeStep, LedgerEntry, OutgoingEvent } from './records.ts';

type DisputeResult =
  | { readonly kind: 'done'; readonly dispute: Dispute }
  | { readonly kind: 'not_found' | 'not_captured' | 'amount_exceeded' | 'wrong_step' };

/** Opens disputes and carries them on, as testers ask for, or the card of a payment does. */
export interface DisputeService {
  open(request: DisputeRequest): DisputeResult;
  advance(disputeId: string, step: Exclude<DisputeStep, 'opened'>): DisputeResult;
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
    { amount, reason, stage }: Pick<DisputeRequest, 'amount' | 'reason' | 'stage'>,
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
    return save(openDispute(blank, new Date()));
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
