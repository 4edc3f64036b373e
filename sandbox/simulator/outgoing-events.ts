import { newId } from './new-id.ts';
import { reportedPayment } from './reported-payment.ts';
import { reportedDispute } from './reported-dispute.ts';
import type { Dispute, LedgerEntry, PaymentRecord, OutgoingEvent, Refund } from './records.ts';

/** The webhook event of a payment; null for a payment whose reply is lost, which gets no webhook either. */
export function paymentEvent(record: PaymentRecord): OutgoingEvent | null {
  return record.reply === 'lost' ? null : eventOf('payment.updated', reportedPayment(record));
}

/** The webhook event of a refund. */
export function refundEvent(refund: Refund): OutgoingEvent {
  return eventOf('refund.updated', refund);
}

/** The webhook event of a dispute's last step. */
export function disputeEvent(dispute: Dispute): OutgoingEvent {
  return eventOf('dispute.updated', reportedDispute(dispute));
}

/** The webhook event by which the card's issuer calls a payment fraudulent. */
export function fraudWarningEvent({ reference }: LedgerEntry): OutgoingEvent {
  return eventOf('payment.fraud_warning', { id: newId('simfw'), reference });
}

function eventOf(type: string, data: object): OutgoingEvent {
  const id = newId('simevt');
  const createdAt = new Date().toISOString();
  return { id, createdAt, body: JSON.stringify({ id, type, createdAt, data }) };
}
