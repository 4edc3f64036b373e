import { SIGN_IN_EVENTS } from '../../../domain/audit.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { Principal } from '../../../domain/principal.ts';
import { type SecurityOverview, securityOverview } from '../../../contract/schemas/security.ts';
import { presenterOf } from '../audit-events/present.ts';
import { NO_SECRETS, type StoredKey } from '../../../accounts/api-keys/stored-key.ts';
import { presentKey } from '../../../contract/presenters/api-key.ts';

/** Rows of each kind that the page shows. */
const MAXIMUM_SHOWN = 200;
const MAXIMUM_SIGN_INS = 50;
export const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
const SIGN_IN_ACTIONS = SIGN_IN_EVENTS.map((event) => `team_member.${event}`);

export async function readOverview(
  database: Database,
  { merchantId, environment }: Pick<Principal, 'merchantId' | 'environment'>,
): Promise<SecurityOverview> {
  const scope = { merchantId, environment };
  const [apiKeys, members, webhookEndpoints, signIns] = await Promise.all([
    database.apiKey.findMany({
      where: { ...scope, revokedAt: null },
      omit: NO_SECRETS,
      orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
      take: MAXIMUM_SHOWN,
    }),
    findMembers(database, merchantId),
    database.webhookEndpoint.findMany({
      where: { environment, merchantAccount: { merchantId } },
      select: { id: true, merchantAccountId: true, url: true, status: true, createdAt: true },
      orderBy: NEWEST_FIRST,
      take: MAXIMUM_SHOWN,
    }),
    database.auditEvent.findMany({
      where: { ...scope, action: { in: SIGN_IN_ACTIONS } },
      orderBy: NEWEST_FIRST,
      take: MAXIMUM_SIGN_INS,
    }),
  ]);
  const presentSignIn = await presenterOf(database, scope, signIns);
  return securityOverview.parse({
    object: 'security_overview',
    environment,
    apiKeys: apiKeys.map(presentKeyUse),
    people: members.map(presentPerson),
    webhookEndpoints: webhookEndpoints.map(({ merchantAccountId, createdAt, ...endpoint }) => ({
      ...endpoint,
      merchantId: merchantAccountId,
      createdAt: createdAt.toISOString(),
    })),
    signIns: signIns.map(presentSignIn),
  });
}

function findMembers(database: Database, merchantId: string) {
  const open = { expiresAt: { gt: new Date() } };
  const sessions = {
    where: open,
    select: { createdAt: true, lastUsedAt: true, ipAddress: true, userAgent: true, secondFactor: true },
    orderBy: { lastUsedAt: 'desc' as const },
    take: MAXIMUM_SHOWN,
  };
  return database.membership.findMany({
    where: { merchantId },
    select: {
      role: true,
      person: { select: { id: true, name: true, email: true, twoFactorEnabled: true, sessions } },
    },
    orderBy: [{ createdAt: 'asc' }, { personId: 'asc' }],
    take: MAXIMUM_SHOWN,
  });
}

function presentPerson({ role, person }: Awaited<ReturnType<typeof findMembers>>[number]) {
  const { id, name, email, twoFactorEnabled, sessions } = person;
  return {
    id,
    name,
    email,
    role,
    hasSecondFactor: twoFactorEnabled,
    sessions: sessions.map(({ createdAt, lastUsedAt, ipAddress, userAgent, secondFactor }) => ({
      beganAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      address: ipAddress,
      userAgent,
      gaveSecondFactor: secondFactor,
    })),
  };
}

/** The use of a key, without what it may do. */
export function presentKeyUse(row: StoredKey) {
  const { id, name, prefix, merchantId, status, lastUsedAt, lastUsedFrom, createdAt } = presentKey(row);
  return { id, name, prefix, merchantId, status, lastUsedAt, lastUsedFrom, createdAt };
}
