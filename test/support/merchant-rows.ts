import assert from 'node:assert/strict';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import { eventually } from './eventually.ts';
import type { TestMerchant } from './merchants.ts';
import { deliveryIdOf } from './webhook-rows.ts';
import { createPayment } from './payments.ts';
import { SIMULATOR_ACCOUNT } from './provider-accounts.ts';
import { clientOf } from './resources.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { Answer } from './signed-request.ts';
import { queryStack } from './stack-database.ts';

/** The ids of a merchant with a row of every resource, created over REST. */
export interface MerchantRows {
  readonly merchant: TestMerchant;
  readonly customerId: string;
  readonly customerEmail: string;
  /** Paid by the customer, and refunded in part. */
  readonly paidIntentId: string;
  /** The card with which it was paid. */
  readonly savedMethodId: string;
  readonly captureId: string;
  readonly refundId: string;
  /** Of the paid intent. */
  readonly disputeId: string;
  readonly settlementId: string;
  /** An exception of the settlement. */
  readonly settlementEntryId: string;
  /** Not paid yet. */
  readonly openIntentId: string;
  readonly clientSecret: string;
  readonly eventId: string;
  readonly apiKeyId: string;
  /** The creation of the key. */
  readonly auditEventId: string;
  readonly reconciliationRunId: string;
  /** A request in the request log. */
  readonly requestId: string;
  /** A further account of the merchant. */
  readonly accountId: string;
  readonly providerAccountId: string;
  readonly routeId: string;
  readonly cardGroupId: string;
  readonly routeSetId: string;
  readonly paymentLinkId: string;
  /** An endpoint without deliveries. */
  readonly webhookEndpointId: string;
}

const one = z.looseObject({ data: z.looseObject({ id: z.string() }) });
const refundState = z.looseObject({ data: z.looseObject({ status: z.string() }) });
const several = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })).min(1) });

/** An endpoint that subscribes to no ordinary event; production accepts public addresses only. */
function quietEndpoint({ credentials }: TestMerchant): object {
  const isProduction = credentials.apiKey.startsWith('svc_live_');
  const url = isProduction ? 'https://1.1.1.1/hooks' : 'http://127.0.0.1:9/hooks';
  return { url, enabledEvents: ['webhook_endpoint.disabled'] };
}

/** Creates a row of every resource for a merchant with routes; resolves when no background work changes the rows any more. */
export async function createRows(merchant: TestMerchant): Promise<MerchantRows> {
  const { credentials, merchantAccountId } = merchant;
  const send = clientOf(credentials);
  const customerEmail = `${merchantAccountId}@example.com`;
  const customerId = idOf(await send('POST', '/customers', { name: 'Zaphira', email: customerEmail, country: 'DE' }));
  const paid = await createPayment({ customerId, setupFutureUsage: 'on_session' }, credentials);
  await paid.confirm(card('approved'));
  await paid.reach('succeeded');
  const refunded = await send('POST', '/refunds', { paymentIntentId: paid.id, amount: 500 });
  const requestId = refunded.headers.get('x-request-id') ?? '';
  const open = await createPayment({}, credentials);
  const rows = {
    merchant,
    customerId,
    customerEmail,
    paidIntentId: paid.id,
    savedMethodId: await findSavedMethod(merchant, customerId),
    captureId: firstIdOf(await send('GET', `/transactions?paymentIntentId=${paid.id}&type=capture`)),
    refundId: idOf(refunded),
    requestId,
    openIntentId: open.id,
    clientSecret: open.created.clientSecret,
    apiKeyId: idOf(await send('POST', '/api-keys', { name: 'Spare', scopes: ['customers:read'] })),
    accountId: idOf(await send('POST', '/merchants', { name: 'Spare' })),
    providerAccountId: idOf(await send('POST', '/provider-accounts', SIMULATOR_ACCOUNT)),
    routeId: await findRoute(merchant),
    cardGroupId: idOf(await send('POST', '/card-groups', { name: 'Corporate cards', prefixes: ['411111'] })),
    routeSetId: idOf(await send('POST', '/route-sets', {})),
    paymentLinkId: idOf(await send('POST', '/payment-links', { amount: 1_000, currency: 'USD' })),
    webhookEndpointId: idOf(await send('POST', '/webhook-endpoints', quietEndpoint(merchant))),
  };
  // As if the spare key had made it, so that it has made something.
  await queryStack('UPDATE payment_link SET created_by_key_id = $1 WHERE id = $2', [rows.apiKeyId, rows.paymentLinkId]);
  await eventually(async () => {
    const { status } = refundState.parse((await send('GET', `/refunds/${rows.refundId}`)).body).data;
    assert.equal(status, 'succeeded');
  });
  await eventsAreNumbered(merchantAccountId);
  const eventId = firstIdOf(await send('GET', `/events?resourceId=${paid.id}`));
  await insertDelivery(eventId, rows.webhookEndpointId);
  const auditEventId = firstIdOf(await send('GET', `/audit-events?resourceId=${rows.apiKeyId}`));
  await eventually(async () => assert.equal((await send('GET', `/requests/${requestId}`)).status, 200));
  const reconciliationRunId = await insertReconciliation(merchantAccountId);
  const disputeId = await insertDispute(paid.id);
  const settled = await insertSettlement(merchantAccountId);
  return { ...rows, ...settled, eventId, auditEventId, reconciliationRunId, disputeId };
}

/** The saved card of a customer, once its provider has issued a token. */
async function findSavedMethod({ credentials }: TestMerchant, customerId: string): Promise<string> {
  return eventually(async () => {
    const answer = await clientOf(credentials)('GET', `/payment-methods?customerId=${customerId}`);
    assert.match(JSON.stringify(answer.body), /"provider_token","status":"active"/);
    return firstIdOf(answer);
  });
}

/** Inserts an ended delivery, because a real one would send a request. */
async function insertDelivery(eventId: string, webhookEndpointId: string): Promise<void> {
  await queryStack(
    `INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
       position, status, finished_at)
     SELECT $3, id, $2, merchant_account_id, environment, type, position, 'delivered', now() FROM event WHERE id = $1`,
    [eventId, webhookEndpointId, deliveryIdOf(eventId, webhookEndpointId)],
  );
}

/** Inserts a dispute that blocks nothing, because a real one would arrive seconds later. */
async function insertDispute(paymentIntentId: string): Promise<string> {
  const id = newId('dispute');
  await queryStack(
    `INSERT INTO dispute (id, payment_intent_id, attempt_id, merchant_account_id, environment, provider, provider_reference,
       stage, status, reason, reports, outcome_at, created_at, updated_at)
     SELECT $1, i.id, a.id, i.merchant_account_id, i.environment, a.provider, 'simdp_1', 'inquiry', 'closed', 'general', '[]',
       now(), now(), now()
     FROM payment_intent i JOIN payment_attempt a ON a.payment_intent_id = i.id WHERE i.id = $2`,
    [id, paymentIntentId],
  );
  await queryStack(
    `INSERT INTO dispute_file (dispute_id, kind, merchant_account_id, environment, content_type, size_bytes, key_id, ciphertext)
     SELECT d.id, 'receipt', d.merchant_account_id, d.environment, 'application/pdf', 8, k.salt_key_id, ''
     FROM dispute d CROSS JOIN (SELECT salt_key_id FROM api_key WHERE salt_key_id IS NOT NULL LIMIT 1) AS k WHERE d.id = $1`,
    [id],
  );
  return id;
}

/** Inserts an ended run, because a real one would compare the payments of all other tests too. */
async function insertReconciliation(merchantAccountId: string): Promise<string> {
  const id = newId('reconciliationRun');
  await queryStack(
    `WITH run AS (
       INSERT INTO reconciliation_run (id, provider, window_from, window_to, is_continuous, status, finished_at)
       VALUES ($1, 'alpha', now() - interval '1 hour', now(), false, 'completed', now()) RETURNING id
     )
     INSERT INTO reconciliation_account (run_id, merchant_account_id, environment, compared, repaired, reported, created_at)
     SELECT run.id, a.id, a.environment, 1, 0, 0, now() FROM run, merchant_account a WHERE a.id = $2`,
    [id, merchantAccountId],
  );
  return id;
}

/** Inserts a settlement with an exception, because a real import would read those of all other tests too. */
export async function insertSettlement(
  merchantAccountId: string,
): Promise<Pick<MerchantRows, 'settlementId' | 'settlementEntryId'>> {
  const [settlementId, settlementEntryId] = [newId('settlement'), newId('settlementEntry')];
  await queryStack(
    `INSERT INTO settlement (id, merchant_account_id, environment, provider, provider_reference, status, currency,
       net_amount_minor, is_shared, entries_total, entries_exceptions, source, imported_at, created_at, updated_at)
     SELECT $1, id, environment, 'alpha', $1, 'paid', 'USD', 941, true, 1, 1, 'api', now(), now(), now()
     FROM merchant_account WHERE id = $2`,
    [settlementId, merchantAccountId],
  );
  await queryStack(
    `INSERT INTO settlement_entry (id, settlement_id, merchant_account_id, environment, provider, type, provider_type,
       provider_reference, amount_minor, fee_minor, net_minor, currency, occurred_at, match, created_at, updated_at)
     SELECT $1, id, merchant_account_id, environment, provider, 'other', 'adjustment', $1, 1000, 59, 941, 'USD', now(), 'unknown',
       now(), now()
     FROM settlement WHERE id = $2`,
    [settlementEntryId, settlementId],
  );
  return { settlementId, settlementEntryId };
}

function idOf({ status, body }: Answer): string {
  assert.equal(status, 201, JSON.stringify(body));
  return one.parse(body).data.id;
}

function firstIdOf({ body }: Answer): string {
  return several.parse(body).data[0]?.id ?? '';
}

async function findRoute({ merchantAccountId }: TestMerchant): Promise<string> {
  const [route] = await queryStack<{ id: string }>(
    `SELECT r.id FROM payment_route r
     JOIN merchant_account a ON a.merchant_id = r.merchant_id AND a.environment = r.environment
     WHERE a.id = $1 ORDER BY r.id LIMIT 1`,
    [merchantAccountId],
  );
  assert.ok(route, 'the merchant has no routes');
  return route.id;
}

function eventsAreNumbered(merchantAccountId: string): Promise<void> {
  return eventually(async () => {
    const waiting = await queryStack('SELECT id FROM event WHERE merchant_account_id = $1 AND sequence IS NULL', [
      merchantAccountId,
    ]);
    assert.equal(waiting.length, 0);
  });
}
