import type { PaymentRecord, Payment } from './records.ts';

/** A payment as the simulator reports it, with its misreport where the scenario has one. */
export function reportedPayment({ payment, misreport }: PaymentRecord): Payment {
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

/** Whether the simulator reports an approved payment wrongly. */
export function isMisreported({ payment, misreport }: PaymentRecord): boolean {
  return misreport !== null && (payment.status === 'authorized' || payment.status === 'captured');
}

function oneMore(amountMinor: number): number {
  return amountMinor === 0 ? 0 : amountMinor + 1;
}
