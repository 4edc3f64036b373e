import { z } from 'zod';
import { ENVIRONMENTS, PAYMENT_METHOD_TYPES, type PaymentMethodType } from '../../domain/payment.ts';
import type { FutureUsage } from '../../domain/saved-payment-method.ts';
import type { AccountScope } from '../../prisma/fragments/conditions.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { selectLinkOfToken, type StoredPaymentLink } from '../../prisma/queries/payment-link.ts';
import { logoPathOf } from '../../contract/presenters/merchant-account.ts';
import { futureUsageOf } from '../resources/payment-links/stored-link.ts';
import { hashLinkToken, TOKEN } from '../resources/payment-links/token.ts';

/** A payment link whose address somebody has opened. */
export interface FoundLink {
  readonly link: Omit<StoredPaymentLink, 'metadata'> & { readonly metadata: Readonly<Record<string, string>> };
  readonly scope: AccountScope;
  readonly merchantId: string;
  /** What customers call the merchant. */
  readonly merchantName: string;
  readonly profile: PublicProfile;
  readonly isSuspended: boolean;
  /** Attempts that new payments of the account may make. */
  readonly attemptBudget: number;
  /** Whose payments they are; null where the link has no customer, or the customer was deleted. */
  readonly payer: LinkPayer | null;
  /** The methods for which the merchant has a route in the link's currency. */
  readonly methods: readonly PaymentMethodType[];
}

/** The customer of a link, whose cards its page may save and use. */
interface LinkPayer {
  readonly customerId: string;
  readonly country: string | null;
  readonly setupFutureUsage: FutureUsage | null;
  readonly allowSavedPaymentMethods: boolean;
}

/** What customers see of an account besides its name; null where the merchant has said nothing. */
export interface PublicProfile {
  /** `#rrggbb` */
  readonly color: string | null;
  /** Of the image, at this origin. */
  readonly logoPath: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly returnUrl: string | null;
}

const environments = z.enum(ENVIRONMENTS);
const pairs = z.record(z.string(), z.string());

/** The link with that token, of whichever account and environment; undefined where there is none. */
export async function findLink(database: Database, token: string): Promise<FoundLink | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const row = await database.direct.row(selectLinkOfToken(hashLinkToken(token)));
  if (row === undefined) return undefined;
  const {
    merchantId,
    merchantName,
    accountStatus,
    attemptBudget,
    methods,
    presentCustomerId,
    customerCountry,
    ...rest
  } = row;
  const { color, supportEmail, supportPhone, supportUrl, termsUrl, returnUrl, logoDigest, ...link } = rest;
  return {
    link: { ...link, metadata: pairs.parse(link.metadata) },
    scope: { merchantAccountId: link.merchantAccountId, environment: environments.parse(link.environment) },
    merchantId,
    merchantName,
    profile: {
      color,
      logoPath: logoPathOf(logoDigest),
      supportEmail,
      supportPhone,
      supportUrl,
      termsUrl,
      returnUrl,
    },
    isSuspended: accountStatus !== 'active',
    attemptBudget,
    payer:
      presentCustomerId === null
        ? null
        : {
            customerId: presentCustomerId,
            country: customerCountry,
            setupFutureUsage: futureUsageOf(row),
            allowSavedPaymentMethods: row.allowSavedPaymentMethods,
          },
    methods: PAYMENT_METHOD_TYPES.filter((method) => methods.includes(method)),
  };
}
