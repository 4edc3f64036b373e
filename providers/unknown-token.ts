import type { Declined } from '../domain/provider-outcome.ts';

/** The provider does not know the token of a saved card any more, or not for the customer: another route may charge the card itself. */
export function unknownToken(providerPaymentId: string | null = null): Declined {
  return {
    kind: 'declined',
    providerPaymentId,
    code: 'PAYMENT_DECLINED',
    message: 'The provider does not know its token of this saved card any more.',
    advice: 'elsewhere',
    isTokenUnknown: true,
  };
}
