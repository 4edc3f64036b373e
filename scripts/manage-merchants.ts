import { issueKey, type KeyOwner } from '../api/resources/api-keys/issue.ts';
import { type ApiKeySecrets, newKeySecrets, storedFormOf } from '../api/resources/api-keys/secrets.ts';
import { ApiError } from '../api/middleware/errors.ts';
import { newId } from '../domain/new-id.ts';
import { type Environment, ENVIRONMENTS } from '../domain/payment.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import type { Database } from '../prisma/client.ts';
import { SANDBOX_CHANNEL_LIMITS, SANDBOX_ROUTES } from '../sandbox/stack/sandbox-data.ts';
import { UserError } from '../domain/user-error.ts';

const KEY_NAME = 'Made by command';
const ACCOUNTS_READ_AT_ONCE = 500;

export interface NewMerchant {
  readonly name: string;
  readonly environment: Environment;
  /** The name of its first account. */
  readonly account: string;
  readonly withSandboxRoutes: boolean;
}

export interface IssuedCredentials extends ApiKeySecrets {
  readonly merchantAccountId: string;
}

/** Makes a merchant with an account and a key of all scopes. @throws UserError for sandbox routes in production */
export async function createMerchant(database: Database, merchant: NewMerchant): Promise<IssuedCredentials> {
  const { name, environment, account, withSandboxRoutes } = merchant;
  if (withSandboxRoutes && environment !== 'sandbox') {
    throw new UserError('--with-sandbox-routes is for --environment sandbox only.');
  }
  const merchantId = newId('merchant');
  const merchantAccountId = newId('merchantAccount');
  const secrets = newKeySecrets(environment);
  await database.$transaction([
    database.merchant.create({ data: { id: merchantId, name } }),
    database.merchantAccount.create({ data: { id: merchantAccountId, merchantId, environment, name: account } }),
    database.apiKey.create({ data: keyRow({ merchantId, merchantAccountId, environment }, secrets) }),
    ...(withSandboxRoutes ? sandboxRoutes(database, merchantId) : []),
  ]);
  return { merchantAccountId, ...secrets };
}

function sandboxRoutes(database: Database, merchantId: string) {
  const owner = { merchantId, environment: 'sandbox' };
  return [
    database.paymentRoute.createMany({
      data: SANDBOX_ROUTES.map((route) => ({
        ...route,
        ...owner,
        id: newId('paymentRoute'),
        currencies: [...route.currencies],
        countries: [...route.countries],
        excludedCountries: [...route.excludedCountries],
      })),
    }),
    database.channelLimit.createMany({ data: SANDBOX_CHANNEL_LIMITS.map((limit) => ({ ...limit, ...owner })) }),
  ];
}

/** Makes one more key of all scopes for an account. @throws UserError when there is no such account, or it has enough */
export async function createKey(database: Database, merchantAccountId: string): Promise<IssuedCredentials> {
  const account = await database.merchantAccount.findUnique({ where: { id: merchantAccountId } });
  const environment = ENVIRONMENTS.find((one) => one === account?.environment);
  if (account === null || environment === undefined) throw noAccount(merchantAccountId);
  const limits = { accountBound: false, ipRestricted: false, ipAllowlist: [], expiresAt: null };
  const fields = { name: KEY_NAME, scopes: [...ALL_SCOPES], ...limits };
  const owner = { merchantId: account.merchantId, merchantAccountId, environment };
  try {
    const { secrets } = await issueKey(database, owner, { id: newId('apiKey'), fields });
    return { merchantAccountId, ...secrets };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UserError(`${error.message} Revoke one that nobody uses: POST /api/v1/api-keys/{id}/revoke.`);
  }
}

/** All accounts, those of a merchant together, read a few at a time. */
export async function* listAccounts(database: Database, batchSize = ACCOUNTS_READ_AT_ONCE) {
  for (let after: string | undefined; ;) {
    const accounts = await database.merchantAccount.findMany({
      include: { merchant: true },
      orderBy: [{ merchantId: 'asc' }, { id: 'asc' }],
      take: batchSize,
      ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }),
    });
    yield* accounts;
    if (accounts.length < batchSize) return;
    after = accounts.at(-1)?.id;
  }
}

/**
 * Suspends an account for the platform, or activates it, whoever suspended it.
 * @throws UserError when there is no such account
 */
export async function setStatus(database: Database, id: string, status: 'active' | 'suspended'): Promise<void> {
  const { count } = await database.merchantAccount.updateMany({
    where: { id },
    data: { status, platformSuspendedAt: status === 'active' ? null : new Date(), version: { increment: 1 } },
  });
  if (count === 0) throw noAccount(id);
}

function keyRow(owner: KeyOwner, secrets: ApiKeySecrets) {
  return {
    id: newId('apiKey'),
    ...owner,
    name: KEY_NAME,
    scopes: [...ALL_SCOPES],
    ...storedFormOf(secrets, owner.environment),
  };
}

function noAccount(id: string): UserError {
  return new UserError(`There is no merchant account ${id}. This lists them: npm run merchant -- list`);
}
