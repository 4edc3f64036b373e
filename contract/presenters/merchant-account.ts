import { LOGOS_PATH } from '../../domain/logo.ts';
import type { MerchantAccount } from '../../prisma/generated/client.ts';
import { type MerchantAccountResource, merchantAccountResource } from '../schemas/merchant-account.ts';

const { environment: environments, status: statuses } = merchantAccountResource.shape;

/** The merchant account as clients see it. */
export function presentMerchantAccount(row: MerchantAccount): MerchantAccountResource {
  return {
    id: row.id,
    object: 'merchant_account',
    environment: environments.parse(row.environment),
    name: row.name,
    status: statuses.parse(row.status),
    suspendedBy: row.platformSuspendedAt !== null ? 'platform' : row.status === 'suspended' ? 'merchant' : null,
    retryBudget: row.attemptBudget,
    refundWindowDays: row.refundWindowDays,
    requireIdempotencyKeys: row.requireIdempotencyKeys,
    businessProfile: {
      name: row.publicName,
      color: row.color,
      logoPath: logoPathOf(row.logoDigest),
      supportEmail: row.supportEmail,
      supportPhone: row.supportPhone,
      supportUrl: row.supportUrl,
      termsUrl: row.termsUrl,
      returnUrl: row.returnUrl,
    },
    refundConfirmationAmount: row.refundConfirmationMinor === null ? null : Number(row.refundConfirmationMinor),
    declineRetries: {
      enabled: row.declineRetriesEnabled,
      maxRetries: row.declineRetriesMaximum,
      issuerDeclines: row.declineRetriesIssuerDeclines,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The path of a logo at the API's origin, which changes with the image. */
export function logoPathOf(digest: string | null): string | null {
  return digest === null ? null : `${LOGOS_PATH}/${digest}.png`;
}
