import { type Database, takeLock } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { lockAccountsOf, lockMerchant, lockOwnKey } from '../../prisma/queries/lock.ts';
import { liveAt } from '../../prisma/fragments/conditions.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { KeyLimits, Principal } from '../../domain/principal.ts';
import type { CreateApiKey } from '../../contract/schemas/api-key.ts';
import type { Author } from '../audit.ts';
import { creatorOf } from '../created-by.ts';
import { requireStillHasScope } from '../team-members/team-change.ts';
import { insertWithinLimit } from '../writes.ts';
import type { Keyring } from '../../vault/keyring.ts';
import { type ApiKeySecrets, newKeySecrets, storedFormOf } from './secrets.ts';
import { describeKey, NO_SECRETS, type StoredKey } from './stored-key.ts';

/** The most live keys that one account may have. */
export const MAXIMUM_LIVE_KEYS = 100;

/** The dependencies of issuing keys. */
export interface KeyIssuer {
  readonly database: Database;
  /** Null where there are no vault keys, which is enough for keys on signature version 1. */
  readonly keyring: Keyring | null;
}

export interface IssuedKey {
  readonly row: StoredKey;
  readonly secrets: ApiKeySecrets;
}

/** The settings of a key that the request chooses. */
export type KeySettings = Pick<CreateApiKey, 'name' | 'scopes'> & KeyLimits;

/** The merchant and account that a key belongs to. */
export type KeyOwner = Pick<Principal, 'merchantId' | 'merchantAccountId' | 'environment'>;

type OwnerAndAuthor = KeyOwner & Author;

/**
 * Inserts a key. An interrupted execution of the same request returned no secrets, so the key that it inserted gets new ones,
 * with the scopes and limits of this execution, which may have been requested with another key.
 * @throws ApiError `STATE_CONFLICT` where the account has enough keys, or what `requireMayStillIssue` throws
 */
export async function issueKey(
  { database, keyring }: KeyIssuer,
  scope: OwnerAndAuthor,
  { id, fields }: { readonly id: string; readonly fields: KeySettings },
): Promise<IssuedKey> {
  const { merchantId, merchantAccountId, environment } = scope;
  const { name, scopes, accountBound, ipRestricted, ipAllowlist, expiresAt, signatureVersion } = fields;
  const limits = { scopes: [...new Set(scopes)], accountBound, ipRestricted, ipAllowlist: [...ipAllowlist], expiresAt };
  const secrets = newKeySecrets(environment);
  const stored = {
    ...storedFormOf(secrets, { id, environment, signatureVersion }, keyring),
    ...(await creatorOf(database, scope)),
  };
  const row = await insertLiveKey(database, scope, ({ apiKey }) =>
    apiKey.upsert({
      where: { id },
      create: {
        id,
        merchantId,
        merchantAccountId,
        environment,
        name,
        ...limits,
        ...stored,
      },
      update: { ...limits, ...stored },
      omit: NO_SECRETS,
    }),
  );
  return { row, secrets };
}

/**
 * Inserts one more live key of the account.
 * @throws ApiError `STATE_CONFLICT` where the account has enough keys, or what `requireMayStillIssue` throws
 */
export function insertLiveKey(
  database: Database,
  scope: OwnerAndAuthor,
  insert: (transaction: Prisma.TransactionClient) => Promise<StoredKey>,
): Promise<StoredKey> {
  const { merchantId, merchantAccountId } = scope;
  return insertWithinLimit(database, {
    lock: lockMerchant(merchantId),
    insert: async (transaction) => {
      await requireMayStillIssue(transaction, scope);
      return await insert(transaction);
    },
    count: ({ apiKey }) => apiKey.count({ where: { merchantAccountId, ...liveAt(new Date()) } }),
    maximum: MAXIMUM_LIVE_KEYS,
    refusal: `A merchant account has at most ${MAXIMUM_LIVE_KEYS} live API keys.`,
    audit: { author: scope, action: 'api_key.created', describe: describeKey },
  });
}

/**
 * Under the locks that removals, revocations, rotations and suspensions take, checks again who issues a key: otherwise a request
 * under way could make a key after those of its author were listed and revoked. The merchant must be locked already.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`, `API_KEY_REVOKED`, `API_KEY_EXPIRED` or `MERCHANT_SUSPENDED`
 */
export async function requireMayStillIssue(
  transaction: Prisma.TransactionClient,
  author: OwnerAndAuthor,
): Promise<void> {
  const { merchantId, merchantAccountId, actor } = author;
  // All, because a key may make keys of another account than its own.
  await takeLock(transaction, lockAccountsOf(merchantId));
  // Operators may make keys for suspended accounts, too.
  if (actor.type !== 'person' && actor.type !== 'api_key') return;
  const account = await transaction.merchantAccount.findUnique({ where: { id: merchantAccountId } });
  requireActive(account);
  if (actor.type === 'person') return requireStillHasScope(transaction, author, 'api-keys:write');
  await takeLock(transaction, lockOwnKey(actor.id));
  const key = await transaction.apiKey.findUnique({
    where: { id: actor.id },
    select: { revokedAt: true, expiresAt: true, merchantAccount: { select: { status: true } } },
  });
  if (key?.revokedAt !== null) throw new ApiError('API_KEY_REVOKED');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) throw new ApiError('API_KEY_EXPIRED');
  requireActive(key.merchantAccount);
}

function requireActive(account: { readonly status: string } | null): void {
  if (account?.status !== 'active') throw new ApiError('MERCHANT_SUSPENDED');
}
