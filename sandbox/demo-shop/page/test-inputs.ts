/** Inputs of the sandbox that lead to a certain outcome; README.md has the same table. */
export interface TestInput {
  readonly label: string;
  /** How a payment with it ends. */
  readonly hint: string;
  /** A card number, a UPI address, or a scenario of a deposit. */
  readonly value: string;
}

export type Method = 'card' | 'upi' | 'crypto';

export const TEST_INPUTS: Readonly<Record<Method, readonly TestInput[]>> = {
  card: [
    { label: 'Approved', hint: 'paid at once', value: '4242 4242 4242 4242' },
    { label: 'Declined', hint: 'then try another card', value: '4000 0000 0000 0002' },
    { label: 'No funds', hint: 'declined', value: '4000 0000 0000 9995' },
    { label: 'Suspicious', hint: 'ends the payment', value: '4000 0000 0000 9979' },
    { label: '3-D Secure', hint: 'your bank asks', value: '4000 0000 0000 3220' },
    { label: 'Renewal needs you', hint: 'save it, then renew', value: '4000 0027 6000 3184' },
    { label: 'Failover', hint: 'alpha fails, beta pays', value: '4000 0000 0000 0119' },
    { label: 'Lost reply', hint: 'found by asking', value: '4000 0000 0000 0341' },
    { label: 'Stuck', hint: 'a notice after 90 s', value: '4000 0000 0000 0259' },
  ],
  upi: [
    { label: 'Approved', hint: 'after a moment', value: 'success@upi' },
    { label: 'Declined', hint: 'in the app', value: 'decline@upi' },
    { label: 'Pending', hint: 'until you approve', value: 'pending@upi' },
    { label: 'No answer', hint: 'until it expires', value: 'expire@upi' },
    { label: 'Link or QR code', hint: 'until you approve', value: '' },
  ],
  crypto: [
    { label: 'Confirmed', hint: 'seen, then paid', value: 'confirmed' },
    { label: 'Underpaid', hint: 'fails', value: 'underpaid' },
    { label: 'Reorganised', hint: 'fails after it was seen', value: 'reorg' },
    { label: 'Wrong address', hint: 'fails', value: 'mismatch' },
    { label: 'Unpaid', hint: 'waits', value: 'unpaid' },
  ],
};
