import { newId } from './new-id.ts';
import { reportedPayment } from './reported-payment.ts';
import type { Booking, OutgoingEvent, Refund } from './records.ts';

/** What the webhook says of a payment; null where nobody is told. Who gets no reply gets no webhook either. */
export function paymentEvent(booking: Booking): OutgoingEvent | null {
  return booking.reply === 'lost' ? null : eventOf('payment.updated', reportedPayment(booking));
}

/** What the webhook says of a refund. */
export function refundEvent(refund: Refund): OutgoingEvent {
  return eventOf('refund.updated', refund);
}

function eventOf(type: string, data: object): OutgoingEvent {
  const id = newId('simevt');
  const createdAt = new Date().toISOString();
  return { id, createdAt, body: JSON.stringify({ id, type, createdAt, data }) };
}
