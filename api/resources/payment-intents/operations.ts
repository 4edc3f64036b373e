import { z } from 'zod';
import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, type JsonResponse, pageResponse } from '../../../http/response.ts';
import {
  actionOperation,
  type Call,
  updateOperation,
  createOperation,
  type ApiOperation,
  listOperation,
  readOperation,
} from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import {
  updatePaymentIntentBody,
  cancelPaymentIntentBody,
  capturePaymentIntentBody,
  confirmPaymentIntentBody,
  createPaymentIntentBody,
  createPaymentMethodBody,
  type ListPaymentIntents,
  listPaymentIntentsQuery,
} from '../../../contract/schemas/payment-intent-requests.ts';
import {
  createdPaymentIntentResource,
  paymentIntentResource,
  paymentMethodResource,
  timelineLine,
  usableSavedMethod,
} from '../../../contract/schemas/payment-intent-resource.ts';
import {
  askProvider,
  type ManualResolutionDependencies,
  NEEDS_SUPPORT,
  resolvePayment,
  resolveStrayCharge,
} from '../manual-resolution.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  manualResolutionResource,
  providerAnswerResource,
  resolvePaymentBody,
  resolveStrayChargeBody,
} from '../../../contract/schemas/manual-resolution.ts';
import { updatePaymentIntent } from './update.ts';
import { cancelPaymentIntent } from './actions.ts';
import { capturePaymentIntent } from './actions.ts';
import { confirmPaymentIntent } from './actions.ts';
import { createPaymentIntent } from './create.ts';
import { createPaymentMethod } from './create-payment-method.ts';
import type { PaymentIntentDependencies } from './stored-intent.ts';
import { intentResponse } from './intent-response.ts';
import { PAYMENT_INTENT_COLUMNS } from '../../../contract/presenters/csv-columns.ts';
import { presentPaymentIntent } from '../../../contract/presenters/payment-intent.ts';
import { accountIntents, STORED_INTENT } from '../../../prisma/queries/payment-intent.ts';
import { createCsvExport, type ExportDependencies } from '../csv-export.ts';
import { listIntents, readIntent } from './stored-intent.ts';
import { readTimeline } from './timeline.ts';
import { listUsableSaved } from './use-saved.ts';
import { workflowUrlFor } from '../workflow-url.ts';

const resource = 'payment-intents';
const newPaymentMethodId = () => newId('paymentMethod');

/** The errors of a confirm. */
const CONFIRM_ERRORS = [
  'CHANNEL_LIMIT_MIN_EXCEEDED',
  'CHANNEL_LIMIT_MAX_EXCEEDED',
  'NO_TSP_AVAILABLE',
  'UNSUPPORTED_REGION',
  'INVALID_PAYMENT_METHOD',
  'CARD_DECLINED',
  'INSUFFICIENT_FUNDS',
  'PAYMENT_DECLINED',
  'LIMIT_EXCEEDED',
  'FRAUD_DETECTED',
  'PAYMENT_FAILED',
  'TSP_PAYMENT_FAILED',
  'CRYPTO_DEPOSIT_FAILED',
  'UNSUPPORTED_CURRENCY_PAIR',
  'PROVIDER_VALIDATION_ERROR',
  'PROVIDER_UNAVAILABLE',
  'PAYMENT_RETRIES_EXHAUSTED',
  'PAYMENT_EXPIRED',
] as const;

type Dependencies = PaymentIntentDependencies &
  IdempotencyDependencies &
  ExportDependencies &
  ManualResolutionDependencies;

/** Everything below /payment-intents. */
export function paymentIntentOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listPaymentIntentsOperation(dependencies),
    createPaymentIntentOperation(dependencies),
    getPaymentIntentOperation(dependencies),
    updatePaymentIntentOperation(dependencies),
    createPaymentMethodOperation(dependencies),
    listUsableSavedMethodsOperation(dependencies),
    confirmPaymentIntentOperation(dependencies),
    cancelPaymentIntentOperation(dependencies),
    capturePaymentIntentOperation(dependencies),
    getPaymentIntentTimelineOperation(dependencies),
    ...manualOperations(dependencies),
  ];
}

function listPaymentIntentsOperation(dependencies: Dependencies): ApiOperation {
  const { database, csvExports } = dependencies;
  return listOperation({
    path: '/payment-intents',
    operationId: 'listPaymentIntents',
    summary: 'List payment intents, newest first',
    resource,
    query: listPaymentIntentsQuery,
    responseData: paymentIntentResource,
    errors: [],
    csv: createCsvExport({
      database,
      exports: csvExports,
      name: resource,
      columns: PAYMENT_INTENT_COLUMNS,
      listed: accountIntents,
      selected: STORED_INTENT,
      present: (stored) =>
        presentPaymentIntent(stored, stored.paymentMethod?.masked ?? null, stored.paymentMethod ?? {}),
    }),
    handle: (call) => list(dependencies, call),
  });
}

function createPaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  const { admission } = dependencies;
  return createOperation(
    {
      path: '/payment-intents',
      operationId: 'createPaymentIntent',
      summary: 'Create a payment intent, and confirm it at once if requested',
      resource,
      body: createPaymentIntentBody,
      waits: true,
      responseData: createdPaymentIntentResource,
      errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'CUSTOMER_NOT_FOUND', 'STATE_CONFLICT', ...CONFIRM_ERRORS],
      newResourceId: () => newId('paymentIntent'),
      admit: ({ principal, body }) => (body.confirm ? admission.acquire(principal.merchantId) : null),
      handle: (call, execution) => createPaymentIntent(dependencies, call, execution),
    },
    dependencies,
  );
}

function getPaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  return readOperation({
    path: '/payment-intents/{id}',
    operationId: 'getPaymentIntent',
    summary: 'Retrieve a payment intent',
    resource,
    forCheckout: true,
    responseData: paymentIntentResource,
    errors: ['PAYMENT_INTENT_NOT_FOUND'],
    handle: (call) => retrieve(dependencies, call),
  });
}

function updatePaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/payment-intents/{id}',
    operationId: 'updatePaymentIntent',
    summary: 'Update a payment intent',
    description:
      'Before the first confirm everything can be changed; `description`, `metadata` and `reference` in every state, also after the end. ' +
      'Whatever changes is in the timeline; after a confirm it is in the audit log too.',
    resource,
    body: updatePaymentIntentBody,
    waits: true,
    responseData: paymentIntentResource,
    errors: ['PAYMENT_INTENT_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'STATE_CONFLICT'],
    newResourceId: newPaymentMethodId,
    handle: (call, execution) => updatePaymentIntent(dependencies, call, execution),
  });
}

function createPaymentMethodOperation(dependencies: Dependencies): ApiOperation {
  return createOperation(
    {
      path: '/payment-intents/{id}/payment-methods',
      operationId: 'createPaymentMethod',
      summary: 'Store a payment method for this payment intent, to be confirmed by its id',
      description:
        'What the card fields of the checkout SDK call. The id is good for this payment intent only. With `paymentMethodId` and `cvc` it ' +
        'stands for a saved payment method and its security code, which the page then need not have. The security code of ' +
        'a card is erased when an attempt with it has an outcome, or the payment ends.',
      resource,
      forCheckout: true,
      body: createPaymentMethodBody,
      responseData: paymentMethodResource,
      errors: [
        'PAYMENT_INTENT_NOT_FOUND',
        'STATE_CONFLICT',
        'PAYMENT_EXPIRED',
        'INVALID_PAYMENT_METHOD',
        'MISSING_REQUIRED_FIELD',
      ],
      newResourceId: newPaymentMethodId,
      handle: (call, execution) => createPaymentMethod(dependencies, call, execution),
    },
    dependencies,
  );
}

function listUsableSavedMethodsOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/payment-intents/{id}/saved-payment-methods',
    operationId: 'listUsableSavedPaymentMethods',
    summary: "List the saved payment methods with which the payment's customer can pay, the preferred one first",
    description:
      'What the checkout SDK calls. A page gets them only if the payment was created with `allowSavedPaymentMethods`; otherwise ' +
      'the answer is `RESOURCE_NOT_FOUND`.',
    resource,
    forCheckout: true,
    responseData: z.array(usableSavedMethod),
    errors: ['PAYMENT_INTENT_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) => jsonResponse(200, await listUsableSaved(database, principal, id)),
  });
}

function confirmPaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  const { admission } = dependencies;
  return actionOperation(
    {
      path: '/payment-intents/{id}/confirm',
      operationId: 'confirmPaymentIntent',
      summary: 'Confirm a payment intent: call the providers and wait for the outcome',
      description:
        'After too many declined cards within an hour it responds with `RATE_LIMIT_EXCEEDED` before a provider is ' +
        'called. A checkout page gets `PAYMENT_DECLINED` instead of `FRAUD_DETECTED`, and no details of providers.',
      resource,
      forCheckout: true,
      body: confirmPaymentIntentBody,
      waits: true,
      responseData: paymentIntentResource,
      errors: ['PAYMENT_INTENT_NOT_FOUND', 'STATE_CONFLICT', ...CONFIRM_ERRORS],
      newResourceId: newPaymentMethodId,
      admit: ({ principal }) => admission.acquire(principal.merchantId),
      handle: (call, execution) => confirmPaymentIntent(dependencies, call, execution),
    },
    dependencies,
  );
}

function cancelPaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  const { admission } = dependencies;
  return actionOperation(
    {
      path: '/payment-intents/{id}/cancel',
      operationId: 'cancelPaymentIntent',
      summary: 'Cancel a payment intent; an authorization is voided',
      resource,
      body: cancelPaymentIntentBody,
      waits: true,
      responseData: paymentIntentResource,
      errors: ['PAYMENT_INTENT_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newPaymentMethodId,
      admit: ({ principal }) => admission.acquire(principal.merchantId),
      handle: (call, execution) => cancelPaymentIntent(dependencies, call, execution),
    },
    dependencies,
  );
}

function capturePaymentIntentOperation(dependencies: Dependencies): ApiOperation {
  const { admission } = dependencies;
  return actionOperation(
    {
      path: '/payment-intents/{id}/capture',
      operationId: 'capturePaymentIntent',
      summary: 'Capture authorized money, once: all of it or a part; the rest is released',
      resource,
      body: capturePaymentIntentBody,
      waits: true,
      mayRequireKey: true,
      responseData: paymentIntentResource,
      errors: [
        'PAYMENT_INTENT_NOT_FOUND',
        'INVALID_AMOUNT',
        'STATE_CONFLICT',
        'PAYMENT_FAILED',
        'PROVIDER_VALIDATION_ERROR',
        'TSP_ERROR',
        'TSP_TIMEOUT',
        'TSP_UNAVAILABLE',
      ],
      newResourceId: newPaymentMethodId,
      admit: ({ principal }) => admission.acquire(principal.merchantId),
      handle: (call, execution) => capturePaymentIntent(dependencies, call, execution),
    },
    dependencies,
  );
}

/** What support staff do about a payment that waits for its provider. */
function manualOperations(dependencies: Dependencies): readonly ApiOperation[] {
  const common = {
    resource,
    errors: ['PAYMENT_INTENT_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newPaymentMethodId,
    needsSupport: true,
  } as const;
  return [
    actionOperation(
      {
        ...common,
        path: '/payment-intents/{id}/ask-provider',
        operationId: 'askProvider',
        summary: 'Ask the provider at once what became of a payment',
        description:
          'For support staff: it needs the scope `support:read` too. The engine asks by itself, with growing pauses.',
        body: NO_FIELDS,
        responseData: providerAnswerResource,
        handle: (call, execution) => askProvider(dependencies, call, execution),
      },
      dependencies,
    ),
    actionOperation(
      {
        ...common,
        path: '/payment-intents/{id}/resolve-by-hand',
        operationId: 'resolvePaymentIntentByHand',
        summary: 'Record what became of a payment whose provider does not say it, or reports another amount',
        description: NEEDS_SUPPORT,
        body: resolvePaymentBody,
        responseData: manualResolutionResource,
        handle: (call, execution) => resolvePayment(dependencies, call, execution),
      },
      dependencies,
    ),
    actionOperation(
      {
        ...common,
        path: '/payment-intents/{id}/resolve-stray-charge-by-hand',
        operationId: 'resolveStrayChargeByHand',
        summary: 'Record that a stray charge was returned by hand',
        description: NEEDS_SUPPORT,
        body: resolveStrayChargeBody,
        responseData: manualResolutionResource,
        handle: (call, execution) => resolveStrayCharge(dependencies, call, execution),
      },
      dependencies,
    ),
  ];
}

function getPaymentIntentTimelineOperation(dependencies: Dependencies): ApiOperation {
  return readOperation({
    path: '/payment-intents/{id}/timeline',
    operationId: 'getPaymentIntentTimeline',
    summary: 'List every decision, attempt, timer and event of a payment, oldest first',
    resource,
    responseData: z.array(timelineLine),
    errors: ['PAYMENT_INTENT_NOT_FOUND'],
    handle: (call) => readTimeline(dependencies, call),
  });
}

async function list(
  dependencies: PaymentIntentDependencies,
  { principal, query }: Call<undefined, ListPaymentIntents>,
): Promise<JsonResponse> {
  return pageResponse(query, await listIntents(dependencies.database, principal, query), (stored) => ({
    ...presentPaymentIntent(stored, stored.paymentMethod?.masked ?? null, stored.paymentMethod ?? {}),
    ...workflowUrlFor(principal, dependencies, stored.intent.id),
  }));
}

async function retrieve(
  dependencies: PaymentIntentDependencies,
  { principal, id }: Call<undefined, unknown>,
): Promise<JsonResponse> {
  const stored = await readIntent(dependencies.database, principal, id);
  return intentResponse(principal, stored, {
    status: 200,
    additions: workflowUrlFor(principal, dependencies, stored.intent.id),
  });
}
