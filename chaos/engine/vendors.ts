import { randomBytes } from 'node:crypto';
import type { Client } from '../../sdk/server/index.ts';

/** A vendor whose fake runs beside the simulators. */
export interface Vendor {
  readonly kind: 'stripe' | 'adyen' | 'cashfree';
  /** New ones for each run. */
  readonly newCredentials: () => Readonly<Record<string, string | boolean>>;
  /** What of the credentials may be stored and logged. */
  readonly publicCredentials: readonly string[];
  /**
   * Whether lost webhooks are sent again when all faults have ended. Vendors send them for days. The others are asked instead,
   * so that their lost webhooks stay lost.
   */
  readonly sendsLostWebhooks: boolean;
}

const random = (bytes: number): string => randomBytes(bytes).toString('hex');

export const VENDORS: readonly Vendor[] = [
  {
    kind: 'stripe',
    newCredentials: () => ({ secretKey: `sk_test_${random(16)}`, webhookSecret: `whsec_${random(16)}` }),
    publicCredentials: [],
    sendsLostWebhooks: false,
  },
  {
    kind: 'adyen',
    newCredentials: () => ({ apiKey: random(32), merchantAccount: 'ChaosMerchant', hmacKey: random(32) }),
    publicCredentials: ['merchantAccount'],
    sendsLostWebhooks: true,
  },
  {
    kind: 'cashfree',
    // Every card payment is held first, so that both ways to capture are used.
    newCredentials: () => ({
      clientId: 'chaos-client',
      clientSecret: random(32),
      fallbackPhone: '9999999999',
      preauthorization: true,
    }),
    publicCredentials: ['clientId', 'fallbackPhone', 'preauthorization'],
    sendsLostWebhooks: false,
  },
];

interface VendorRoute {
  readonly kind: Vendor['kind'];
  readonly paymentMethod: 'card' | 'upi';
  readonly currency: string;
  readonly priority: number;
  readonly weight?: number;
}

/**
 * Beside the routes of the sandbox, which lead every payment to the simulator `alpha` (priority 10) and then to `beta` (20).
 * Payments in euros, and those that only simulators take, go there as ever.
 */
const ROUTES: readonly VendorRoute[] = [
  // To vendors first, then to the simulators.
  { kind: 'stripe', paymentMethod: 'card', currency: 'USD', priority: 1 },
  { kind: 'adyen', paymentMethod: 'card', currency: 'USD', priority: 2 },
  { kind: 'adyen', paymentMethod: 'card', currency: 'GBP', priority: 1 },
  { kind: 'cashfree', paymentMethod: 'card', currency: 'INR', priority: 1 },
  // To either, by weight. Yen have no fractions.
  { kind: 'stripe', paymentMethod: 'card', currency: 'JPY', priority: 10, weight: 2 },
  { kind: 'adyen', paymentMethod: 'card', currency: 'JPY', priority: 10, weight: 2 },
  { kind: 'cashfree', paymentMethod: 'upi', currency: 'INR', priority: 10 },
  // To a simulator first, then to a vendor.
  { kind: 'stripe', paymentMethod: 'card', currency: 'CAD', priority: 15 },
];

/** Creates an account and its routes. @returns the account's id, and the path of its webhooks */
export async function createVendorAccount(
  { providerAccounts, paymentRoutes }: Pick<Client, 'providerAccounts' | 'paymentRoutes'>,
  kind: Vendor['kind'],
  credentials: ReturnType<Vendor['newCredentials']>,
): Promise<{ readonly id: string; readonly webhookPath: string }> {
  const { id, webhookPath } = await providerAccounts.create({ kind, name: `Our ${kind}`, credentials });
  for (const { kind: of, currency, ...route } of ROUTES) {
    if (of === kind) await paymentRoutes.create({ provider: id, currencies: [currency], ...route });
  }
  return { id, webhookPath };
}
