/** Payment methods as requests contain them. Tests check that no part of them is stored or logged. */

export const CVC = '737';

/** Test cards, by what the simulator does with them. */
export const CARD_NUMBERS = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  expired: '4000000000000135',
  insufficientFunds: '4000000000009995',
  fraud: '4000000000009979',
  threeDSecure: '4000000000003220',
  failover: '4000000000000119',
  lostReply: '4000000000000341',
  silent: '4000000000000259',
  unknownShape: '4000000000000069',
  limitExceeded: '4000000000006975',
  refundRefused: '4000000000005126',
  refundReplyLost: '4000000000007726',
  refundSilent: '4000000000003063',
  disputed: '4000000000002685',
  inquired: '4000000000001976',
  fraudWarned: '4000000000005423',
} as const;

export type CardName = keyof typeof CARD_NUMBERS;

/** Test UPI addresses, by what the simulator does with them. */
export const VPAS = {
  success: 'success@upi',
  decline: 'decline@upi',
  pending: 'pending@upi',
  expire: 'expire@upi',
} as const;

const YEARS_VALID = 3;

/** A card as the body of a confirm contains it. */
export function card(name: CardName) {
  const number = CARD_NUMBERS[name];
  const expiryYear = new Date().getUTCFullYear() + YEARS_VALID;
  return { type: 'card', card: { number, expiryMonth: 12, expiryYear, cvc: CVC } } as const;
}

/** The token of a simulated provider that stands for a test card, as the body of a confirm contains it. */
export function cardToken(name: CardName, provider: string) {
  return { type: 'card', providerToken: { provider, token: `tok_${CARD_NUMBERS[name].slice(-4)}` } } as const;
}

export function crypto(asset = 'BTC', network = 'bitcoin') {
  return { type: 'crypto', crypto: { asset, network } } as const;
}

export function upi(name: keyof typeof VPAS) {
  return { type: 'upi', upi: { vpa: VPAS[name] } } as const;
}
