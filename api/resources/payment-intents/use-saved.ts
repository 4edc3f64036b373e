import { invalidField, invalidFields } from '../../../contract/validation.ts';
import { mismatchMessage } from '../../../contract/field-messages.ts';
import { presentUsableSaved } from '../../../contract/presenters/saved-payment-method.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { isId } from '../../../domain/ids.ts';
import type { UsableSavedMethod } from '../../../contract/schemas/payment-intent-resource.ts';
import type { MaskedCard } from '../../../domain/payment.ts';
import type { Principal } from '../../../domain/principal.ts';
import { isOffSession, type OffSessionReason, type SavedMethodUse } from '../../../domain/saved-payment-method.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { IntentRow } from '../../../prisma/queries/payment-intent.ts';
import { selectSavedOfPayment, selectSavedToUse } from '../../../prisma/queries/saved-payment-method.ts';
import { storeMethodReference } from '../../../vault/payment-method-vault.ts';
import { type Execution, idempotencyKeyRequired } from '../../idempotency/idempotency.ts';
import { fullOfMethods, MAXIMUM_METHODS, paymentMethodIdOf } from './store-payment-method.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';

/** A saved payment method with which a payment is confirmed. */
export interface SavedToUse {
  readonly id: string;
  readonly customerId: string;
  readonly masked: MaskedCard;
  readonly use: SavedMethodUse;
  readonly cvc: string | null;
  /** The payment method of the payment that refers to it already, with its security code; null where none was stored before. */
  readonly storedAs: string | null;
}

/** The payment that is to be confirmed. */
interface UsingPayment {
  readonly customerId: string | null;
  /** Whether its page may use saved payment methods. */
  readonly allowSavedPaymentMethods: boolean;
}

/** What a confirm says about a saved payment method. */
interface UseRequest {
  readonly paymentMethodId?: string | undefined;
  readonly cvc?: string | undefined;
  readonly offSession?: OffSessionReason | undefined;
}

/** What the use of a saved payment method depends on of a payment. */
export function usingPaymentOf({
  customer_id: customerId,
  allow_saved_payment_methods: isAllowed,
}: IntentRow): UsingPayment {
  return { customerId, allowSavedPaymentMethods: isAllowed };
}

/**
 * Without a key, a server that repeats a renewal after a lost answer would charge the customer twice, and the customer does not see it.
 * @throws ApiError `MISSING_REQUIRED_FIELD` where the account demands keys
 */
export function requireKeyOffSession(
  { requiresIdempotencyKeys }: Principal,
  { operationId }: Execution,
  { offSession }: UseRequest,
): void {
  if (offSession === undefined || !requiresIdempotencyKeys || !isId('request', operationId)) return;
  throw idempotencyKeyRequired();
}

/** Whether a confirm names a saved payment method. */
export function namesSaved({ paymentMethodId }: UseRequest): boolean {
  return paymentMethodId !== undefined && isId('savedPaymentMethod', paymentMethodId);
}

/**
 * Refuses what only the server of the merchant may send.
 * @throws ApiError `VALIDATION_ERROR` with the answer to a member that does not exist
 */
export function requireServerFor({ onlyPaymentIntentId }: Principal, { offSession }: UseRequest): void {
  if (onlyPaymentIntentId === undefined || offSession === undefined) return;
  throw invalidField(
    'offSession',
    'unknown',
    mismatchMessage('no such field from a page', 'this one', 'Leave it out.'),
  );
}

/**
 * The saved payment method that a confirm names; null where it names none. One that does not exist, of another customer or account,
 * that waits for its payment, was removed or is invalid has the same answer, and so has any on a page for whose customer the merchant does
 * not vouch.
 * @throws ApiError `INVALID_PAYMENT_METHOD`
 */
export async function savedToUse(
  { direct }: Pick<Database, 'direct'>,
  principal: Principal,
  request: UseRequest,
  { customerId, allowSavedPaymentMethods, isRepeat }: UsingPayment & { readonly isRepeat: boolean },
): Promise<SavedToUse | null> {
  const { paymentMethodId: id, cvc = null, offSession } = request;
  if (id === undefined || !namesSaved(request)) {
    if (offSession === undefined) return null;
    throw notUsable('offSession', 'the id of a saved payment method (spm_…) in paymentMethodId', 'none');
  }
  const isAllowed = principal.onlyPaymentIntentId === undefined || allowSavedPaymentMethods;
  const stored =
    customerId === null || !isAllowed
      ? undefined
      : await direct.row(selectSavedToUse(id, principal, customerId, isRepeat));
  if (customerId === null || stored === undefined) throw savedUnknown();
  const use = offSession ?? 'on_session';
  if (isOffSession(use) && stored.usage !== 'off_session') {
    throw notUsable('offSession', 'a saved payment method whose usage is off_session', 'one with the usage on_session');
  }
  return { id, customerId, masked: stored.masked, use, cvc, storedAs: null };
}

/**
 * The saved payment methods with which the customer of a payment can pay.
 * @throws ApiError `PAYMENT_INTENT_NOT_FOUND`; `RESOURCE_NOT_FOUND` for a page for whose customer the merchant does not vouch
 */
export async function listUsableSaved(
  database: Database,
  principal: Principal,
  paymentIntentId: string,
): Promise<readonly UsableSavedMethod[]> {
  const { intent } = await readIntent(database, principal, paymentIntentId);
  const isAllowed = principal.onlyPaymentIntentId === undefined || intent.allow_saved_payment_methods;
  if (!isAllowed) throw new ApiError('RESOURCE_NOT_FOUND');
  return (await database.direct.rows(selectSavedOfPayment(intent.id, principal))).map(presentUsableSaved);
}

/** A customer's saved payment method with the security code, as it is stored for a payment. */
interface SavedWithCode {
  readonly paymentMethodId: string;
  readonly cvc: string;
}

/**
 * Stores the security code of a saved payment method, for the customer to confirm both by one id.
 * @throws ApiError `INVALID_PAYMENT_METHOD`, as a confirm with the saved payment method
 */
export async function storeSavedWithCode(
  dependencies: PaymentIntentDependencies,
  {
    principal,
    intent,
    execution,
  }: { readonly principal: Principal; readonly intent: IntentRow; readonly execution: Execution },
  named: SavedWithCode,
): Promise<{ readonly id: string; readonly masked: MaskedCard }> {
  const payment = { ...usingPaymentOf(intent), isRepeat: execution.resumed };
  const saved = await savedToUse(dependencies.database, principal, named, payment);
  if (saved === null) throw savedUnknown();
  const id = await storeUse(dependencies, { principal, paymentIntentId: intent.id, execution }, saved);
  return { id, masked: saved.masked };
}

/** Stores that the payment uses a saved payment method. @returns the id of the payment method that refers to it */
export async function storeUse(
  dependencies: PaymentIntentDependencies,
  owner: { readonly principal: Principal; readonly paymentIntentId: string; readonly execution: Execution },
  { id: savedPaymentMethodId, customerId, use, cvc }: SavedToUse,
): Promise<string> {
  const { principal, paymentIntentId, execution } = owner;
  const { merchantAccountId, environment } = principal;
  const id = paymentMethodIdOf(execution);
  const row = { id, merchantAccountId, environment, paymentIntentId, savedPaymentMethodId, customerId, use, cvc };
  const result = await storeMethodReference(dependencies, row, MAXIMUM_METHODS);
  if (result === 'not_saved') throw savedUnknown();
  if (result === 'intent_full') throw fullOfMethods();
  // Where the payment is authorized or has ended, the workflow refuses the confirm, or gave its result before.
  return id;
}

function savedUnknown(): ApiError {
  return notUsable(
    'paymentMethodId',
    "the id of an active saved payment method of the payment's customer",
    'another text',
  );
}

function notUsable(field: string, expected: string, received: string): ApiError {
  const message = mismatchMessage(expected, received, 'Pay with another payment method.');
  return invalidFields([{ field, code: 'invalid', message, soleCode: 'INVALID_PAYMENT_METHOD' }]);
}
