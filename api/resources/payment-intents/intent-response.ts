import { presentIntentForPage, presentPaymentIntent } from '../../../contract/presenters/payment-intent.ts';
import type { StoredIntent } from '../../../prisma/queries/payment-intent.ts';
import type { Principal } from '../../../domain/principal.ts';
import { type JsonResponse, jsonResponse } from '../../../http/response.ts';

/** The status of a success response, and its members besides those of the intent. */
export interface SuccessForm {
  readonly status: 200 | 201;
  readonly additions: object;
}

export const DEFAULT_SUCCESS: SuccessForm = { status: 200, additions: {} };

/** The response with an intent as it is now, as far as the principal may see it. */
export function intentResponse(
  principal: Principal,
  stored: StoredIntent,
  { status, additions }: SuccessForm = DEFAULT_SUCCESS,
): JsonResponse {
  return jsonResponse(status, presentIntent(principal, stored, additions));
}

/** The intent as the principal may see it, with additional members. */
export function presentIntent(principal: Principal, stored: StoredIntent, additions: object): object {
  const present = principal.onlyPaymentIntentId === undefined ? presentPaymentIntent : presentIntentForPage;
  const { masked = null, ...saved } = stored.paymentMethod ?? {};
  return { ...present(stored, masked, saved), ...additions };
}
