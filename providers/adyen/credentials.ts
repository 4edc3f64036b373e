import { z } from 'zod';
import { headerText } from '../header-text.ts';
import type { Credential, CredentialProblem } from '../provider-kind.ts';

/** The values that Adyen's Customer Area shows for an API credential and for a Standard webhook. */
export interface AdyenCredentials {
  /** Secret. */
  readonly apiKey: string;
  readonly merchantAccount: string;
  /** The part of the live addresses that is the company's own; required in production, unused in the sandbox. */
  readonly liveUrlPrefix?: string | undefined;
  /** Secret: the key that the webhook is signed with, 32 bytes in hexadecimal. */
  readonly hmacKey: string;
}

export const adyenCredentialsSchema: z.ZodType<AdyenCredentials> = z.strictObject({
  apiKey: headerText(1000),
  merchantAccount: z
    .string()
    .regex(
      /^[\w.-]{1,80}$/,
      'Expected the name of a merchant account at Adyen: letters, digits, dots, hyphens and _; got another text.',
    ),
  liveUrlPrefix: z
    .string()
    .regex(
      /^[A-Za-z0-9-]{1,100}$/,
      'Expected the prefix of the live addresses alone: letters, digits and hyphens; got another text.',
    )
    .optional(),
  hmacKey: z
    .string()
    .regex(/^[0-9A-Fa-f]{64}$/, 'Expected the HMAC key of the webhook, 64 hexadecimal digits; got another text.'),
});

/**
 * Whether credentials may replace those of an account. At another merchant account, or in another company, Adyen knows neither the
 * account's payments nor their idempotency keys: the repeat of a payment whose answer was lost would charge it again there.
 */
export function mayReplaceCredentials(earlier: AdyenCredentials, next: AdyenCredentials): CredentialProblem | null {
  if (earlier.merchantAccount !== next.merchantAccount) return { member: 'merchantAccount', reason: MAKE_ANOTHER };
  const isSameCompany = earlier.liveUrlPrefix === undefined || earlier.liveUrlPrefix === next.liveUrlPrefix;
  return isSameCompany ? null : { member: 'liveUrlPrefix', reason: MAKE_ANOTHER };
}

const MAKE_ANOTHER =
  'An account stays at its merchant account, because payments may be under way there. Make another account for another one.';

/** As forms and documents show them. */
export const ADYEN_CREDENTIALS = {
  apiKey: { label: 'API key', meaning: 'the key of an API credential', isSecret: true },
  merchantAccount: { label: 'Merchant account', meaning: 'the name of the merchant account at Adyen' },
  liveUrlPrefix: {
    label: 'Live URL prefix',
    meaning: 'the prefix of the live addresses; required in production',
    isOptional: true,
  },
  hmacKey: {
    label: 'HMAC key',
    meaning: 'the HMAC key of the Standard webhook, in hexadecimal digits',
    isSecret: true,
  },
} as const satisfies Record<keyof AdyenCredentials, Credential>;
