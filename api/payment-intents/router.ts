import { Router } from 'express';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import { type Answer, answerWithPage } from '../answer.ts';
import { type Call, readEndpoint, writeEndpoint } from '../endpoint.ts';
import type { IdempotencyDependencies } from '../idempotency.ts';
import {
  amendPaymentIntentBody,
  cancelPaymentIntentBody,
  confirmPaymentIntentBody,
  createPaymentIntentBody,
  type ListPaymentIntents,
  listPaymentIntentsQuery,
} from '../schemas/payment-intent-requests.ts';
import { amendPaymentIntent } from './amend.ts';
import { cancelPaymentIntent } from './cancel.ts';
import { confirmPaymentIntent } from './confirm.ts';
import { createPaymentIntent } from './create.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { answerWithIntent } from './operation.ts';
import { presentPaymentIntent } from './present.ts';
import { listIntents, readIntent } from './read-intents.ts';
import { readTimeline } from './timeline.ts';

const READ = 'payment-intents:read';
const WRITE = 'payment-intents:write';
const NO_QUERY = z.strictObject({});

/** Everything below /payment-intents. */
export function createPaymentIntentRouter(dependencies: PaymentIntentDependencies & IdempotencyDependencies): Router {
  const router = Router();
  const newPaymentIntentId = () => newId('paymentIntent');
  const newPaymentMethodId = () => newId('paymentMethod');

  router
    .route('/')
    .get(readEndpoint({ scope: READ, query: listPaymentIntentsQuery, handle: (call) => list(dependencies, call) }))
    .post(
      writeEndpoint(
        {
          scope: WRITE,
          body: createPaymentIntentBody,
          newResourceId: newPaymentIntentId,
          handle: (call, run) => createPaymentIntent(dependencies, call, run),
        },
        dependencies,
      ),
    );

  router
    .route('/:id')
    .get(readEndpoint({ scope: READ, query: NO_QUERY, handle: (call) => retrieve(dependencies, call) }))
    .patch(
      writeEndpoint(
        {
          scope: WRITE,
          body: amendPaymentIntentBody,
          newResourceId: newPaymentMethodId,
          handle: (call, run) => amendPaymentIntent(dependencies, call, run),
        },
        dependencies,
      ),
    );

  router.post(
    '/:id/confirm',
    writeEndpoint(
      {
        scope: WRITE,
        body: confirmPaymentIntentBody,
        newResourceId: newPaymentMethodId,
        handle: (call, run) => confirmPaymentIntent(dependencies, call, run),
      },
      dependencies,
    ),
  );

  router.post(
    '/:id/cancel',
    writeEndpoint(
      {
        scope: WRITE,
        body: cancelPaymentIntentBody,
        newResourceId: newPaymentMethodId,
        handle: (call, run) => cancelPaymentIntent(dependencies, call, run),
      },
      dependencies,
    ),
  );

  router.get(
    '/:id/timeline',
    readEndpoint({ scope: READ, query: NO_QUERY, handle: (call) => readTimeline(dependencies, call) }),
  );

  return router;
}

async function list(
  { database }: PaymentIntentDependencies,
  { access, query }: Call<undefined, ListPaymentIntents>,
): Promise<Answer> {
  const { intents, total } = await listIntents(database, access, query);
  const resources = intents.map((stored) => presentPaymentIntent(stored, stored.paymentMethod?.masked ?? null));
  return answerWithPage(resources, { page: query.page, limit: query.limit, total });
}

async function retrieve(
  { database }: PaymentIntentDependencies,
  { access, id }: Call<undefined, unknown>,
): Promise<Answer> {
  return answerWithIntent(await readIntent(database, access, id));
}
