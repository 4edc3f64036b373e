import type { AdyenBehaviour } from './payment.ts';

/** Cards that are not simply authorized. The numbers are those of the simulator, which does much the same with them. */
const BEHAVIOURS: ReadonlyMap<string, AdyenBehaviour> = new Map<string, AdyenBehaviour>([
  ['4000000000000002', { resultCode: 'Refused', refusalReasonCode: '2', refusalReason: 'Refused' }],
  ['4000000000009995', { resultCode: 'Refused', refusalReasonCode: '12', refusalReason: 'Not enough balance' }],
  ['4000000000009979', { resultCode: 'Refused', refusalReasonCode: '20', refusalReason: 'FRAUD' }],
  ['4000002760003184', { wantsCustomer: true }],
  ['4000000000003188', { demandsAuthentication: true }],
  ['4000000000000259', { resultCode: 'Received' }],
  ['4000000000005126', { refund: 'refused' }],
  ['4000000000003063', { refund: 'waiting' }],
]);

export function behaviourOfCard(cardNumber: string): AdyenBehaviour {
  return BEHAVIOURS.get(cardNumber) ?? {};
}
