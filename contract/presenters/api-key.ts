import type { StoredApiKey } from '../../prisma/queries/credentials.ts';
import { type ApiKeyResource, apiKeyResource } from '../schemas/api-key.ts';
import { presentCreator } from './creator.ts';

const { environment: environments } = apiKeyResource.shape;

/** The API key as clients see it. */
export function presentKey(row: StoredApiKey, now = new Date()): ApiKeyResource {
  return {
    id: row.id,
    object: 'api_key',
    merchantId: row.merchantAccountId,
    environment: environments.parse(row.environment),
    name: row.name,
    prefix: row.prefix,
    status: row.revokedAt !== null ? 'revoked' : isExpired(row, now) ? 'expired' : 'active',
    scopes: row.scopes,
    ipRestricted: row.ipRestricted,
    ipAllowlist: row.ipAllowlist,
    accountBound: row.accountBound,
    signatureVersion: row.signatureVersion,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    replacedBy: row.replacedById,
    createdBy: presentCreator(row),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedFrom: row.lastUsedFrom,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function isExpired({ expiresAt }: StoredApiKey, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
