/** What a card does at Stripe's test mode. */
export type CardBehaviour =
  | { readonly kind: 'approved' }
  /** The bank sends the customer to a page of its own. */
  | { readonly kind: 'challenged' }
  /** The same, but not when the merchant charges the card after it was kept. */
  | { readonly kind: 'challenged_once' }
  /** Declined, unless the payment asks for 3-D Secure: then as above. */
  | { readonly kind: 'declined_unless_challenged' }
  | { readonly kind: 'declined'; readonly code: string; readonly declineCode: string }
  /** No payment method can be made of it. */
  | { readonly kind: 'invalid'; readonly code: string }
  /** Approved; refunds stay pending until they are settled. */
  | { readonly kind: 'refund_pending' }
  /** Approved; refunds succeed, and fail a moment later. */
  | { readonly kind: 'refund_fails' };

const declined = (declineCode: string, code = 'card_declined'): CardBehaviour => ({
  kind: 'declined',
  code,
  declineCode,
});

/** From docs.stripe.com/testing. Numbers that the simulator knows as well may mean something else there. */
const BEHAVIOURS: ReadonlyMap<string, CardBehaviour> = new Map<string, CardBehaviour>([
  ['4000000000000002', declined('generic_decline')],
  ['4000000000009995', declined('insufficient_funds')],
  ['4000000000009987', declined('lost_card')],
  ['4000000000009979', declined('stolen_card')],
  ['4000000000000069', declined('expired_card', 'expired_card')],
  ['4000000000000127', declined('incorrect_cvc', 'incorrect_cvc')],
  ['4000000000000119', declined('processing_error', 'processing_error')],
  ['4000000000006975', declined('card_velocity_exceeded')],
  ['4000000000000341', declined('generic_decline')],
  ['4100000000000019', declined('fraudulent')],
  ['4242424242424241', { kind: 'invalid', code: 'incorrect_number' }],
  ['4000000000003220', { kind: 'challenged' }],
  ['4000002760003184', { kind: 'challenged' }],
  ['4000002500003155', { kind: 'challenged_once' }],
  ['4000000000003188', { kind: 'declined_unless_challenged' }],
  ['4000000000007726', { kind: 'refund_pending' }],
  ['4000000000005126', { kind: 'refund_fails' }],
]);

export function behaviourOf(cardNumber: string): CardBehaviour {
  return BEHAVIOURS.get(cardNumber) ?? { kind: 'approved' };
}
