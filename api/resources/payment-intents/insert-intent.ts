import { formatMoney } from '../../../domain/money.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { insertIntent as insert, type IntentRow } from '../../../prisma/queries/payment-intent.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { CreatePaymentIntent } from '../../../contract/schemas/payment-intent-requests.ts';

/** When the sweeper first checks that the workflow was started; a confirm before then postpones the check. */
const CHECK_CREATED_AFTER_MS = 8 * SECOND_MS;

export interface NewIntent {
  readonly id: string;
  readonly principal: Principal;
  readonly request: CreatePaymentIntent;
  readonly country: string | null;
  readonly paymentMethodId: string | null;
  readonly clientSecretHash: string;
}

/**
 * Writes an intent with its first timeline entry and its first event, in one statement.
 * @returns undefined when the intent exists already, or its customer no longer does; nothing is written then
 */
export async function insertIntent(
  database: Database,
  { id, principal, request, country, paymentMethodId, clientSecretHash }: NewIntent,
): Promise<IntentRow | undefined> {
  const { amount: amountMinor, currency, captureMethod } = request;
  const createdAt = new Date();
  const inserted = await database.direct.row(
    insert({
      id,
      merchantAccountId: principal.merchantAccountId,
      environment: principal.environment,
      terms: { amountMinor, currency, country, captureMethod, reference: request.reference ?? null },
      description: request.description ?? null,
      customerId: request.customerId ?? null,
      setupFutureUsage: request.setupFutureUsage ?? null,
      allowSavedPaymentMethods: request.allowSavedPaymentMethods,
      paymentMethodId,
      returnUrl: request.returnUrl ?? null,
      metadata: request.metadata,
      clientSecretHash,
      attemptBudget: principal.attemptBudget,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + request.expiresInSeconds * SECOND_MS),
      checkAt: new Date(createdAt.getTime() + CHECK_CREATED_AFTER_MS),
      summary: `Created: ${formatMoney(amountMinor, currency)}, ${captureMethod} capture`,
    }),
  );
  return inserted?.intent;
}
