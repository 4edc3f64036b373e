import { isId } from '../../../domain/ids.ts';
import type { MaskedPaymentMethod } from '../../../domain/payment.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import {
  agreeToSave,
  type AgreedSave,
  type MethodReference,
  selectMaskedMethod,
} from '../../../prisma/queries/payment-method.ts';
import { digestsOfMethod, digestsOfSaved, eraseCvc, storedCardDigests } from '../../../vault/payment-method-vault.ts';
import type { JsonResponse } from '../../../http/response.ts';
import type { Call } from '../api-operation.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type {
  CancelPaymentIntent,
  CapturePaymentIntent,
  ConfirmPaymentIntent,
} from '../../../contract/schemas/payment-intent-requests.ts';
import { insertIntentUpdate, type StoredIntent } from '../../../prisma/queries/payment-intent.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';
import { confirmWithinLimits, type CountedMethod, countConfirm, prepareConfirm } from './confirm-within-limits.ts';
import { maskPaymentMethod } from '../../../vault/masking.ts';
import type { ConfirmRequest } from '../../../protocol/messages.ts';
import { detailsOf } from '../../../contract/schemas/payment-method.ts';
import { linkOfConfirm, takePlace } from './place-of-link.ts';
import { requireConfirmable, requireState, runOperation, type WorkflowOperation } from './run-operation.ts';
import { auditRequest } from './audit-request.ts';
import {
  namesSaved,
  requireKeyOffSession,
  requireServerFor,
  savedToUse,
  type SavedToUse,
  storeUse,
  usingPaymentOf,
} from './use-saved.ts';
import { agreementOf, cardToSave, notStoredToSave, savedAlready } from './save-card.ts';
import { confirmRequestOf, savingPaymentOf, storeFurtherMethod } from './store-payment-method.ts';
import { z } from 'zod';
import { expecting, mismatchMessage } from '../../../contract/field-messages.ts';
import { invalidFields, validate } from '../../../contract/validation.ts';

/** POST /payment-intents/{id}/confirm */
export async function confirmPaymentIntent(
  dependencies: PaymentIntentDependencies,
  call: Call<ConfirmPaymentIntent, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const { database, workflows } = dependencies;
  requireServerFor(call.principal, call.body);
  requireKeyOffSession(call.principal, execution, call.body);
  const startedAtMs = Date.now();
  const stored = await readIntent(database, call.principal, call.id);
  // Only the workflow knows what an interrupted execution has started.
  if (!execution.resumed) requireConfirmable(stored);
  const storedMethod = namesSaved(call.body) ? null : await storedMethodOf(database, call.body, stored);
  const saved = await savedOfConfirm(dependencies, call, { stored, storedMethod, isRepeat: execution.resumed });
  const method = await methodToCount(dependencies, call, { stored, storedMethod, saved });
  const link = await linkOfConfirm(database, call.principal, call.id);
  const counted = await countConfirm(dependencies, call.principal, { method, link });
  const request = await prepareConfirm(counted, async () => {
    const stated = await methodOf(dependencies, call, { stored, storedMethod, saved, execution });
    if (!execution.resumed) await takePlace(dependencies, call.principal, { paymentIntentId: call.id, link });
    return { ...stated, ...(await storeReturnUrl(database, call)) };
  });
  const operation: WorkflowOperation = {
    name: 'confirm',
    principal: call.principal,
    intent: stored.intent,
    operationId: execution.operationId,
    sendUpdate: (waitMs) => workflows.confirm(stored.intent.id, execution.operationId, request, waitMs),
    // No attempt uses the method of a confirm that was not accepted, so no outcome would erase its CVC.
    onRefused: async () => {
      if (call.body.paymentMethod !== undefined || saved?.storedAs === null)
        await eraseCvc(database, { id: request.paymentMethodId, paymentIntentId: stored.intent.id });
    },
    respondAsync: call.respondAsync,
    timing: { startedAtMs, earlierAttempts: stored.attempts.length },
  };
  return await confirmWithinLimits(dependencies, operation, counted);
}

/** The saved payment method that a confirm names, or that the stored one which it names refers to; null where there is none. */
async function savedOfConfirm(
  { database }: PaymentIntentDependencies,
  { principal, body }: Call<ConfirmPaymentIntent, undefined>,
  { stored, storedMethod, isRepeat }: Omit<MethodChoice, 'saved'> & { readonly isRepeat: boolean },
): Promise<SavedToUse | null> {
  const paymentMethodId = storedMethod?.savedId ?? body.paymentMethodId;
  const payment = { ...usingPaymentOf(stored.intent), isRepeat };
  const saved = await savedToUse(database, principal, { ...body, paymentMethodId }, payment);
  return saved === null ? null : { ...saved, storedAs: storedMethod?.id ?? null };
}

/** What is counted of the request's method, else of the intent's; null where there is none. */
async function methodToCount(
  { database, keyring }: PaymentIntentDependencies,
  { principal, body: { paymentMethod } }: Call<ConfirmPaymentIntent, undefined>,
  { stored, storedMethod, saved }: MethodChoice,
): Promise<CountedMethod | null> {
  const { metadata } = stored.intent;
  if (saved !== null) return { type: 'card', digests: digestsOfSaved(keyring, principal, saved.id), metadata };
  if (paymentMethod !== undefined) {
    const digests = digestsOfMethod(keyring, principal, detailsOf(paymentMethod));
    return { type: paymentMethod.type, digests, metadata };
  }
  if (storedMethod === null) return null;
  const { id, masked } = storedMethod;
  return { type: masked.type, digests: await storedCardDigests(database, id), metadata };
}

/** What a confirm without the data of a payment method pays with: a stored one, a saved one, or nothing. */
interface MethodChoice {
  readonly stored: StoredIntent;
  readonly storedMethod: StoredMethod | null;
  readonly saved: SavedToUse | null;
}

/** A payment method that was stored before this request. */
interface StoredMethod {
  readonly id: string;
  readonly masked: MaskedPaymentMethod;
  /** The saved payment method that it refers to; null where it has the data of its own. */
  readonly savedId: string | null;
}

/**
 * The stored method that a confirm names, else that of the intent; null where there is none.
 * @throws ApiError `INVALID_PAYMENT_METHOD` when no such method is stored for this intent
 */
async function storedMethodOf(
  { direct }: Database,
  { paymentMethodId }: ConfirmPaymentIntent,
  { intent, paymentMethod }: StoredIntent,
): Promise<StoredMethod | null> {
  if (paymentMethodId === undefined) {
    const id = intent.payment_method_id;
    // A saved payment method is named anew by each confirm: whoever sends one without a name has not chosen it.
    if (id === null || paymentMethod === null || paymentMethod.savedUse != null) return null;
    return { id, masked: paymentMethod.masked, savedId: null };
  }
  // The database cannot compare with every text, so the form is checked first.
  const row = isId('paymentMethod', paymentMethodId)
    ? await direct.row(selectMaskedMethod({ id: paymentMethodId, paymentIntentId: intent.id }))
    : undefined;
  if (row !== undefined) return { id: paymentMethodId, ...row };
  const message = mismatchMessage(
    'the id of a payment method that is stored for this payment intent',
    'another text',
    'Send the id that storing the method gave, or paymentMethod itself.',
  );
  throw invalidFields([{ field: 'paymentMethodId', code: 'invalid', message, soleCode: 'INVALID_PAYMENT_METHOD' }]);
}

/**
 * Stores the URL of this confirm in a row of its own, outside the history. The step that opens an attempt of the confirm gives it to
 * the payment: a confirm that is refused changes nothing, and all tries of an attempt send the same URL.
 */
async function storeReturnUrl(
  { direct }: Database,
  { principal, id, body: { returnUrl } }: Call<ConfirmPaymentIntent, undefined>,
): Promise<Pick<ConfirmRequest, 'returnUrlId'>> {
  if (returnUrl === undefined) return {};
  const { merchantAccountId, environment } = principal;
  const returnUrlId = newId('paymentUpdate');
  const row = { id: returnUrlId, paymentIntentId: id, merchantAccountId, environment };
  await direct.execute(insertIntentUpdate({ ...row, changes: { returnUrl }, customerId: null }));
  return { returnUrlId };
}

/** The payment method of the request, else one that is stored. */
async function methodOf(
  dependencies: PaymentIntentDependencies,
  { principal, body }: Call<ConfirmPaymentIntent, undefined>,
  { stored, storedMethod, saved, execution }: MethodChoice & { readonly execution: Execution },
): Promise<ConfirmRequest> {
  const { id: paymentIntentId } = stored.intent;
  if (saved !== null) {
    // It is saved already: what the payment says of saving is about other cards.
    if (body.setupFutureUsage != null) throw savedAlready();
    const id = saved.storedAs ?? (await storeUse(dependencies, { principal, paymentIntentId, execution }, saved));
    return confirmRequestOf(dependencies, id, saved.masked, saved.use);
  }
  const payment = savingPaymentOf(stored.intent);
  const agreed = agreementOf(principal, body, payment);
  if (body.paymentMethod !== undefined) {
    const save =
      agreed === null
        ? undefined
        : await cardToSave(dependencies, principal, { method: body.paymentMethod, payment, agreed });
    const owner = { principal, paymentIntentId, execution, save };
    // It is not stored where the payment is authorized or has ended; the workflow refuses the confirm, or gave its result before.
    const { id } = await storeFurtherMethod(dependencies, owner, body.paymentMethod);
    return confirmRequestOf(dependencies, id, maskPaymentMethod(detailsOf(body.paymentMethod)));
  }
  if (storedMethod === null) {
    throw new ApiError('MISSING_REQUIRED_FIELD', {
      message: 'Expected paymentMethod, because the payment intent has none yet; got nothing. Add it to the confirm.',
      details: { field: 'paymentMethod', reason: 'required' },
    });
  }
  if (agreed !== null || payment.setupFutureUsage !== null) {
    await agreeToSaveStored(dependencies, { id: storedMethod.id, paymentIntentId }, payment.customerId, agreed);
  }
  return confirmRequestOf(dependencies, storedMethod.id, storedMethod.masked);
}

/**
 * Records whether the customer agrees to save a card that was stored before this request.
 * @throws ApiError `INVALID_PAYMENT_METHOD` where the customer agrees, and the card was not stored to be saved
 */
async function agreeToSaveStored(
  { database: { direct } }: PaymentIntentDependencies,
  method: MethodReference,
  customerId: string | null,
  agreed: AgreedSave | null,
): Promise<void> {
  const found = customerId === null ? undefined : await direct.row(agreeToSave(method, customerId, agreed));
  if (found === undefined && agreed !== null) throw notStoredToSave();
}

/** POST /payment-intents/{id}/capture: captures the whole hold or a part of it, once; the rest is released. */
export async function capturePaymentIntent(
  dependencies: PaymentIntentDependencies,
  { principal, id, body, respondAsync }: Call<CapturePaymentIntent, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const { intent } = await readIntent(dependencies.database, principal, id);
  if (!execution.resumed) {
    requireState('capture', intent.status);
    requireCapturable(body.amount, intent.amount_capturable_minor);
  }
  const { amount = null } = body;
  const audited = { action: 'payment_intent.capture_requested', paymentIntentId: id, asked: { amount } } as const;
  await auditRequest(dependencies.database, principal, execution, audited);
  const request = { amountMinor: amount };
  return await runOperation(dependencies, {
    name: 'capture',
    principal,
    intent,
    operationId: execution.operationId,
    sendUpdate: (waitMs) => dependencies.workflows.capture(id, execution.operationId, request, waitMs),
    respondAsync,
  });
}

/** @throws ApiError `INVALID_AMOUNT` when the amount exceeds what is authorized */
function requireCapturable(amount: number | undefined, capturableMinor: number): void {
  const within = expecting(
    `at most the authorized ${capturableMinor} minor units`,
    'Leave amount out to capture all of it.',
  );
  validate(z.object({ amount: z.number().max(capturableMinor, within).optional() }), { amount });
}

/** POST /payment-intents/{id}/cancel */
export async function cancelPaymentIntent(
  dependencies: PaymentIntentDependencies,
  { principal, id, body, respondAsync }: Call<CancelPaymentIntent, undefined>,
  execution: Execution,
): Promise<JsonResponse> {
  const { intent } = await readIntent(dependencies.database, principal, id);
  if (!execution.resumed) requireState('cancel', intent.status);
  const asked = { reason: body.reason ?? null };
  const audited = { action: 'payment_intent.cancel_requested', paymentIntentId: id, asked } as const;
  await auditRequest(dependencies.database, principal, execution, audited);
  return await runOperation(dependencies, {
    name: 'cancel',
    principal,
    intent,
    operationId: execution.operationId,
    sendUpdate: (waitMs) => dependencies.workflows.cancel(id, execution.operationId, { reason: body.reason }, waitMs),
    respondAsync,
  });
}
