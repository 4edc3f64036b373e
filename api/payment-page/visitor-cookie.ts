import { LINK_PAYMENT_EXPIRY_MS } from '../../domain/payment-link.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { PAGES_PATH } from '../resources/payment-links/token.ts';

const VALUE = /^(pi_[0-9a-f]{32})_secret_[0-9A-Za-z]{48}$/;
/** As long as a payment may take, and after that as long as its client secret can still read it. */
const VALID_MS = LINK_PAYMENT_EXPIRY_MS + DAY_MS;

/** The payment that a browser has opened at a link: the cookie is its client secret, which no script of the page can read. */
export interface VisitorPayment {
  readonly paymentIntentId: string;
  readonly clientSecret: string;
}

/** The payment that the request's cookie names; null where it has none of that form. @param header `Cookie` */
export function visitorPaymentOf(header: string | undefined, isSecure: boolean): VisitorPayment | null {
  const prefix = `${nameOf(isSecure)}=`;
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim());
  const clientSecret = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? '';
  const [, paymentIntentId] = VALUE.exec(clientSecret) ?? [];
  return paymentIntentId === undefined ? null : { paymentIntentId, clientSecret };
}

/** The value of `Set-Cookie` for the page of a link. @param isSecure whether browsers may send it over HTTPS only */
export function visitorCookie(token: string, { clientSecret }: VisitorPayment, isSecure: boolean): string {
  const attributes = [
    `Path=${PAGES_PATH}/${token}`,
    `Max-Age=${VALID_MS / SECOND_MS}`,
    'HttpOnly',
    // Lax, not Strict: the customer comes back from the bank's site.
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ];
  return [`${nameOf(isSecure)}=${clientSecret}`, ...attributes].join('; ');
}

function nameOf(isSecure: boolean): string {
  return isSecure ? '__Secure-payment' : 'payment';
}
