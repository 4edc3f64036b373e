import { AUTHORIZATION_VALID_MS } from '../../domain/time-limits.ts';
import { DAY_MS } from '../../domain/time.ts';

/**
 * How long each card scheme guarantees a hold, in days, by Adyen's name of the scheme. Adyen itself keeps every authorization longer
 * (28 days) and captures it without that guarantee, so the scheme decides.
 */
const VALID_DAYS: ReadonlyMap<string, number> = new Map([
  ['visa', 10],
  ['mc', 7],
  ['amex', 7],
  ['discover', 10],
  ['diners', 10],
  ['cartebancaire', 12],
]);

/**
 * Until when a hold can be captured, ISO 8601 UTC.
 * @param scheme Adyen's name of the scheme, such as `mc`, of which variants begin with it, such as `mc_applepay`; undefined where it
 *   is not known
 * @param since when the authorization was made, or before
 */
export function captureBeforeOf(scheme: string | null | undefined, since: Date): string {
  const [name = ''] = scheme?.split('_') ?? [];
  const days = VALID_DAYS.get(name);
  return new Date(since.getTime() + (days === undefined ? AUTHORIZATION_VALID_MS : days * DAY_MS)).toISOString();
}
