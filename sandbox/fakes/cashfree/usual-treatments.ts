import type { OrderTreatment } from './ledger.ts';

/** What Cashfree does with some of the orders of a busy account; with the others it does nothing special. */
const TREATMENTS: readonly OrderTreatment[] = [
  { termination: 'requested' },
  { termination: 'requested', waitsAs: 'PENDING' },
  { termination: 'late' },
  { termination: 'late', waitsAs: 'PENDING' },
  { waitsAs: 'PENDING' },
  { refunds: 'waiting' },
];

const HEXADECIMAL = 16;

/** Decided by the last digit of the attempt's payment: `att_…7_1`. */
export function usualTreatment(orderId: string): OrderTreatment {
  const [, digit = ''] = /([0-9a-f])(?:_\d+)?$/.exec(orderId) ?? [];
  return TREATMENTS[Number.parseInt(digit, HEXADECIMAL)] ?? {};
}
