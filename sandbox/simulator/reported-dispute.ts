import type { Dispute } from './records.ts';

/** A dispute as events and answers show it. */
export function reportedDispute(dispute: Dispute): Record<string, unknown> {
  const { paymentKey: _, past: __, answers: ___, ...reported } = dispute;
  return reported;
}
