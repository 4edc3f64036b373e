import type { Database } from '../../../prisma/connection/client.ts';
import { maskPaymentMethod } from '../../../vault/masking.ts';
import { digestsOfMethod, digestsOfSaved } from '../../../vault/payment-method-vault.ts';
import type { JsonResponse } from '../../../http/response.ts';
import { hashSecret } from '../../../vault/key-secret.ts';
import { customerNotFound, readCustomerCountry } from '../customers/payer.ts';
import type { Call } from '../api-operation.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { ownedBy } from '../../../accounts/row-scope.ts';
import type { CreatePaymentIntent } from '../../../contract/schemas/payment-intent-requests.ts';
import { detailsOf } from '../../../contract/schemas/payment-method.ts';
import { clientSecretsOf } from '../../../vault/client-secret.ts';
import { selectIntent, type StoredIntent } from '../../../prisma/queries/payment-intent.ts';
import { paymentInputOf } from '../../../workflow-client/workflow-inputs.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';
import { insertIntent } from './insert-intent.ts';
import { intentResponse } from './intent-response.ts';
import { confirmWithinLimits, type CountedMethod, countConfirm, prepareConfirm } from './confirm-within-limits.ts';
import { requireKeyOffSession, savedToUse, type SavedToUse, storeUse } from './use-saved.ts';
import { agreementOf, cardToSave } from './save-card.ts';
import { confirmRequestOf, storeFirstMethod } from './store-payment-method.ts';

/**
 * POST /payment-intents. Row first, workflow second: when Temporal is unavailable the row stays, the response is 503, and either
 * a repeat with the same idempotency key or the sweeper starts the workflow.
 */
export async function createPaymentIntent(
  dependencies: PaymentIntentDependencies,
  { principal, body, respondAsync }: Call<CreatePaymentIntent, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const startedAtMs = Date.now();
  const country = await countryOf(dependencies, principal, body, execution);
  requireKeyOffSession(principal, execution, body);
  const customerId = body.customerId ?? null;
  const saved = body.confirm
    ? await savedToUse(dependencies.database, principal, body, {
        customerId,
        allowSavedPaymentMethods: true,
        isRepeat: execution.resumed,
      })
    : null;
  const method = confirmedMethodOf(dependencies, principal, body, saved);
  const counted = await countConfirm(dependencies, principal, { method, link: null });
  const { stored, clientSecret, paymentMethodId } = await prepareConfirm(counted, () =>
    createAndStart(dependencies, { principal, body, execution, country, saved }),
  );

  const success = { status: 201, additions: { clientSecret } } as const;
  const masked = saved?.masked ?? maskedOf(body)?.masked;
  if (!body.confirm || masked === undefined || paymentMethodId === null) {
    return intentResponse(principal, stored, success);
  }
  const request = confirmRequestOf(dependencies, paymentMethodId, masked, saved?.use);
  const operation = {
    name: 'confirm',
    principal,
    intent: stored.intent,
    operationId: execution.operationId,
    sendUpdate: (waitMs: number) =>
      dependencies.workflows.confirm(stored.intent.id, execution.operationId, request, waitMs),
    respondAsync,
    timing: { startedAtMs, earlierAttempts: stored.attempts.length },
    success,
  } as const;
  return await confirmWithinLimits(dependencies, operation, counted);
}

interface Creation {
  readonly principal: Principal;
  readonly body: CreatePaymentIntent;
  readonly execution: Execution;
  readonly country: string | null;
  /** Null where it is not confirmed with a saved payment method. */
  readonly saved: SavedToUse | null;
}

interface Created {
  readonly stored: StoredIntent;
  readonly clientSecret: string;
  readonly paymentMethodId: string | null;
}

/** Stores the payment method and the intent, then starts the workflow. */
async function createAndStart(dependencies: PaymentIntentDependencies, creation: Creation): Promise<Created> {
  const paymentMethodId = await storeMethodOf(dependencies, creation);
  const found = await findOrInsert(dependencies, creation, paymentMethodId);
  await dependencies.workflows.start(paymentInputOf(found.stored.intent));
  return { ...found, paymentMethodId };
}

/** Stores the request's payment method, and what the customer agrees to; null where it has none. */
async function storeMethodOf(
  dependencies: PaymentIntentDependencies,
  { principal, body, execution, saved }: Creation,
): Promise<string | null> {
  if (saved !== null)
    return storeUse(dependencies, { principal, paymentIntentId: execution.resourceId, execution }, saved);
  const { paymentMethod: method, customerId = null, currency, setupFutureUsage = null } = body;
  if (method === undefined) return null;
  const payment = { customerId, currency, setupFutureUsage };
  const agreed = body.confirm ? agreementOf(principal, body, payment) : null;
  const save = await cardToSave(dependencies, principal, { method, payment, agreed });
  const owner = { principal, paymentIntentId: execution.resourceId, execution, save };
  return storeFirstMethod(dependencies, owner, method);
}

/** The payment's country, or its customer's. @throws ApiError `CUSTOMER_NOT_FOUND` if the account has no such customer */
async function countryOf(
  { database }: PaymentIntentDependencies,
  principal: Principal,
  { customerId, country }: CreatePaymentIntent,
  { resumed, resourceId }: Execution,
): Promise<string | null> {
  if (customerId === undefined || customerId === null) return country ?? null;
  try {
    const customerCountry = await readCustomerCountry(database, principal, customerId);
    return country ?? customerCountry;
  } catch (error) {
    // An interrupted execution of the request may have inserted the payment; the customer may be deleted once that payment has ended.
    const stored = resumed ? await database.direct.row(selectIntent(resourceId, principal)) : undefined;
    if (stored === undefined) throw error;
    return stored.intent.country;
  }
}

function confirmedMethodOf(
  { keyring }: PaymentIntentDependencies,
  principal: Principal,
  { confirm, paymentMethod, metadata }: CreatePaymentIntent,
  saved: SavedToUse | null,
): CountedMethod | null {
  if (saved !== null) return { type: 'card', digests: digestsOfSaved(keyring, principal, saved.id), metadata };
  if (!confirm || paymentMethod === undefined) return null;
  const digests = digestsOfMethod(keyring, principal, detailsOf(paymentMethod));
  return { type: paymentMethod.type, digests, metadata };
}

/** The new intent, or the one that an interrupted execution of the same request has inserted. */
async function findOrInsert(
  { database, keyring }: PaymentIntentDependencies,
  { principal, body, execution, country, saved }: Creation,
  paymentMethodId: string | null,
): Promise<Omit<Created, 'paymentMethodId'>> {
  const id = execution.resourceId;
  const clientSecrets = clientSecretsOf(keyring, id);
  const [clientSecret = ''] = clientSecrets;
  const clientSecretHash = hashSecret(clientSecret);
  const intent = await insertIntent(database, {
    id,
    principal,
    request: body,
    country,
    paymentMethodId,
    clientSecretHash,
  });
  const paymentMethod = saved === null ? maskedOf(body) : maskedOfSaved(saved);
  if (intent !== undefined) return { stored: { intent, attempts: [], paymentMethod }, clientSecret };
  const stored = await readIntent(database, principal, id).catch((error: unknown) => {
    throw missingInstead(error, body);
  });
  return { stored, clientSecret: await storedClientSecret(database, principal, id, clientSecrets) };
}

/** The intent was not inserted and does not exist, because the customer was deleted after the request had read it. */
function missingInstead(error: unknown, { customerId }: CreatePaymentIntent): unknown {
  const isMissing = error instanceof ApiError && error.code === 'PAYMENT_INTENT_NOT_FOUND';
  return isMissing && customerId != null ? customerNotFound(customerId) : error;
}

function maskedOf({ paymentMethod }: CreatePaymentIntent): StoredIntent['paymentMethod'] {
  if (paymentMethod === undefined) return null;
  return { type: paymentMethod.type, masked: maskPaymentMethod(detailsOf(paymentMethod)) };
}

function maskedOfSaved({ id: savedId, masked, use: savedUse }: SavedToUse): StoredIntent['paymentMethod'] {
  return { type: 'card', masked, savedId, savedUse };
}

/** The client secret whose hash the intent has; the vault keys may have been rotated since its creation. */
async function storedClientSecret(
  database: Database,
  scope: AccountScope,
  id: string,
  candidates: readonly string[],
): Promise<string> {
  const { clientSecretHash } = await database.paymentIntent.findUniqueOrThrow({
    where: { id, ...ownedBy(scope) },
    select: { clientSecretHash: true },
  });
  const clientSecret = candidates.find((candidate) => hashSecret(candidate) === clientSecretHash);
  if (clientSecret === undefined) throw new Error(`the key that the client secret of ${id} was derived from is gone`);
  return clientSecret;
}
