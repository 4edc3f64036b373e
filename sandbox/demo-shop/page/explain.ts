import type { CheckoutError } from '@payment-engine/checkout';

/** Explanations of failed deposits for the customer. */
const DEPOSIT_REASONS: Readonly<Record<string, string>> = {
  underpaid: 'Less arrived than was asked for.',
  overpaid: 'More arrived than was asked for.',
  wrong_asset: 'Another asset arrived than was asked for.',
  address_mismatch: 'The deposit went to another address.',
  chain_reorganization: 'The network dropped the deposit again.',
};

/** Explains to the customer why a payment failed. */
export function explain(error: CheckoutError | null): string {
  const { reason, receivedAmount, expectedAmount, asset } = error?.details ?? {};
  const why = typeof reason === 'string' ? DEPOSIT_REASONS[reason] : undefined;
  if (why === undefined) return error?.message ?? 'It cannot be tried again.';
  const amounts = `${String(receivedAmount)} of ${String(expectedAmount)} ${String(asset)} came in.`;
  return reason === 'underpaid' || reason === 'overpaid' ? `${why} ${amounts}` : why;
}
