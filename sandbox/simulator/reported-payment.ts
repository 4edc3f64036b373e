import type { Booking, Payment } from './records.ts';

/** A payment as the simulator reports it: as it is, unless it is scripted to say something else. */
export function reportedPayment({ payment, misreport }: Booking): Payment {
  switch (misreport) {
    case null:
      return payment;
    case 'other_amount':
      return {
        ...payment,
        amount: payment.amount + 1,
        amountCaptured: oneMore(payment.amountCaptured),
        amountVoided: oneMore(payment.amountVoided),
      };
    case 'other_currency':
      return { ...payment, currency: payment.currency === 'EUR' ? 'USD' : 'EUR' };
  }
}

/** Whether the simulator says of an approved payment what is not so. */
export function isMisreported({ payment, misreport }: Booking): boolean {
  return misreport !== null && (payment.status === 'authorized' || payment.status === 'captured');
}

function oneMore(amountMinor: number): number {
  return amountMinor === 0 ? 0 : amountMinor + 1;
}
