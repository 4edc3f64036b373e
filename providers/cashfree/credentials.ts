import type { Credential } from '../provider-kind.ts';
import { z } from 'zod';
import { headerText } from '../header-text.ts';

/** The credentials of an account at Cashfree. */
export const cashfreeCredentialsSchema = z.strictObject({
  clientId: headerText(100),
  /** Also the key of the webhooks' signatures. */
  clientSecret: headerText(200),
  /** Ten digits. Cashfree requires a phone number; this one is sent where the payment's metadata has no `customer_phone`. */
  fallbackPhone: z.string().regex(/^\d{10}$/, 'Expected ten digits; got another text.'),
  /** Whether Cashfree has enabled preauthorization for the account: then every card payment is held first. */
  preauthorization: z.boolean().default(false),
});

export type CashfreeCredentials = z.output<typeof cashfreeCredentialsSchema>;

/** As forms and documents show them. */
export const CASHFREE_CREDENTIALS = {
  clientId: { label: 'Client ID', meaning: 'the app id' },
  clientSecret: { label: 'Client secret', meaning: 'the secret key', isSecret: true },
  fallbackPhone: {
    label: 'Fallback phone',
    meaning: 'ten digits, for payments without the phone number of a customer',
  },
  preauthorization: {
    label: 'Cashfree holds card payments',
    meaning: '`true` if Cashfree holds card payments for the account; otherwise `false`, or left out',
    isOptional: true,
    input: 'switch',
  },
} as const satisfies Record<keyof CashfreeCredentials, Credential>;
