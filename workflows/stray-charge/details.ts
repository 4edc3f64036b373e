import type { JsonObject } from '../../domain/json.ts';
import { detailsText, linksOfPayment, reasonLines, workflowLink } from '../shared/details.ts';
import type { StrayChargeInput } from '../../protocol/messages.ts';

/**
 * The stray charge for support staff, in markdown: its payment, and the state of its reversal.
 * @param refused why the provider refused it; absent if it has not
 */
export function describeReversal(input: StrayChargeInput, state: string, refused?: JsonObject): string {
  const { paymentIntentId, attemptNumber, attemptId, provider, strayChargeId } = input;
  return detailsText([
    `${provider} has reported a charge for attempt ${attemptNumber} of the payment ${workflowLink(paymentIntentId)}, which had ended without`,
    'one. The money is returned: a hold is voided, a capture is refunded. Until then nothing else is charged for the payment.',
    '',
    `- ${state}.`,
    ...reasonLines(provider, refused),
    `- Provider: ${provider}, attempt \`${attemptId}\`, key of the refund \`${strayChargeId}\`.`,
    linksOfPayment(paymentIntentId),
  ]);
}
