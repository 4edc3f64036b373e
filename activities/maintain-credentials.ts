import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { maskedCard } from '../contract/schemas/payment-intent-resource.ts';
import { ENVIRONMENTS, type Environment } from '../domain/payment.ts';
import { cardExpiryOf } from '../domain/saved-payment-method.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import type { SavedPaymentMethod, SavedPaymentMethodCredential } from '../prisma/generated/client.ts';
import {
  endDueSavedMethod,
  invalidateWithoutCredential,
  selectSavingAttempts,
  storeCredential,
} from '../prisma/queries/saved-payment-method.ts';
import type { PaymentProvider, StoredCredential } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { SavedMethodInput } from '../protocol/messages.ts';
import type { MaintainedCredentials } from '../protocol/saved-method-activities.ts';
import type { Keyring } from '../vault/keyring.ts';
import { openSavedCredential, sealSavedCredential } from '../vault/saved-credential.ts';
import { withHeartbeat } from './provider-calls.ts';

export interface CredentialDependencies {
  readonly database: Pick<
    Database,
    'savedPaymentMethod' | 'savedPaymentMethodCredential' | 'paymentAttempt' | 'direct'
  >;
  readonly registry: ProviderRegistry;
  readonly keyring: Keyring;
}

/** How long a provider may take to issue a token. Then the card is charged by its number, or not at all. */
const ISSUED_WITHIN_MS = DAY_MS;

/**
 * Reads the tokens that providers have issued for a saved card; removes them, if the saved payment method is detached. Every try
 * reads the row again, so that a removal ends the wait for a token. Fails, so that it is retried, while a provider gives no answer.
 * Nothing that it reads leaves it: tokens are sealed before they are stored, and appear in no history.
 */
export function maintainCredentials(
  dependencies: CredentialDependencies,
  { savedPaymentMethodId: id, environment, merchantAccountId }: SavedMethodInput,
): Promise<MaintainedCredentials> {
  const { database } = dependencies;
  return withHeartbeat(async (signal) => {
    const method = await database.savedPaymentMethod.findFirst({
      where: { id, environment, merchantAccountId },
      include: { credentials: { orderBy: { provider: 'asc' } } },
    });
    if (method === null) throw ApplicationFailure.nonRetryable(`there is no ${id}`, 'SAVED_METHOD_UNKNOWN');
    const isDetached = method.status === 'detached';
    const open = method.credentials.filter(({ status }) => isDetached || status === 'pending');
    for (const credential of open) {
      const work = { method, credential, environment: environmentOf(method), signal };
      await (isDetached ? remove(dependencies, work) : complete(dependencies, work));
    }
    if (!isDetached) await database.direct.execute(invalidateWithoutCredential(id));
    await database.direct.execute(endDueSavedMethod(id));
    return { kind: isDetached ? 'removed' : 'completed', providers: open.map(({ provider }) => provider) };
  });
}

interface Work {
  readonly method: SavedPaymentMethod;
  readonly credential: SavedPaymentMethodCredential;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** @throws ApplicationFailure where the provider has issued nothing yet, so that it is asked again */
async function complete(dependencies: CredentialDependencies, work: Work): Promise<void> {
  const { credential } = work;
  const provider = await dependencies.registry.find(credential.provider);
  if (provider === undefined) return disable(dependencies, credential);
  if (provider.readCredential === undefined) return forget(dependencies, credential);
  const issued = await readToken(dependencies, provider, work);
  const known = storedToken(dependencies.keyring, work);
  await removeReplaced(provider, { work, issued, known });
  const isLate = Date.now() - credential.updatedAt.getTime() > ISSUED_WITHIN_MS;
  if (issued === null && credential.ciphertext === null && !isLate) throw notIssued(credential);
  const hasToken = issued === null ? credential.ciphertext !== null : issued.token !== null;
  await dependencies.database.direct.row(
    storeCredential({
      ...credential,
      status: hasToken ? 'active' : 'disabled',
      sealed:
        issued === null
          ? null
          : sealSavedCredential(dependencies.keyring, identityOf(work), withNetwork(issued, known)),
      hasNetworkTransactionId: issued?.networkTransaction != null,
      expiry:
        issued?.expiry === undefined
          ? undefined
          : { ...issued.expiry, at: cardExpiryOf(issued.expiry.month, issued.expiry.year) },
    }),
  );
}

/** The account at the provider was deleted: nothing can be asked there any more. */
async function disable({ database }: CredentialDependencies, credential: SavedPaymentMethodCredential): Promise<void> {
  await database.direct.row(
    storeCredential({ ...credential, status: 'disabled', sealed: null, hasNetworkTransactionId: false }),
  );
}

/** A provider may issue another token when the card is saved again: the one before would stay there for good. */
async function removeReplaced(
  provider: PaymentProvider,
  {
    work,
    issued,
    known,
  }: { readonly work: Work; readonly issued: StoredCredential | null; readonly known: StoredCredential | null },
): Promise<void> {
  if (known?.token == null || issued?.token == null || known.token === issued.token) return;
  await forgetToken(provider, known.token, known, work);
}

/** What card networks know of the agreement outlives the provider's token. */
function withNetwork(issued: StoredCredential, known: StoredCredential | null): StoredCredential {
  return { ...issued, networkTransaction: issued.networkTransaction ?? known?.networkTransaction ?? null };
}

async function forgetToken(
  provider: PaymentProvider,
  token: string,
  { providerCustomerId }: StoredCredential,
  { environment, method: { customerId }, signal }: Work,
): Promise<void> {
  await provider.removeCredential?.({ environment, customerId, token, providerCustomerId }, signal);
}

/** Tokens that were issued and not read have to be removed too, but none that a card of the customer has which was saved since. */
async function remove(dependencies: CredentialDependencies, work: Work): Promise<void> {
  const { credential } = work;
  const provider = await dependencies.registry.find(credential.provider);
  if (provider?.removeCredential !== undefined) {
    const inUse = await tokensInUse(dependencies, work);
    for (const [token, issued] of await issuedTokens(dependencies, provider, work)) {
      if (!inUse.has(token)) await forgetToken(provider, token, issued, work);
    }
  }
  await forget(dependencies, credential);
}

/** All tokens that the provider has issued for the card: one that was saved twice at a time has one that was never stored. */
async function issuedTokens(
  dependencies: CredentialDependencies,
  provider: PaymentProvider,
  work: Work,
): Promise<ReadonlyMap<string, StoredCredential>> {
  const stored = storedToken(dependencies.keyring, work);
  const { attemptId: read, provider: name } = work.credential;
  const issued = [stored];
  for (const attempt of await dependencies.database.direct.rows(selectSavingAttempts(work.method.id, name))) {
    if (attempt.attemptId === read && stored !== null && work.credential.status !== 'pending') continue;
    issued.push(await readIssued(provider, attempt, work));
  }
  return new Map(issued.flatMap((each) => (each?.token == null ? [] : [[each.token, each] as const])));
}

/**
 * The tokens of the customer's other cards: a provider that keeps a card once for a customer gives a card that is saved again the
 * token that it had.
 * @throws ApplicationFailure while one of them is not known yet
 */
async function tokensInUse(
  { database, keyring }: CredentialDependencies,
  { method: { id, customerId }, credential: { provider }, ...work }: Work,
): Promise<ReadonlySet<string>> {
  const others = await database.savedPaymentMethod.findMany({
    where: { customerId, id: { not: id }, status: { in: ['active', 'invalid'] }, credentials: { some: { provider } } },
    include: { credentials: { where: { provider } } },
  });
  const tokens = others.flatMap(({ credentials, ...method }) =>
    credentials.map((credential) => {
      if (credential.status === 'pending' && credential.ciphertext === null) throw notIssued(credential);
      return storedToken(keyring, { ...work, method, credential })?.token;
    }),
  );
  return new Set(tokens.filter((token) => token != null));
}

async function forget(
  { database }: CredentialDependencies,
  { savedPaymentMethodId, provider, attemptId }: SavedPaymentMethodCredential,
): Promise<void> {
  await database.savedPaymentMethodCredential.deleteMany({ where: { savedPaymentMethodId, provider, attemptId } });
}

function storedToken(keyring: Keyring, work: Work): StoredCredential | null {
  const { keyId, ciphertext } = work.credential;
  return keyId === null || ciphertext === null
    ? null
    : openSavedCredential(keyring, identityOf(work), { keyId, ciphertext });
}

async function readToken(
  { database }: CredentialDependencies,
  provider: PaymentProvider,
  work: Work,
): Promise<StoredCredential | null> {
  const { attemptId } = work.credential;
  if (attemptId === null) return null;
  const attempt = await database.paymentAttempt.findUnique({
    where: { id: attemptId },
    select: { providerPaymentId: true, startedAt: true },
  });
  return attempt === null ? null : readIssued(provider, { attemptId, ...attempt }, work);
}

/** What the provider has issued for the card by one attempt. */
async function readIssued(
  provider: PaymentProvider,
  { startedAt, ...attempt }: RowOf<ReturnType<typeof selectSavingAttempts>>,
  { method: { customerId, masked }, environment, signal }: Work,
): Promise<StoredCredential | null> {
  const card = maskedCard.parse(masked);
  const asked = { ...attempt, environment, startedAt: startedAt.toISOString(), customerId, card };
  return (await provider.readCredential?.(asked, signal)) ?? null;
}

function identityOf({ credential, environment }: Work) {
  const { savedPaymentMethodId, provider, merchantAccountId } = credential;
  return { savedPaymentMethodId, provider, merchantAccountId, environment };
}

/** @throws Error for a value of another version */
function environmentOf({ environment }: SavedPaymentMethod): Environment {
  const known = ENVIRONMENTS.find((each) => each === environment);
  if (known === undefined) throw new Error(`this version does not know "${environment}"`);
  return known;
}

/** Benign, because a provider may take minutes: the log would have a line for each question. */
function notIssued({ provider }: SavedPaymentMethodCredential): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'TOKEN_NOT_ISSUED',
    category: ApplicationFailureCategory.BENIGN,
    message: `${provider} has issued no token yet`,
  });
}
