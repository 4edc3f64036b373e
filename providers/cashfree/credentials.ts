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
