import { z } from 'zod';

/** What an account at Cashfree is reached with. */
export const cashfreeCredentialsSchema = z.strictObject({
  clientId: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  /** Also the key of the webhooks' signatures. */
  clientSecret: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  /** Ten digits. Cashfree requires a phone number; this one is sent where the payment's metadata has no `customer_phone`. */
  fallbackPhone: z.string().regex(/^\d{10}$/, 'must be ten digits'),
  /** Whether Cashfree has enabled preauthorization for the account: then every card payment is held first. */
  preauthorization: z.boolean().default(false),
});

export type CashfreeCredentials = z.output<typeof cashfreeCredentialsSchema>;
