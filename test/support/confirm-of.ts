import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { ConfirmRequest } from '../../protocol/messages.ts';

/** A confirm as the API sends it. */
export function confirmOf(nowMs: number): ConfirmRequest {
  return {
    paymentMethodId: 'pm_test',
    method: 'card',
    beginBefore: new Date(nowMs + 20 * SECOND_MS).toISOString(),
    failOverBefore: new Date(nowMs + 2 * MINUTE_MS).toISOString(),
  };
}
