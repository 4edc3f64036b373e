import { recordChange, recordCreations } from '../accounts/audit.ts';
import { describeKey, NO_SECRETS } from '../accounts/api-keys/stored-key.ts';
import { describeAccount } from '../accounts/merchants/stored-account.ts';
import { presentMerchantAccount } from '../contract/presenters/merchant-account.ts';
import { STATUS_ACTIONS } from '../accounts/merchants/write.ts';
import { setSuspension } from '../accounts/platform/suspension.ts';
import { isId } from '../domain/ids.ts';
import { operator, operatorAuthor } from './operator.ts';
import { lockMerchantAccount } from '../prisma/queries/lock.ts';
import { insertInvitation } from '../accounts/invitations/write.ts';
import { createInvitationBody } from '../contract/schemas/team.ts';
import { ROLES } from '../domain/roles.ts';
import { issueKey, type KeyOwner } from '../accounts/api-keys/issue.ts';
import { type ApiKeySecrets, newKeySecrets, storedFormOf } from '../accounts/api-keys/secrets.ts';
import type { Keyring } from '../vault/keyring.ts';
import { ApiError } from '../domain/api-error.ts';
import { newId } from '../domain/new-id.ts';
import type { Environment } from '../domain/payment.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { type Database, transactionWithLock } from '../prisma/connection/client.ts';
import { SANDBOX_SIMULATORS } from '../sandbox/stack/sandbox-data.ts';
import { createSimulatorRoutes } from '../accounts/payment-routes/simulator-routes.ts';
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

/** The signature version of the key that a command creates, with the keys that encrypt the salt of version 2. */
export type KeySignature =
  | { readonly signatureVersion: 1; readonly keyring: null }
  | { readonly signatureVersion: 2; readonly keyring: Keyring };

export interface IssuedCredentials extends ApiKeySecrets {
  readonly merchantAccountId: string;
}

/** Makes a merchant with an account and a key of all scopes. @throws UserError for sandbox routes in production */
export async function createMerchant(
  database: Database,
  merchant: NewMerchant,
  signature: KeySignature,
): Promise<IssuedCredentials> {
  const { name, environment, account, withSandboxRoutes } = merchant;
  if (withSandboxRoutes && environment !== 'sandbox') {
    throw new UserError('--with-sandbox-routes is for --environment sandbox only.');
  }
  const merchantId = newId('merchant');
  const merchantAccountId = newId('merchantAccount');
  const secrets = newKeySecrets(environment);
  const owner = { merchantId, merchantAccountId, environment };
  const author = { ...owner, actor: operator() };
  await database.$transaction(async (transaction) => {
    await transaction.merchant.create({ data: { id: merchantId, name } });
    const accountRow = { id: merchantAccountId, merchantId, environment, name: account };
    const accounts = await transaction.merchantAccount.createManyAndReturn({ data: [accountRow] });
    const key = keyRow(owner, secrets, signature);
    const keys = await transaction.apiKey.createManyAndReturn({ data: [key], omit: NO_SECRETS });
    const accountAudit = { author, action: 'merchant_account.created', describe: describeAccount } as const;
    await recordCreations(transaction, accountAudit, accounts);
    await recordCreations(transaction, { author, action: 'api_key.created', describe: describeKey }, keys);
    if (withSandboxRoutes) await createSimulatorRoutes(transaction, author, SANDBOX_SIMULATORS);
  });
  return { merchantAccountId, ...secrets };
}

/** Makes one more key for an account, with all scopes and the additional ones. @throws UserError when there is no such account, or it has enough */
export async function createKey(
  database: Database,
  merchantAccountId: string,
  { signatureVersion, keyring }: KeySignature,
  besides: readonly string[] = [],
): Promise<IssuedCredentials> {
  const account = await database.merchantAccount.findUnique({ where: { id: merchantAccountId } });
  if (account === null) throw noAccount(merchantAccountId);
  const { environment } = presentMerchantAccount(account);
  const limits = { accountBound: false, ipRestricted: false, ipAllowlist: [], expiresAt: null, signatureVersion };
  const fields = { name: KEY_NAME, scopes: [...ALL_SCOPES, ...besides], ...limits };
  const owner = { merchantId: account.merchantId, merchantAccountId, environment, actor: operator() };
  try {
    const { secrets } = await issueKey({ database, keyring }, owner, { id: newId('apiKey'), fields });
    return { merchantAccountId, ...secrets };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UserError(`${error.message} Revoke one that nobody uses: POST /api/v1/api-keys/{id}/revoke.`);
  }
}

/**
 * Invites a person into the team of an account's merchant.
 * @returns the token of the link
 * @throws UserError when there is no such account, or the address is invited or in the team already
 */
export async function invite(
  database: Database,
  merchantAccountId: string,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<string> {
  const account = await database.merchantAccount.findUnique({ where: { id: merchantAccountId } });
  if (account === null) throw noAccount(merchantAccountId);
  const fields = createInvitationBody.safeParse({ email, role });
  if (!fields.success) throw new UserError(`Expected an e-mail address, and one of the roles ${ROLES.join(', ')}.`);
  const author = { merchantId: account.merchantId, actor: operator() };
  try {
    const { token } = await insertInvitation(database, author, { id: newId('invitation'), fields: fields.data });
    return token;
  } catch (error) {
    if (error instanceof ApiError) throw new UserError(error.message);
    throw error;
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
 * Suspends a merchant with all its accounts for the platform, or lifts that.
 * @throws UserError when there is no such merchant
 */
export async function setMerchantStatus(
  database: Database,
  id: string,
  { suspended, reason }: { readonly suspended: boolean; readonly reason: string },
): Promise<void> {
  if (!isId('merchant', id)) throw noMerchant(id);
  try {
    await setSuspension(database, operatorAuthor(), { id, suspended, reason });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND') throw noMerchant(id);
    throw error;
  }
}

/**
 * Suspends an account for the platform, or activates it, whoever suspended it.
 * @throws UserError when there is no such account, or the platform suspended its merchant
 */
export async function setStatus(database: Database, id: string, status: 'active' | 'suspended'): Promise<void> {
  const platformSuspendedAt = status === 'active' ? null : new Date();
  await transactionWithLock(database, lockMerchantAccount(id), async (transaction) => {
    const before = await transaction.merchantAccount.findUnique({ where: { id } });
    if (before === null) throw noAccount(id);
    if (before.statusBeforeSuspension !== null) throw suspendedWithMerchant(before.merchantId);
    const data = { status, platformSuspendedAt, version: { increment: 1 } };
    const after = await transaction.merchantAccount.update({ where: { id }, data });
    const author = {
      merchantId: before.merchantId,
      environment: presentMerchantAccount(before).environment,
      actor: operator(),
    };
    const audit = { author, action: STATUS_ACTIONS[status], describe: describeAccount };
    await recordChange(transaction, audit, { before, after });
  });
}

function keyRow(owner: KeyOwner, secrets: ApiKeySecrets, { signatureVersion, keyring }: KeySignature) {
  const id = newId('apiKey');
  const { environment } = owner;
  const stored = storedFormOf(secrets, { id, environment, signatureVersion }, keyring);
  return { id, ...owner, name: KEY_NAME, scopes: [...ALL_SCOPES], ...stored };
}

function noMerchant(id: string): UserError {
  return new UserError(`There is no merchant ${id}. This lists them: npm run merchant -- list`);
}

function suspendedWithMerchant(merchantId: string): UserError {
  return new UserError(
    `The platform suspended the whole merchant. Lift that first: npm run merchant -- activate ${merchantId} --reason TEXT`,
  );
}

function noAccount(id: string): UserError {
  return new UserError(`There is no merchant account ${id}. This lists them: npm run merchant -- list`);
}
