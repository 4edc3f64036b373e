import { type CheckoutError, describeError } from '@payment-engine/checkout';
import { LANGUAGE } from './card-fields.ts';

/** Why a deposit failed, and whether the provider has received something that the customer may want back. */
const DEPOSIT_REASONS: Readonly<Record<string, { readonly why: string; readonly isReceived: boolean }>> = {
  underpaid: { why: 'Less arrived than was asked for.', isReceived: true },
  overpaid: { why: 'More arrived than was asked for.', isReceived: true },
  wrong_asset: { why: 'Another asset arrived than was asked for.', isReceived: true },
  address_mismatch: { why: 'The deposit went to another address.', isReceived: false },
  chain_reorganization: { why: 'The network dropped the deposit again.', isReceived: false },
};

/** Explains to the customer why a payment failed, and what becomes of a deposit. */
export function explain(error: CheckoutError | null, orderNumber: string): string {
  if (error === null) return 'It cannot be tried again.';
  const { reason, receivedAmount, expectedAmount, asset, transactionHash } = error.details ?? {};
  const known = typeof reason === 'string' ? DEPOSIT_REASONS[reason] : undefined;
  if (known === undefined) return describeError(error, LANGUAGE);
  const amounts = `${String(receivedAmount)} of ${String(expectedAmount)} ${String(asset)} came in.`;
  return [
    known.why,
    ...(reason === 'underpaid' || reason === 'overpaid' ? [amounts] : []),
    'The order is not paid; you can pay it again.',
    ...(known.isReceived
      ? [
          `To get the deposit back, write to us with the order number ${orderNumber} and the transaction ${String(transactionHash)}.`,
        ]
      : []),
  ].join(' ');
}

/** What is said of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
