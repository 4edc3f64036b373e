import { hash } from 'node:crypto';
import { clientSecretExpiryMs, READABLE_AFTER_END_MS } from '../domain/client-secret.ts';
import type { Database } from '../prisma/connection/client.ts';
import { selectClientCredentials } from '../prisma/queries/credentials.ts';

/** The parts of a page's request that are needed later; the request itself is large. */
export interface PageClient {
  /** Where the client is. */
  readonly address: string;
  /** Whether its origin may open sockets. */
  readonly isAllowed: boolean;
  /** Whether its connection may carry the client secrets of live payments. */
  readonly isSafeForProduction: boolean;
}

/** A page whose client secret has passed authentication. */
export interface PagePrincipal {
  readonly paymentIntentId: string;
  readonly merchantAccountId: string;
  /** In ms since the epoch; null until the payment has ended. */
  expiresAtMs: number | null;
}

/**
 * The checks that REST makes of a client secret.
 * @returns the reason to close the socket if a check fails
 * @throws when the database is unavailable
 */
export async function authenticatePage(
  database: Pick<Database, 'direct'>,
  { isAllowed, isSafeForProduction }: PageClient,
  clientSecret: string,
): Promise<PagePrincipal | 'notAuthenticated' | 'forbidden'> {
  if (!isAllowed) return 'forbidden';
  const row = await database.direct.row(selectClientCredentials(hash('sha256', clientSecret, 'hex')));
  if (row === undefined) return 'notAuthenticated';
  const { paymentIntentId, merchantAccountId, environment, merchantAccountStatus } = row;
  const expiresAtMs = clientSecretExpiryMs(row.status, row.statusSince);
  if (isExpired(expiresAtMs)) return 'notAuthenticated';
  if (environment === 'production' && !isSafeForProduction) return 'forbidden';
  if (merchantAccountStatus !== 'active') return 'forbidden';
  return { paymentIntentId, merchantAccountId, expiresAtMs };
}

/** Limits how long a page may still watch a payment that has just ended. */
export function limitAccess(page: PagePrincipal, endedAt: Date): void {
  page.expiresAtMs ??= endedAt.getTime() + READABLE_AFTER_END_MS;
}

/** The pages whose account is suspended, or whose payment ended too long ago. @throws when the database is unavailable */
export async function findRevokedPages(
  database: Database,
  pages: readonly PagePrincipal[],
): Promise<readonly PagePrincipal[]> {
  const accountIds = new Set(pages.map(({ merchantAccountId }) => merchantAccountId));
  const active = await database.merchantAccount.findMany({
    where: { id: { in: [...accountIds] }, status: 'active' },
    select: { id: true },
  });
  const activeIds = new Set(active.map(({ id }) => id));
  return pages.filter(
    ({ merchantAccountId, expiresAtMs }) => !activeIds.has(merchantAccountId) || isExpired(expiresAtMs),
  );
}

function isExpired(expiresAtMs: number | null): boolean {
  return expiresAtMs !== null && expiresAtMs <= Date.now();
}
