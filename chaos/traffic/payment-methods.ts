/** What is sent to the engine as payment methods; none of it may be found anywhere afterwards. */

export const CARD_NUMBERS = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  fraud: '4000000000009979',
  threeDSecure: '4000000000003220',
  failover: '4000000000000119',
  lostReply: '4000000000000341',
  silent: '4000000000000259',
  unknownShape: '4000000000000069',
  refundRefused: '4000000000005126',
  refundReplyLost: '4000000000007726',
  refundSilent: '4000000000003063',
} as const;

export type CardName = keyof typeof CARD_NUMBERS;

const YEARS_VALID = 3;
const CVC = '737';

/** A payment method as the body of a request has it. */
export type PaymentMethodBody = Readonly<Record<string, unknown>>;

export function cardBody(name: CardName): PaymentMethodBody {
  const expiryYear = new Date().getUTCFullYear() + YEARS_VALID;
  return { type: 'card', card: { number: CARD_NUMBERS[name], expiryMonth: 12, expiryYear, cvc: CVC } };
}

export function upiBody(name: 'success' | 'decline' | 'pending' | 'expire'): PaymentMethodBody {
  return { type: 'upi', upi: { vpa: `${name}@upi` } };
}

export const CRYPTO_BODY: PaymentMethodBody = { type: 'crypto', crypto: { asset: 'BTC', network: 'bitcoin' } };
