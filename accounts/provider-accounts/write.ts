import { z } from 'zod';
import type { AuditAction } from '../../domain/audit.ts';
import { type ProviderKindName, providerAccountIdOf } from '../../domain/provider-account.ts';
import type { Environment } from '../../domain/payment.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma, ProviderAccount } from '../../prisma/generated/client.ts';
import { lockMerchantAccount, lockProviderAccount } from '../../prisma/queries/lock.ts';
import {
  CREDENTIALS_TEST,
  noteAcceptedCredentials,
  noteRefusedCredentials,
  selectProviderAccountUse,
} from '../../prisma/queries/provider-account.ts';
import type { RowOf } from '../../prisma/connection/statement.ts';
import {
  type AccountToCall,
  type OfferedKind,
  PROVIDER_KINDS,
  type ProviderKinds,
} from '../../providers/provider-kinds.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import type { CredentialProblem } from '../../providers/provider-kind.ts';
import type { Keyring } from '../../vault/keyring.ts';
import {
  type CredentialsOwner,
  openProviderCredentials,
  sealProviderCredentials,
} from '../../vault/provider-credentials.ts';
import { checkTarget, type TargetProblem } from '../../webhooks/target.ts';
import type { TargetPolicy } from '../../webhooks/target-policy.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { Principal } from '../../domain/principal.ts';
import { invalidField, validate } from '../../contract/validation.ts';
import { text } from '../../contract/schemas/common.ts';
import {
  type CreateProviderAccount,
  providerAccountResource,
  type RotateProviderCredentials,
  type UpdateProviderAccount,
} from '../../contract/schemas/provider-account.ts';
import { ofMerchant } from '../row-scope.ts';
import { deleteRow, insertWithinLimit, updateOptimistically } from '../writes.ts';
import { describeAccount, findAccount, ownAccount, readAccount } from './stored-account.ts';
import { creatorOf } from '../created-by.ts';

/** The dependencies of the operations on accounts at providers. */
export interface ProviderAccountDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly providerKinds: ProviderKinds;
  /** Which addresses merchants may enter. */
  readonly webhookTargets: Readonly<Record<Environment, TargetPolicy>>;
}

/** Accounts at providers of one merchant account. */
export const MAXIMUM_ACCOUNTS = 100;

/** Credentials of an account that were rotated away, and whose webhooks are accepted: each webhook may be checked with all of them. */
const MAXIMUM_PREVIOUS_CREDENTIALS = 5;

/** A test may take several requests; the client waits for all of them. */
const CHECK_WITHIN_MS = 15 * SECOND_MS;

/** The entered credentials, by name. */
type Credentials = Readonly<Record<string, unknown>>;

/**
 * Inserts an account, or finds the one that an interrupted execution of the request inserted.
 * @param unique the part of its id after the kind
 * @throws ApiError `VALIDATION_ERROR` for credentials that the kind does not have, `STATE_CONFLICT` where there are enough accounts
 */
export async function insertAccount(
  { database, keyring, providerKinds, webhookTargets }: ProviderAccountDependencies,
  scope: Principal,
  { unique, fields }: { readonly unique: string; readonly fields: CreateProviderAccount },
): Promise<ProviderAccount> {
  const { kind, name, credentials } = fields;
  const offered = requireOffered(providerKinds, kind, scope);
  const { merchantAccountId, environment } = scope;
  const id = providerAccountIdOf(kind, unique);
  const owner = { providerAccountId: id, merchantAccountId, environment };
  const columns = credentialColumns(keyring, owner, { kind, offered, entered: credentials });
  await requireReachable(webhookTargets[environment], kind, credentials);
  const creator = await creatorOf(database, scope);
  return await insertWithinLimit(database, {
    lock: lockMerchantAccount(merchantAccountId),
    insert: ({ providerAccount }) =>
      providerAccount.upsert({
        where: { id },
        create: { id, ...ofMerchant(scope), merchantAccountId, kind, name, ...columns, ...creator },
        update: {},
      }),
    count: ({ providerAccount }) => providerAccount.count({ where: { merchantAccountId } }),
    maximum: MAXIMUM_ACCOUNTS,
    refusal: `A merchant account has at most ${MAXIMUM_ACCOUNTS} accounts at providers.`,
    audit: { author: scope, action: 'provider_account.created', describe: describeAccount },
  });
}

/** Changes name and status, as they are named. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function updateAccount(
  { database }: ProviderAccountDependencies,
  scope: Principal,
  { id, fields: { name, status } }: { readonly id: string; readonly fields: UpdateProviderAccount },
): Promise<ProviderAccount> {
  return updateRow(database, scope, { id, action: 'provider_account.updated' }, () => ({
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
  }));
}

/** A replacement of credentials, by the run of the request. */
interface Rotation extends Partial<Pick<RotateProviderCredentials, 'overlapSeconds'>> {
  readonly rotationId: string;
  readonly credentials: Credentials;
}

/**
 * Replaces all credentials, at once; webhooks that are signed with those that they replace are accepted until the overlap ends.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, also where webhooks of too many earlier ones are accepted, or
 * `VALIDATION_ERROR` for credentials that the kind does not have
 */
export async function rotateCredentials(
  { database, keyring, providerKinds, webhookTargets }: ProviderAccountDependencies,
  scope: Principal,
  { id, credentials, ...rotation }: Rotation & { readonly id: string },
): Promise<ProviderAccount> {
  const { merchantAccountId, environment } = scope;
  const owner = { providerAccountId: id, merchantAccountId, environment };
  // An account keeps its kind.
  const kind = kindOf(await readAccount(database, scope, id));
  const offered = requireOffered(providerKinds, kind, scope);
  const columns = credentialColumns(keyring, owner, { kind, offered, entered: credentials });
  await requireReachable(webhookTargets[environment], kind, credentials);
  return await updateRow(
    database,
    scope,
    {
      id,
      action: 'provider_account.credentials_rotated',
      alongside: (row, transaction) => keepCredentials(transaction, row, rotation),
    },
    (row) => {
      requireReplaceable(kind, openedCredentials(keyring, owner, row), credentials);
      return { ...columns, credentialsUpdatedAt: new Date() };
    },
  );
}

/** Keeps the credentials that a rotation replaces until its overlap ends, once. @throws ApiError `STATE_CONFLICT` */
async function keepCredentials(
  { providerAccountPreviousCredentials: previous }: Prisma.TransactionClient,
  { id: providerAccountId, credentialsKeyId, credentialsCiphertext }: ProviderAccount,
  { rotationId, overlapSeconds = 0 }: Omit<Rotation, 'credentials'>,
): Promise<void> {
  await previous.deleteMany({ where: { providerAccountId, expiresAt: { lte: new Date() } } });
  if (overlapSeconds === 0) return;
  const others = { providerAccountId, rotationId: { not: rotationId } };
  if ((await previous.count({ where: others })) >= MAXIMUM_PREVIOUS_CREDENTIALS) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        `Expected at most ${MAXIMUM_PREVIOUS_CREDENTIALS} earlier credentials whose webhooks are accepted; this account has as many. ` +
        'Wait until the overlap of one has ended, or rotate with overlapSeconds 0.',
    });
  }
  const expiresAt = new Date(Date.now() + overlapSeconds * SECOND_MS);
  const data = { providerAccountId, rotationId, credentialsKeyId, credentialsCiphertext, expiresAt };
  await previous.createMany({ data: [data], skipDuplicates: true });
}

/** The credentials of a row, as they were entered. */
function openedCredentials(keyring: Keyring, owner: CredentialsOwner, row: ProviderAccount): unknown {
  const sealed = { keyId: row.credentialsKeyId, ciphertext: row.credentialsCiphertext };
  return openProviderCredentials(keyring, owner, sealed);
}

/** @throws ApiError `VALIDATION_ERROR` for a change that the kind does not allow */
function requireReplaceable(kind: ProviderKindName, earlier: unknown, next: Credentials): void {
  requireNoProblem(PROVIDER_KINDS[kind].mayReplace(earlier, next));
}

/** @throws ApiError `VALIDATION_ERROR` where there is a problem */
function requireNoProblem(problem: CredentialProblem | null): void {
  if (problem !== null) throw invalidField(`credentials.${problem.member}`, 'invalid', problem.reason);
}

const NOT_REACHABLE: Readonly<Record<TargetProblem, string>> = {
  https_required: 'Expected an address that begins with https:// in production; got one with http://.',
  credentials_in_url: 'Expected an address without user name and password; got one with them.',
  address_not_allowed:
    'Expected a host with a public address; got one with a private, loopback or otherwise reserved one. Name a host that the internet reaches.',
  host_not_found: 'Expected a host that DNS knows; got one that cannot be found. Check its spelling.',
};

/** @throws ApiError `VALIDATION_ERROR` where the engine may not call the address in the credentials. It checks again at each call */
async function requireReachable(policy: TargetPolicy, kind: ProviderKindName, entered: Credentials): Promise<void> {
  const { addressCredential } = PROVIDER_KINDS[kind];
  if (addressCredential === null) return;
  const problem = await checkTarget(new URL(String(entered[addressCredential])), policy);
  if (problem !== null) throw invalidField(`credentials.${addressCredential}`, 'invalid', NOT_REACHABLE[problem]);
}

/**
 * Deletes an account with its credentials.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` while a route names it, or money is under way there
 */
export async function deleteAccount(
  { database }: ProviderAccountDependencies,
  scope: Principal,
  id: string,
): Promise<void> {
  const where = ownAccount(scope, id);
  await deleteRow(database, {
    // A payment or refund that begins at the account has either committed, and is then seen as a use, or it waits for this lock
    // and then finds no account.
    lock: lockProviderAccount(id, scope),
    read: ({ providerAccount }) => providerAccount.findFirst({ where }),
    // Payments skip a route that is made meanwhile, and a payment that was about to be tried there plans its routes again.
    remove: async ({ providerAccount }) => {
      await refuseWhileUsed(database, scope, id);
      return providerAccount.deleteMany({ where });
    },
    audit: { author: scope, action: 'provider_account.deleted', describe: describeAccount },
  });
}

/** @throws ApiError `STATE_CONFLICT` while a route names the account, or money is under way there */
async function refuseWhileUsed({ direct }: Database, scope: Principal, id: string): Promise<void> {
  const use = await direct.row(selectProviderAccountUse(id, scope));
  const found = USES.find(({ of }) => use?.[of] === true);
  if (found !== undefined) throw new ApiError('STATE_CONFLICT', { message: found.message });
}

type UsesOfAccount = RowOf<ReturnType<typeof selectProviderAccountUse>>;
const USES: readonly { readonly of: keyof UsesOfAccount; readonly message: string }[] = [
  { of: 'isRouted', message: 'A payment route names the account. Delete the route first, or lead it elsewhere.' },
  { of: 'hasPayments', message: 'A payment of the account is under way. Disable the account, and wait for its end.' },
  { of: 'hasRefunds', message: 'A refund of the account is under way. Disable the account, and wait for its end.' },
  { of: 'hasStrayCharges', message: 'A stray charge of the account is being returned. Wait for its end.' },
];

/**
 * Asks the provider whether it accepts the credentials, and notes what it says.
 * @returns null where it does, else what is wrong with them
 * @throws ApiError `RESOURCE_NOT_FOUND`, or the code of the provider's outage
 */
export async function checkCredentials(
  { database, keyring, providerKinds }: ProviderAccountDependencies,
  scope: Principal,
  id: string,
): Promise<string | null> {
  const row = await readAccount(database, scope, id);
  const { merchantAccountId, environment } = scope;
  const kind = requireOffered(providerKinds, kindOf(row), scope);
  const owner = { providerAccountId: id, merchantAccountId, environment };
  const credentials = openedCredentials(keyring, owner, row);
  const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
  try {
    const problem = await kind.check({ name: id, credentials }, signal);
    const note = problem === null ? noteAcceptedCredentials : noteRefusedCredentials;
    await database.direct.row(note(row, CREDENTIALS_TEST));
    return problem;
  } catch (error) {
    if (error instanceof ProviderOutageError) throw new ApiError(error.code, { cause: error });
    if (signal.aborted) throw new ApiError('TSP_TIMEOUT', { cause: error });
    throw error;
  }
}

function kindOf({ kind }: Pick<ProviderAccount, 'kind'>): ProviderKindName {
  return providerAccountResource.shape.kind.parse(kind);
}

/** @throws ApiError `VALIDATION_ERROR` where merchants cannot have accounts of the kind in the environment */
function requireOffered(kinds: ProviderKinds, kind: ProviderKindName, { environment }: Principal): OfferedKind {
  const offered = kinds.find(kind, environment);
  if (offered !== undefined) return offered;
  const names = kinds.namesFor(environment);
  const expected =
    names.length === 0 ? 'no account, because this environment takes none' : `one of ${names.join(', ')}`;
  throw invalidField('kind', 'invalid', `Expected ${expected}; got ${kind}.`);
}

interface EnteredCredentials {
  readonly kind: ProviderKindName;
  readonly offered: OfferedKind;
  readonly entered: Credentials;
}

/** The credentials as the row has them. @throws ApiError `VALIDATION_ERROR` where they are not those of the kind */
function credentialColumns(keyring: Keyring, owner: CredentialsOwner, { kind, offered, entered }: EnteredCredentials) {
  const { schema, credentials: known } = PROVIDER_KINDS[kind];
  validate(z.object({ credentials: schema }), { credentials: entered });
  requireNoProblem(PROVIDER_KINDS[kind].problemIn(entered, owner.environment));
  requireUsable(offered, { name: owner.providerAccountId, credentials: entered });
  const shown = Object.entries(entered).filter(([name]) => name in known && !known[name]?.isSecret);
  // The schema of the kind has checked what is inside lists and objects.
  const texts = Object.fromEntries(shown.filter(([, value]) => typeof value === 'string'));
  validate(z.object({ credentials: z.record(z.string(), text(1_000)) }), { credentials: texts });
  const publicCredentials = Object.fromEntries(shown.map(([name, value]) => [name, shownText(value)]));
  const { keyId, ciphertext } = sealProviderCredentials(keyring, owner, entered);
  return {
    credentialsKeyId: keyId,
    credentialsCiphertext: ciphertext,
    credentialNames: Object.keys(entered).sort(),
    publicCredentials,
  };
}

/** A credential as a text: lists and objects as JSON. */
function shownText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** An adapter may need more of its credentials in one environment than in the other. */
function requireUsable(offered: OfferedKind, account: AccountToCall): void {
  try {
    offered.create(account);
  } catch (error) {
    if (error instanceof RangeError) throw invalidField('credentials', 'invalid', `Expected others: ${error.message}.`);
    throw error;
  }
}

interface RowChange {
  readonly id: string;
  readonly action: AuditAction;
  /** What is written in the same transaction. @param row as it was before the change */
  readonly alongside?: (row: ProviderAccount, transaction: Prisma.TransactionClient) => Promise<void>;
}

function updateRow(
  database: Database,
  scope: Principal,
  { id, action, alongside }: RowChange,
  changesOf: (row: ProviderAccount) => Prisma.ProviderAccountUpdateManyMutationInput,
): Promise<ProviderAccount> {
  return updateOptimistically(database, {
    audit: { author: scope, action, describe: describeAccount },
    read: () => findAccount(database, scope, id),
    changesOf,
    write: async (row, data, transaction) => {
      const where = { ...ownAccount(scope, id), version: row.version };
      const [changed] = await transaction.providerAccount.updateManyAndReturn({ where, data });
      if (changed !== undefined) await alongside?.(row, transaction);
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}
