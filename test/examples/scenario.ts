import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { reconciliationRunResource } from '../../contract/schemas/reconciliation.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { newId } from '../../domain/new-id.ts';
import { SUPPORT_SCOPE } from '../../domain/scopes.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { FAILURES_UNTIL_FAILING } from '../../domain/webhook.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { CARD_NUMBERS, type CardName, crypto, upi } from '../../sandbox/test-payment-methods.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { setFaults, settle } from '../support/ledger.ts';
import { createPayment, PREFER_ASYNC } from '../support/payments.ts';
import { importSettlementsNow, simulateSettlements } from '../support/import-settlements-now.ts';
import { reconcileNow } from '../support/reconcile-now.ts';
import { clientOf, resourcePageOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir, getStack } from '../support/stack.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { EXPIRY_YEAR, type Origins } from './normalise.ts';
import type { Recorder } from './recorder.ts';

/** Events that take minutes to come. */
const SLOW_EVENTS: readonly EventType[] = [
  'payment_intent.stray_charge_reversed',
  'payment_intent.expired',
  'payment_intent.stuck',
  'payment_intent.waiting_for_provider',
  'refund.waiting_for_provider',
];
const CUSTOMER = {
  reference: 'CUSTOMER-77',
  name: 'A. Customer',
  email: 'customer@example.com',
  country: 'DE',
  metadata: { number: '77' },
};
const MANUAL = { amount: 250_000, currency: 'JPY', captureMethod: 'manual', expiresInSeconds: 3_600 };
const REFERENCE = 'ORDER-1042';
/** No address: the customer pays by link or QR code. */
const UPI_BY_LINK = { type: 'upi', upi: {} };
const INDIA = { amount: 5_000, currency: 'INR', country: 'IN' };

function cardOf(name: CardName) {
  const number = CARD_NUMBERS[name];
  return { type: 'card', card: { number, expiryMonth: 12, expiryYear: EXPIRY_YEAR, cvc: '123' } } as const;
}

const one = z.looseObject({ data: z.looseObject({ id: z.string() }) });
const several = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })).min(1) });

const activatedSet = z.looseObject({ data: z.looseObject({ replacedSetId: z.string() }) });

function idOf({ body }: Answer): string {
  return one.parse(body).data.id;
}

function firstIdOf({ body }: Answer): string {
  return several.parse(body).data[0]?.id ?? '';
}

/** The providers of this recording, by the origins that stand for them, and the key of the one that has an account. */
export async function originsOfProviders(): Promise<Origins> {
  const { simulators } = getStack().sandbox;
  const origins = simulators.map(({ name, url }) => [new URL(url).origin, `https://${name}.example`] as const);
  const { alpha } = (await provideSecrets(getDataDir())).simulators;
  return Object.fromEntries([...origins, [alpha.apiKey, 'masked']]);
}

/** Runs every operation of the API, and receives an event of each type that comes soon. */
export async function recordOperations(recorder: Recorder): Promise<void> {
  const receiver = await startReceiver();
  try {
    const merchant = await createMerchant();
    await recordPublicOperations(recorder);
    await recordSettings(recorder, await createMerchant());
    await recordCustomers(recorder, await createMerchant());
    await recordPaymentLinks(recorder, await createMerchant());
    await recordEndpoints(recorder, merchant, receiver);
    await recordPayments(recorder, merchant);
    await recordSavedMethods(recorder, merchant);
    await recordMoney(recorder, merchant);
    await recordRequests(recorder, await createMerchant());
    await recordHealth(recorder, await createMerchant());
    await recordStatistics(recorder, await createMerchant());
    await recordTestClock(recorder, await createMerchant());
    await recordReconciliation(recorder, merchant);
    await recordEvents(recorder, merchant, receiver);
  } finally {
    await receiver.close();
  }
}

async function recordPublicOperations(recorder: Recorder): Promise<void> {
  const { baseUrl } = getStack().sandbox;
  for (const [operationId, path, summary] of [
    ['getHealth', '/healthz', 'The process is up'],
    ['getReadiness', '/readyz', 'The process and what it depends on are up'],
  ] as const) {
    const response = await fetch(`${baseUrl}${path}`);
    const { status } = response;
    recorder.keep(operationId, 'ok', { summary, request: { path }, response: { status, body: await response.json() } });
  }
  const path = '/openapi.json';
  const document = z.object({ openapi: z.string(), info: z.object({ title: z.string(), version: z.string() }) });
  const body = document.parse(await (await fetch(`${baseUrl}${path}`)).json());
  const summary = 'The beginning of this document';
  recorder.keep('getOpenApiDocument', 'beginning', { summary, request: { path }, response: { status: 200, body } });
  await recordProviderWebhook(recorder, baseUrl);
}

/** A provider reports an outcome: here of a payment that it accepted without one. */
async function recordProviderWebhook(recorder: Recorder, baseUrl: string): Promise<void> {
  const { alpha } = (await provideSecrets(getDataDir())).simulators;
  const payment = await createPayment({}, (await createMerchant()).credentials);
  await payment.confirm(cardOf('silent'), PREFER_ASYNC);
  const id = `sim_${payment.id.slice('pi_'.length)}`;
  const data = {
    id,
    reference: attemptIdOf(payment.id, 1),
    amount: payment.created.amount,
    currency: payment.created.currency,
    amountCaptured: payment.created.amount,
    status: 'captured',
  };
  const body = { id, type: 'payment.updated', data };
  const path = '/api/v1/providers/alpha/webhooks';
  const at = new Date();
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(alpha.webhookSecret).sign(id, at, JSON.stringify(body)),
    },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  recorder.keep('receiveProviderWebhook', 'captured', {
    summary: 'A payment was captured',
    request: { path, body },
    response: { status: 200, body: await response.json() },
  });
}

type Send = (
  operationId: string,
  name: Parameters<Recorder['send']>[1],
  parts?: Parameters<Recorder['send']>[3],
) => Promise<Answer>;

/** Accounts, API keys, accounts at providers, routes, limits and the audit log of one merchant. */
async function recordSettings(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const send: Send = (operationId, name, parts) => recorder.send(operationId, name, credentials, parts);
  await recordMerchantAccounts(send);
  await recordApiKeys(send);
  await recordProviderAccounts(send);
  await recordPaymentRoutes(send);
  await recordCardGroups(send);
  await recordRouteSets(send);
  await recordRoutingSettings(send);
  await recordChannelLimits(send);
  await recordAuditEvents(send);
}

async function recordMerchantAccounts(send: Send): Promise<void> {
  await send('createMerchantAccount', ['minimal', 'Required fields only'], { body: { name: 'Lamps' } });
  const fields = { name: 'Shades', retryBudget: 3, refundWindowDays: 365, requireIdempotencyKeys: true };
  const account = {
    id: idOf(await send('createMerchantAccount', ['full', 'Few attempts, a long refund window'], { body: fields })),
  };
  await send('listMerchantAccounts', ['page', 'The newest account'], { query: { limit: '1' } });
  await send('getMerchantAccount', ['account', 'An account'], { parameters: account });
  await send('updateMerchantAccount', ['renamed', 'Another name'], {
    parameters: account,
    body: { name: 'Lamps and shades' },
  });
  await send('suspendMerchantAccount', ['suspended', 'The account is suspended'], { parameters: account, body: {} });
  await send('activateMerchantAccount', ['activated', 'The account is active again'], {
    parameters: account,
    body: {},
  });
}

async function recordApiKeys(send: Send): Promise<void> {
  const reader = { name: 'Reports', scopes: ['payment-intents:read'] };
  const key = { id: idOf(await send('createApiKey', ['reader', 'A key that only reads'], { body: reader })) };
  const shop = {
    name: 'Shop',
    scopes: ['payment-intents:read', 'payment-intents:write'],
    expiresAt: `${EXPIRY_YEAR}-01-01T00:00:00.000Z`,
    ipAllowlist: ['203.0.113.7', '2001:db8::/32'],
    ipRestricted: true,
    signatureVersion: 2,
  };
  await send('createApiKey', ['restricted', 'Restricted to addresses, with an expiry, on signature version 2'], {
    body: shop,
  });
  await send('listApiKeys', ['page', 'The newest key'], { query: { limit: '1' } });
  await send('getApiKey', ['key', 'An API key'], { parameters: key });
  await send('updateApiKey', ['renamed', 'Another name'], { parameters: key, body: { name: 'Old reports' } });
  await send('listApiKeyCreatedResources', ['none', 'Nothing that still stands'], { parameters: key });
  const rotation = { parameters: key, body: { overlapSeconds: 3_600 } };
  const newKey = { id: idOf(await send('rotateApiKey', ['hour', 'Both keys are valid for an hour'], rotation)) };
  await send('revokeApiKey', ['revoked', 'The key is revoked'], { parameters: newKey, body: {} });
}

async function recordProviderAccounts(send: Send): Promise<void> {
  const { alpha } = (await provideSecrets(getDataDir())).simulators;
  const { apiKey, webhookSecret } = alpha;
  const body = { kind: 'simulator', name: 'Main', credentials: { apiKey: 'mistyped', webhookSecret } };
  const account = {
    id: idOf(await send('createProviderAccount', ['simulator', 'An account at the simulator'], { body })),
  };
  const test = (...example: Parameters<Send>[1]) =>
    send('testProviderAccount', example, { parameters: account, body: {} });
  await test('wrong', 'The provider refuses the credentials');
  const rotation = { parameters: account, body: { credentials: { apiKey, webhookSecret } } };
  await send('rotateProviderAccountCredentials', ['rotated', 'Other credentials'], rotation);
  await test('right', 'The credentials work');
  await send('getProviderKinds', ['kinds', 'The providers and their credentials'], {});
  await send('listProviderAccounts', ['page', 'The newest account'], { query: { limit: '1' } });
  await send('getProviderAccount', ['account', 'An account'], { parameters: account });
  await send('updateProviderAccount', ['disabled', 'Switched off'], {
    parameters: account,
    body: { status: 'disabled' },
  });
  await send('deleteProviderAccount', ['deleted', 'The account is deleted'], { parameters: account });
}

async function recordPaymentRoutes(send: Send): Promise<void> {
  const payment = { amount: 1_999, currency: 'EUR', paymentMethod: 'card', country: 'DE' };
  await send('simulatePaymentRoutes', ['routed', 'A payment that two routes take'], { body: payment });
  const refused = { body: { ...payment, paymentMethod: 'upi' } };
  await send('simulatePaymentRoutes', ['refused', 'A payment that no route takes'], refused);
  const minimal = { provider: 'beta', paymentMethod: 'card' };
  await send('createPaymentRoute', ['minimal', 'For every currency and country'], { body: minimal });
  const narrow = {
    provider: 'alpha',
    paymentMethod: 'card',
    currencies: ['EUR'],
    countries: ['AT', 'DE'],
    priority: 10,
    weight: 3,
  };
  const route = {
    id: idOf(await send('createPaymentRoute', ['narrow', 'First choice in two countries'], { body: narrow })),
  };
  await send('listPaymentRoutes', ['page', 'The newest route for cards'], {
    query: { paymentMethod: 'card', limit: '1' },
  });
  await send('getPaymentRoute', ['route', 'A route'], { parameters: route });
  await send('updatePaymentRoute', ['paused', 'Deactivated'], { parameters: route, body: { active: false } });
  await send('deletePaymentRoute', ['deleted', 'The route is deleted'], { parameters: route });
}

async function recordCardGroups(send: Send): Promise<void> {
  const body = { name: 'Corporate cards', prefixes: ['411111', '55555544'] };
  const group = { id: idOf(await send('createCardGroup', ['group', 'Two prefixes'], { body })) };
  await send('listCardGroups', ['page', 'The newest group'], { query: { limit: '1' } });
  await send('getCardGroup', ['group', 'A group'], { parameters: group });
  await send('updateCardGroup', ['renamed', 'Another name'], { parameters: group, body: { name: 'Business cards' } });
  await send('deleteCardGroup', ['deleted', 'The group is deleted'], { parameters: group });
}

async function recordRouteSets(send: Send): Promise<void> {
  const create = [{ provider: 'beta', paymentMethod: 'card', priority: 50, currencies: ['EUR'], active: false }];
  const body = { description: 'Euros to beta first', create };
  const set = { id: idOf(await send('createRouteSet', ['proposed', 'A route more'], { body })) };
  await send('listRouteSets', ['page', 'The newest set'], { query: { limit: '1' } });
  await send('getRouteSet', ['set', 'A set, and what it would change'], { parameters: set });
  await send('backTestRouteSet', ['tested', 'The payments of a day, planned again'], {
    parameters: set,
    body: { days: 1, limit: 100 },
  });
  const activated = await send('activateRouteSet', ['activated', 'Payments take its routes'], {
    parameters: set,
    body: {},
  });
  const { replacedSetId } = activatedSet.parse(activated.body).data;
  await send('activateRouteSet', ['returned', 'Payments take the routes from before again'], {
    parameters: { id: replacedSetId },
    body: {},
  });
}

async function recordRoutingSettings(send: Send): Promise<void> {
  const parameters = { paymentMethod: 'card' };
  const body = { ordering: 'approval_rate', explorationShare: 0.1 };
  await send('putRoutingSetting', ['approval', 'By approval rate'], { parameters, body });
  await send('getRoutingSetting', ['setting', 'The order of routes for cards'], { parameters });
}

async function recordChannelLimits(send: Send): Promise<void> {
  const limit = { paymentMethod: 'card', currency: 'EUR' };
  const bounds = { minimumAmount: 100, maximumAmount: 500_000 };
  await send('putChannelLimit', ['bounds', 'Both bounds'], { parameters: limit, body: bounds });
  await send('listChannelLimits', ['page', 'The limit of cards in euros'], { query: limit });
  await send('deleteChannelLimit', ['deleted', 'The limit is deleted'], { parameters: limit });
}

async function recordAuditEvents(send: Send): Promise<void> {
  const changes = await send('listAuditEvents', ['page', 'Who created accounts'], {
    query: { action: 'merchant_account.created', limit: '1' },
  });
  await send('getAuditEvent', ['change', 'Who created an account'], { parameters: { id: firstIdOf(changes) } });
}

async function recordCustomers(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const customer = {
    id: idOf(
      await recorder.send('createCustomer', ['customer', 'A customer in Germany'], credentials, { body: CUSTOMER }),
    ),
  };
  await recorder.send('listCustomers', ['found', 'The customer with an e-mail address'], credentials, {
    query: { email: CUSTOMER.email },
  });
  await recorder.send('getCustomer', ['customer', 'A customer'], credentials, { parameters: customer });
  await recorder.send('updateCustomer', ['moved', 'To another country'], credentials, {
    parameters: customer,
    body: { country: 'AT' },
  });
  await recorder.send('replaceCustomer', ['replaced', 'All data of a customer'], credentials, {
    parameters: customer,
    body: { ...CUSTOMER, phone: '+49 30 901820' },
  });
  await recorder.send('deleteCustomer', ['deleted', 'The customer is deleted'], credentials, { parameters: customer });
}

const SAVING = { amount: 1_999, currency: 'EUR', setupFutureUsage: 'off_session', confirm: true } as const;
const CONSENT = { text: 'I agree that Lamps may charge this card for my subscription.', ipAddress: '203.0.113.7' };

/** Saves two cards of a customer; one loses what it can be charged by, the other one is removed. */
async function recordSavedMethods(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const send: Send = (operationId, name, parts) => recorder.send(operationId, name, credentials, parts);
  const customerId = idOf(await clientOf(credentials)('POST', '/customers', CUSTOMER));
  const saving = { ...SAVING, customerId, consent: CONSENT };
  await send('createPaymentIntent', ['saving', 'Paid at once, and the card is saved for the customer'], {
    body: { ...saving, paymentMethod: cardOf('approved') },
  });
  const list = { query: { customerId } };
  await eventually(async () => {
    const { body } = await clientOf(credentials)('GET', `/payment-methods?customerId=${customerId}`);
    assert.match(JSON.stringify(body), /"provider_token","status":"active"/);
  });
  const method = { id: firstIdOf(await send('listSavedPaymentMethods', ['customer', "A customer's cards"], list)) };
  await send('getSavedPaymentMethod', ['card', 'A saved card'], { parameters: method });
  await send('updateSavedPaymentMethod', ['default', "The customer's preferred card"], {
    parameters: method,
    body: { isDefault: true },
  });
  await payWithSaved(send, { customerId, paymentMethodId: method.id });
  await loseCredentials(credentials, { ...saving, paymentMethod: cardOf('threeDSecure') });
  await send('removeSavedPaymentMethod', ['removed', 'The card is removed'], { parameters: method });
}

/** A payment whose page may use saved cards, and a renewal without the customer. */
async function payWithSaved(
  send: Send,
  saved: { readonly customerId: string; readonly paymentMethodId: string },
): Promise<void> {
  const { customerId } = saved;
  const terms = { amount: 1_999, currency: 'EUR', customerId };
  const opened = idOf(
    await send('createPaymentIntent', ['returning', "A payment whose page may use the customer's saved cards"], {
      body: { ...terms, allowSavedPaymentMethods: true },
    }),
  );
  await send('listUsableSavedPaymentMethods', ['customer', "The customer's saved cards"], {
    parameters: { id: opened },
  });
  await send('createPaymentIntent', ['renewal', 'A renewal, without the customer'], {
    body: { ...terms, ...saved, confirm: true, offSession: 'recurring', expiresInSeconds: 86_400 },
  });
}

/** A saved card without its number, whose provider issues no token within a day. */
async function loseCredentials(credentials: Credentials, body: object): Promise<void> {
  const payment = z
    .looseObject({ data: z.looseObject({ id: z.string() }) })
    .parse(
      (await clientOf(credentials)('POST', '/payment-intents', { ...body, returnUrl: 'https://shop.example' })).body,
    );
  await settle('alpha', payment.data.id, 'approved');
  await eventually(async () => {
    const rows = await queryStack(
      `WITH lost AS (
         UPDATE saved_payment_method SET ciphertext = NULL, key_id = NULL, next_due_at = now()
         WHERE initial_payment_intent_id = $1 RETURNING id
       )
       UPDATE saved_payment_method_credential SET attempt_id = 'att_none', status = 'pending', ciphertext = NULL, key_id = NULL,
         updated_at = now() - interval '2 days'
       FROM lost WHERE saved_payment_method_id = lost.id RETURNING lost.id`,
      [payment.data.id],
    );
    assert.equal(rows.length, 1);
  });
}

async function recordPaymentLinks(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const send: Send = (operationId, name, parts) => recorder.send(operationId, name, credentials, parts);
  const donation = { amount: 500, currency: 'EUR', description: 'Donation', maxPayments: null };
  await send('createPaymentLink', ['donation', 'Any number of payments'], { body: donation });
  const invoice = {
    amount: 4_900,
    currency: 'EUR',
    description: 'Reading lamp',
    reference: REFERENCE,
    expiresAt: `${EXPIRY_YEAR}-01-01T00:00:00.000Z`,
  };
  const link = {
    id: idOf(await send('createPaymentLink', ['once', 'An invoice, to be paid once'], { body: invoice })),
  };
  await send('listPaymentLinks', ['found', 'The link of an invoice'], { query: { reference: REFERENCE } });
  await send('getPaymentLink', ['link', 'A payment link'], { parameters: link });
  await send('updatePaymentLink', ['inactive', 'Nobody can pay any more'], {
    parameters: link,
    body: { active: false },
  });
}

/** Ends with one endpoint that receives every event. */
async function recordEndpoints(
  recorder: Recorder,
  { credentials }: TestMerchant,
  { url }: WebhookReceiver,
): Promise<void> {
  const some = {
    url,
    description: 'Orders',
    enabledEvents: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'refund.succeeded'],
  };
  const created = await recorder.send('createWebhookEndpoint', ['some', 'Only some types of events'], credentials, {
    body: some,
  });
  const parameters = { id: idOf(created) };
  await recorder.send('listWebhookEndpoints', ['page', 'All endpoints'], credentials);
  await recorder.send('getWebhookEndpoint', ['endpoint', 'An endpoint'], credentials, { parameters });
  await recorder.send('updateWebhookEndpoint', ['paused', 'Disabled'], credentials, {
    parameters,
    body: { active: false },
  });
  await recorder.send('deleteWebhookEndpoint', ['deleted', 'The endpoint is deleted'], credentials, { parameters });
  const all = await recorder.send('createWebhookEndpoint', ['all', 'Every type of event'], credentials, {
    body: { url },
  });
  const endpoint = { parameters: { id: idOf(all) } };
  const overlap = { ...endpoint, body: { overlapSeconds: 3_600 } };
  await recorder.send(
    'rotateWebhookEndpointSecret',
    ['hour', 'Both secrets are valid for an hour'],
    credentials,
    overlap,
  );
  await recorder.send('testWebhookEndpoint', ['test', 'A test event is on its way'], credentials, {
    ...endpoint,
    body: {},
  });
}

async function recordPayments(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const create = async (name: Parameters<Recorder['send']>[1], body: object) => ({
    id: idOf(await recorder.send('createPaymentIntent', name, credentials, { body })),
  });
  const created = async (terms: object) => ({ id: (await createPayment(terms, credentials)).id });
  const confirm = (name: Parameters<Recorder['send']>[1], parameters: { readonly id: string }, paymentMethod: object) =>
    recorder.send('confirmPaymentIntent', name, credentials, { parameters, body: { paymentMethod } });

  const minimal = await create(['minimal', 'Required fields only'], { amount: 1_999, currency: 'EUR' });
  const order = {
    amount: 1_999,
    currency: 'EUR',
    country: 'DE',
    reference: REFERENCE,
    description: 'A lamp',
    metadata: { order: '1042' },
  };
  const paid = await create(['confirmed', 'Created and paid at once'], {
    ...order,
    paymentMethod: cardOf('approved'),
    confirm: true,
  });
  await create(['held', 'Authorized only, to be captured later'], MANUAL);
  const wrong = { body: { amount: 0.5, currency: 'EURO' } };
  await recorder.send('createPaymentIntent', ['invalid', 'Two fields are not valid', 422], credentials, wrong);

  await recorder.send('listPaymentIntents', ['succeeded', 'The newest payment that succeeded'], credentials, {
    query: { status: 'succeeded', limit: '1' },
  });
  await recorder.send('listPaymentIntents', ['found', 'The payment with a reference'], credentials, {
    query: { reference: REFERENCE, 'metadata[order]': order.metadata.order, last4: '4242' },
  });
  await recorder.send('getPaymentIntent', ['paid', 'A payment that succeeded'], credentials, { parameters: paid });
  await recorder.send('getPaymentIntentTimeline', ['paid', 'A payment that succeeded at once'], credentials, {
    parameters: paid,
  });
  const update = (name: string, summary: string, body: object) =>
    recorder.send('updatePaymentIntent', [name, summary], credentials, { parameters: minimal, body });
  await update('amount', 'Another amount', { amount: 2_499 });
  await update('cleared', 'Null clears a field', { description: null });

  await confirm(['card', 'A card that is approved'], minimal, cardOf('approved'));
  await confirm(['paid', 'The payment has succeeded already', 409], minimal, cardOf('approved'));
  await confirm(['declined', 'A card that is declined', 400], await created(order), cardOf('declined'));
  await confirm(['redirect', 'A card that needs 3-D Secure'], await created(order), cardOf('threeDSecure'));
  await confirm(['upi', 'UPI, for INR in India'], await created(INDIA), upi('pending'));
  await confirm(['upiByLink', 'UPI by link or QR code'], await created(INDIA), UPI_BY_LINK);
  const unpaid = { ...order, metadata: { scenario: 'unpaid' } };
  await confirm(['crypto', 'A crypto deposit, for USD and EUR'], await created(unpaid), crypto('USDC', 'ethereum'));

  const stored = await created(order);
  const paymentMethodId = idOf(
    await recorder.send('createPaymentMethod', ['card', 'A card, to be confirmed by its id'], credentials, {
      parameters: stored,
      body: { paymentMethod: cardOf('approved') },
    }),
  );
  await recorder.send('confirmPaymentIntent', ['stored', 'A payment method that was stored before'], credentials, {
    parameters: stored,
    body: { paymentMethodId },
  });

  const left = { parameters: await created(order), body: { reason: 'abandoned' } };
  await recorder.send('cancelPaymentIntent', ['abandoned', 'The customer left'], credentials, left);
  const done = { parameters: paid, body: {} };
  await recorder.send('cancelPaymentIntent', ['paid', 'A payment that has succeeded', 409], credentials, done);
}

async function recordMoney(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const paidBy = async (card: CardName, terms: object = {}) => {
    const payment = await createPayment({ currency: 'EUR', ...terms }, credentials);
    assert.equal((await payment.confirm(cardOf(card))).status, 200);
    return payment.id;
  };
  const capture = async (name: string, summary: string, body: object) => {
    const parameters = { id: await paidBy('approved', { captureMethod: 'manual' }) };
    await recorder.send('capturePaymentIntent', [name, summary], credentials, { parameters, body });
    return parameters.id;
  };
  const paymentIntentId = await capture('all', 'The whole authorized amount', {});
  await capture('part', 'A part; the rest is released', { amount: 1_000 });
  const captures = { query: { paymentIntentId, type: 'capture' } };
  const listed = await recorder.send(
    'listTransactions',
    ['captures', 'The capture of a payment'],
    credentials,
    captures,
  );
  const transactionId = firstIdOf(listed);
  await recorder.send('getTransaction', ['capture', 'A capture'], credentials, { parameters: { id: transactionId } });

  const part = { body: { paymentIntentId, amount: 500 } };
  const refunded = await recorder.send('createRefund', ['part', 'A part'], credentials, part);
  const rest = { transactionId, reason: 'requested_by_customer', reference: 'RETURN-8', metadata: { case: '8' } };
  await recorder.send('createRefund', ['rest', 'The whole remaining amount'], credentials, { body: rest });
  const again = { body: { paymentIntentId, amount: 1 } };
  await recorder.send('createRefund', ['exceeded', 'More than is left to refund', 422], credentials, again);
  const refusing = { body: { paymentIntentId: await paidBy('refundRefused') } };
  await recorder.send('createRefund', ['refused', 'A refund that the provider refuses', 400], credentials, refusing);
  await recorder.send('listRefunds', ['page', 'The newest refund of a payment'], credentials, {
    query: { paymentIntentId, limit: '1' },
  });
  await recorder.send('getRefund', ['refund', 'A refund'], credentials, { parameters: { id: idOf(refunded) } });
}

/** Reads a request that was refused from the log, which is written some seconds after its response. */
async function recordRequests(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const send = clientOf(credentials);
  assert.equal((await send('POST', '/payment-intents', { amount: 1_999, currency: 'XXX' })).status, 422);
  const query = { code: 'INVALID_CURRENCY' };
  const id = await eventually(async () => firstIdOf(await send('GET', `/requests?code=${query.code}`)));
  await recorder.send('listRequests', ['refused', 'Requests that were refused for one reason'], credentials, { query });
  await recorder.send('getRequest', ['refused', 'A request that was refused'], credentials, { parameters: { id } });
}

/** The health of the providers after one payment. */
async function recordHealth(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const payment = await createPayment({}, credentials);
  assert.equal((await payment.confirm(cardOf('approved'))).status, 200);
  const { provider } = await payment.read();
  assert.ok(provider !== null);
  await recorder.send('listProviderHealth', ['page', 'Every provider with a route'], credentials);
  await recorder.send('getProviderHealth', ['healthy', 'A provider that answers'], credentials, {
    parameters: { provider },
  });
}

/** The statistics of a day with two payments, one of them declined, and a refund. */
async function recordStatistics(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const paid = await createPayment({ country: 'DE' }, credentials);
  await paid.confirm(cardOf('approved'));
  const declined = await createPayment({ country: 'FR' }, credentials);
  await declined.confirm(cardOf('declined'));
  const send = clientOf(credentials);
  await send('POST', '/refunds', { paymentIntentId: paid.id, amount: 500 });
  const query = { from: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`, interval: 'day' };
  await eventually(async () => {
    const { body } = await send('GET', `/statistics?from=${query.from}&interval=${query.interval}`);
    assert.match(JSON.stringify(body), /"total":\{[^}]*"attempts":2[^}]*"refunds":1/);
  });
  await recorder.send('getStatistics', ['days', 'One day, with a payment, a decline and a refund'], credentials, {
    query,
  });
  await recorder.send('getDisputeStatistics', ['month', 'The running month'], credentials, { query: { months: '1' } });
}

/** A payment that expires because the test clock is advanced. */
async function recordTestClock(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const payment = await createPayment({}, credentials);
  await recorder.send('advanceTestClock', ['hour', 'By one hour'], credentials, { body: { seconds: 3_600 } });
  await payment.reach('expired');
  const read = () => clientOf(credentials)('GET', '/test-clock');
  await eventually(async () => assert.match(JSON.stringify((await read()).body), /"ready"/));
  await recorder.send('getTestClock', ['ready', 'Every open payment has followed the clock'], credentials);
}

/** Compares the payments with the provider's list, in which one has another amount than was requested. */
async function recordReconciliation(recorder: Recorder, { credentials }: TestMerchant): Promise<void> {
  const from = new Date();
  const payment = await createPayment({ metadata: { scenario: 'other_amount' } }, credentials);
  await payment.confirm(cardOf('approved'), PREFER_ASYNC);
  const query = { provider: 'alpha', limit: '1' };
  const send = clientOf(credentials);
  await eventually(async () => {
    await reconcileNow('alpha', from);
    const answer = await send('GET', `/reconciliation-runs?${new URLSearchParams(query).toString()}`);
    assert.ok(resourcePageOf(answer, reconciliationRunResource).data.some(({ reported }) => reported > 0));
  });
  await settle('alpha', payment.id, 'approved');
  await payment.reach('succeeded');
  const listed = await recorder.send('listReconciliationRuns', ['page', 'The latest run'], credentials, { query });
  await recorder.send('getReconciliationRun', ['difference', 'A run that found a difference'], credentials, {
    parameters: { id: firstIdOf(listed) },
  });
}

/** Writes the event about more declines than the sandbox can make in time. */
async function suspectCardTesting({ merchantAccountId }: TestMerchant): Promise<void> {
  const id = newId('event');
  const snapshot = { cardTesting: { limit: 'bin', declines: 1_001, confirms: 1_024, limitPerHour: 1_000 } };
  await queryStack(
    `INSERT INTO event (id, merchant_account_id, environment, type, resource_id, version, snapshot, created_at)
     VALUES ($1, $2, 'sandbox', 'card_testing.suspected', $1, 0, $3, now())`,
    [id, merchantAccountId, JSON.stringify(snapshot)],
  );
}

/** Writes a report that a simulator never sends: a part of the captured money did not arrive after all. */
async function loseCapturedPart(credentials: TestMerchant['credentials']): Promise<void> {
  const payment = await createPayment({ metadata: { order: '1042' } }, credentials);
  await payment.confirm(cardOf('approved'));
  await payment.reach('succeeded');
  const reference = { provider: 'alpha', eventId: newId('event') };
  const captureFailure = {
    attemptId: attemptIdOf(payment.id, 1),
    amountMinor: 400,
    currency: 'USD',
    reason: 'Rejected by the scheme',
  };
  await queryStack(
    `INSERT INTO provider_event (provider, event_id, payment_intent_id, event) VALUES ($1, $2, $3, $4)`,
    [reference.provider, reference.eventId, payment.id, JSON.stringify({ ...reference, captureFailure })],
  );
}

/** Waits until every event so far is delivered, keeps one of each type, and reads one of them. */
async function recordEvents(recorder: Recorder, merchant: TestMerchant, receiver: WebhookReceiver): Promise<void> {
  const { credentials } = merchant;
  await disableEndpoint(merchant);
  await dispute(recorder, credentials);
  await recordSettlements(recorder, credentials);
  await mistypeCredentials(credentials);
  await failAndRecover(merchant);
  await suspectCardTesting(merchant);
  await loseCapturedPart(credentials);
  for (const awaited of EVENT_TYPES.filter((type) => !SLOW_EVENTS.includes(type))) {
    await receiver.find(({ event: { type } }) => type === awaited);
  }
  keepEvents(recorder, receiver);
  // Deliveries come in any order: only a payment with a reference has the shape that was recorded.
  const { event } = await receiver.find(
    ({ event: { type, data } }) =>
      type === 'payment_intent.succeeded' && 'reference' in data && data.reference === REFERENCE,
  );
  const parameters = { id: event.id };
  await eventually(async () => {
    const pending = await queryStack(`SELECT FROM webhook_delivery WHERE event_id = $1 AND status = 'pending'`, [
      event.id,
    ]);
    assert.equal(pending.length, 0);
  });
  const { id: resourceId } = event.data;
  await recorder.send('listEvents', ['page', 'The first event of a payment'], credentials, {
    query: { resourceId, type: 'payment_intent.succeeded' },
  });
  await recorder.send('getEvent', ['succeeded', 'A payment succeeded'], credentials, { parameters });
  await recorder.send('listEventDeliveries', ['page', 'An event that was delivered at once'], credentials, {
    parameters,
  });
  await recorder.send('redeliverEvent', ['all', 'To every endpoint that subscribes to it'], credentials, {
    parameters,
    body: {},
  });
  const endpointId = idOf(
    await clientOf(credentials)('POST', '/webhook-endpoints', { url: receiver.url, enabledEvents: ['refund.failed'] }),
  );
  await recorder.send('listWebhookEndpointDeliveries', ['page', 'Nothing waits'], credentials, {
    parameters: { id: endpointId },
  });
  await recorder.send('redeliverMissedEvents', ['since', 'Everything since a time'], credentials, {
    body: { webhookEndpointId: endpointId, since: '2026-11-28T06:00:00Z' },
  });
}

/** An endpoint that answers with 410 is disabled. */
async function disableEndpoint({ credentials }: TestMerchant): Promise<void> {
  const gone = await startReceiver();
  try {
    gone.answerWith(() => ({ status: 410 }));
    const send = clientOf(credentials);
    const body = { url: gone.url, description: 'Old orders', enabledEvents: ['payment_intent.created'] };
    const id = idOf(await send('POST', '/webhook-endpoints', body));
    await createPayment({}, credentials);
    // A receiver that is closed before its answer has arrived is tried again instead.
    await eventually(async () => {
      assert.match(JSON.stringify((await send('GET', `/webhook-endpoints/${id}`)).body), /"status":"disabled"/);
    });
  } finally {
    await gone.close();
  }
}

/** A settlement that was paid, another that was returned, and an exception that is ended. */
async function recordSettlements(recorder: Recorder, credentials: TestMerchant['credentials']): Promise<void> {
  const payment = await createPayment({ reference: REFERENCE }, credentials);
  await payment.confirm(cardOf('approved'));
  const other = await createPayment({ reference: REFERENCE }, credentials);
  await other.confirm(cardOf('approved'));
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const [provider, otherProvider] = [(await payment.read()).provider, (await other.read()).provider];
  assert.ok(provider !== null && otherProvider !== null);
  await simulateSettlements(provider, { until, paymentIntentId: payment.id, misreport: 'wrong_amount' });
  await simulateSettlements(otherProvider, { until, paymentIntentId: other.id, status: 'returned' });
  for (const name of new Set([provider, otherProvider])) await importSettlementsNow(name);
  const send = clientOf(credentials);
  const id = firstIdOf(await send('GET', '/settlements?status=paid'));
  const entryId = firstIdOf(await send('GET', `/settlement-entries?settlementId=${id}`));
  await recorder.send('listSettlements', ['paid', 'What was paid to the bank'], credentials, {
    query: { status: 'paid' },
  });
  await recorder.send('getSettlement', ['paid', 'From gross to net'], credentials, { parameters: { id } });
  await recorder.send('listSettlementEntries', ['ofSettlement', 'The entries of a settlement'], credentials, {
    query: { settlementId: id },
  });
  await recorder.send('getSettlementEntry', ['amountDiffers', 'An amount that differs'], credentials, {
    parameters: { entryId },
  });
  await recorder.send('resolveSettlementEntry', ['accepted', 'End an exception'], credentials, {
    parameters: { entryId },
    body: { resolution: 'accepted', note: 'One cent, confirmed by the provider' },
  });
  await recorder.send('confirmSettlement', ['bank', 'What the bank statement says'], credentials, {
    parameters: { id },
    body: { amount: 1_912, currency: 'USD', valueDate: '2026-11-30', reference: 'TRACE1042' },
  });
}

/** A warning of fraud, and a chargeback that is answered and won. */
async function dispute(recorder: Recorder, credentials: TestMerchant['credentials']): Promise<void> {
  const pay = async (name: CardName): Promise<string> => {
    const payment = await createPayment({ reference: REFERENCE }, credentials);
    await payment.confirm(cardOf(name));
    return payment.id;
  };
  await pay('fraudWarned');
  const query = { paymentIntentId: await pay('disputed') };
  const send = clientOf(credentials);
  const id = await eventually(async () =>
    firstIdOf(await send('GET', `/disputes?paymentIntentId=${query.paymentIntentId}`)),
  );
  await recorder.send('listDisputes', ['ofPayment', 'The dispute of a payment'], credentials, { query });
  await recorder.send('getDispute', ['chargeback', 'A chargeback that needs an answer'], credentials, {
    parameters: { id },
  });
  const [{ provider, provider_reference: reference } = assert.fail('no dispute')] = await queryStack<{
    provider: string;
    provider_reference: string;
  }>('SELECT provider, provider_reference FROM dispute WHERE id = $1', [id]);
  const { url } = getStack().sandbox.simulators.find(({ name }) => name === provider) ?? assert.fail('no simulator');
  const simulate = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}/simulate/disputes${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok);
  };
  await answerDispute(recorder, credentials, id);
  await eventually(async () => assert.match(JSON.stringify(await send('GET', `/disputes/${id}`)), /"under_review"/));
  await simulate(`/${reference}/advance`, { to: 'won' });
  const other = await pay('approved');
  // The reminder of 24 hours comes 12 seconds later: the engine has to know of the dispute by then.
  await simulate('', { paymentIntentId: other, reason: 'duplicate', stage: 'inquiry', respondWithinSeconds: 86_412 });
  await eventually(async () =>
    assert.match(JSON.stringify(await send('GET', '/events?type=dispute.response_due')), /"dispute.response_due"/),
  );
  const otherId = firstIdOf(await send('GET', `/disputes?paymentIntentId=${other}`));
  await recorder.send('acceptDispute', ['accepted', 'The money is given up'], credentials, {
    parameters: { id: otherId },
    body: {},
  });
}

/** The draft of an answer, and its submission. */
async function answerDispute(recorder: Recorder, credentials: TestMerchant['credentials'], id: string): Promise<void> {
  const parameters = { id };
  const explanation = 'It was delivered on 20 November, and the customer signed for it.';
  await recorder.send('updateDispute', ['texts', 'Texts of the answer'], credentials, {
    parameters,
    body: { evidence: { explanation } },
  });
  const content = Buffer.from('%PDF-1.7\n%\u00e2\u00e3', 'latin1').toString('base64');
  const kind = 'shipping_documentation';
  await recorder.send('uploadDisputeFile', ['file', 'Proof of the delivery'], credentials, {
    parameters,
    body: { kind, contentType: 'application/pdf', content },
  });
  await recorder.send('deleteDisputeFile', ['deleted', 'The file is deleted'], credentials, {
    parameters: { id, kind },
  });
  await recorder.send('submitDispute', ['submitted', 'The evidence is sent'], credentials, { parameters, body: {} });
}

/** Credentials that the provider refuses are found out by a test, and replaced. */
async function mistypeCredentials(credentials: TestMerchant['credentials']): Promise<void> {
  const { apiKey, webhookSecret } = (await provideSecrets(getDataDir())).simulators.alpha;
  const send = clientOf(credentials);
  const body = { kind: 'simulator', name: 'Main', credentials: { apiKey: 'mistyped', webhookSecret } };
  const path = `/provider-accounts/${idOf(await send('POST', '/provider-accounts', body))}`;
  await send('POST', `${path}/test`, {});
  await send('POST', `${path}/rotate`, { credentials: { apiKey, webhookSecret } });
  await send('POST', `${path}/test`, {});
}

/** An endpoint that refuses several events in a row counts as failing until it takes a probe. */
async function failAndRecover({ credentials }: TestMerchant): Promise<void> {
  const refusing = await startReceiver();
  try {
    refusing.answerWith(() => ({ status: 500 }));
    const send = clientOf(credentials);
    const body = { url: refusing.url, description: 'New orders', enabledEvents: ['payment_intent.created'] };
    const id = idOf(await send('POST', '/webhook-endpoints', body));
    const reads = async (member: RegExp) =>
      eventually(async () =>
        assert.match(JSON.stringify((await send('GET', `/webhook-endpoints/${id}`)).body), member),
      );
    for (let number = 1; number <= FAILURES_UNTIL_FAILING; number += 1) await createPayment({}, credentials);
    await reads(/"failingSince":"/);
    refusing.answerWith(() => ({ status: 204 }));
    await reads(/"failingSince":null.*"pendingDeliveries":0/);
  } finally {
    await refusing.close();
  }
}

function keepEvents(recorder: Recorder, { received }: WebhookReceiver): void {
  const events = received.map(({ event }) => event).sort((one, other) => one.sequence - other.sequence);
  for (const event of events)
    recorder.keepEvent(event.type, { ...event, sequence: EVENT_TYPES.indexOf(event.type) + 1 });
}

/** What `recordSlowEvents` exchanges besides. */
export const SLOW_OPERATIONS: readonly string[] = [
  'askProvider',
  'resolvePaymentIntentByHand',
  'resolveRefundByHand',
  'resolveStrayChargeByHand',
];

/** Receives an event of each type that takes minutes to come, and resolves by hand what waits for its provider. */
export async function recordSlowEvents(recorder: Recorder): Promise<void> {
  const receiver = await startReceiver();
  try {
    const { credentials, apiKeyId } = await createMerchant();
    const has = (awaited: EventType) =>
      eventually(async () => {
        assert.ok(receiver.received.some(({ event: { type } }) => type === awaited));
      }, 4 * MINUTE_MS);
    assert.equal((await clientOf(credentials)('POST', '/webhook-endpoints', { url: receiver.url })).status, 201);
    await createPayment({ expiresInSeconds: 60 }, credentials);
    const silent = await createPayment({}, credentials);
    await silent.confirm(cardOf('silent'), PREFER_ASYNC);
    await chargeAstray(credentials);
    await has('payment_intent.stray_charge_reversed');
    const waiting = await leaveWaiting(credentials);
    for (const awaited of SLOW_EVENTS) await has(awaited);
    await recordManualResolutions(recorder, { ...waiting, credentials, apiKeyId, stuckId: silent.id });
    const slow = receiver.received.filter(({ event }) => !recorder.hasEvent(event.type));
    keepEvents(recorder, { ...receiver, received: slow });
  } finally {
    await receiver.close();
    await setFaults('alpha', {});
  }
}

/** A payment whose attempt was charged after it had ended without a charge. @returns its id */
async function chargeAstray(credentials: Credentials): Promise<string> {
  const stray = await createPayment({ metadata: { scenario: 'late_charge', lateChargeSeconds: '600' } }, credentials);
  await stray.confirm(cardOf('approved'), PREFER_ASYNC);
  await eventually(async () => assert.equal((await stray.read()).attempts.length, 2));
  await stray.reach('requires_payment_method');
  await settle('alpha', stray.id, 'approved');
  return stray.id;
}

/** What waits for a provider that answers neither captures nor refunds. */
interface Waiting {
  readonly refundId: string;
  readonly strayPaymentId: string;
}

/** Leaves a capture, a refund and a stray charge waiting; the times of the first two are moved into the past. */
async function leaveWaiting(credentials: Credentials): Promise<Waiting> {
  const send = clientOf(credentials);
  const paid = await createPayment({}, credentials);
  await paid.confirm(cardOf('approved'));
  const held = await createPayment(MANUAL, credentials);
  await held.confirm(cardOf('approved'));
  await setFaults('alpha', { errorRate: 1, operations: ['captures', 'refunds', 'refund-inquiries'] });
  await send('POST', `/payment-intents/${held.id}/capture`, {}, PREFER_ASYNC);
  const refundId = idOf(await send('POST', '/refunds', { paymentIntentId: paid.id }, PREFER_ASYNC));
  const strayPaymentId = await chargeAstray(credentials);
  const earlier = `created_at = created_at - interval '4 minutes'`;
  await queryStack(`UPDATE payment_operation SET ${earlier} WHERE payment_intent_id = $1 AND kind = 'capture'`, [
    held.id,
  ]);
  await queryStack('UPDATE payment_intent SET next_due_at = now() WHERE id = $1', [held.id]);
  await queryStack(`UPDATE refund SET ${earlier}, next_due_at = now() WHERE id = $1`, [refundId]);
  return { refundId, strayPaymentId };
}

interface Resolvable extends Waiting {
  readonly credentials: Credentials;
  readonly apiKeyId: string;
  readonly stuckId: string;
}

/** Asks the provider, and resolves by hand, with two keys, what waits for it. */
async function recordManualResolutions(
  recorder: Recorder,
  { credentials, apiKeyId, stuckId, refundId, strayPaymentId }: Resolvable,
): Promise<void> {
  await queryStack('UPDATE api_key SET scopes = scopes || $2::text[] WHERE id = $1', [apiKeyId, [SUPPORT_SCOPE]]);
  const note = "Not in alpha's ledger of 22 November";
  const silent = ['silent', 'A provider that has accepted the payment'] as const;
  const first = ['first', 'The first of two people'] as const;
  const stuck = { parameters: { id: stuckId } };
  // A changed key takes effect within a second.
  await eventually(async () => {
    const answer = await clientOf(credentials)('POST', `/payment-intents/${stuckId}/ask-provider`, {});
    assert.equal(answer.status, 200);
  });
  await recorder.send('askProvider', silent, credentials, { ...stuck, body: {} });
  const body = { outcome: 'not_charged', note };
  await recorder.send('resolvePaymentIntentByHand', first, credentials, { ...stuck, body });
  const isAllowed = (path: string, request: object) =>
    eventually(async () => {
      assert.equal((await clientOf(credentials)('POST', path, request)).status, 200);
    }, 4 * MINUTE_MS);
  const ofRefund = { outcome: 'not_refunded', note };
  await isAllowed(`/refunds/${refundId}/resolve-by-hand`, ofRefund);
  await recorder.send('resolveRefundByHand', first, credentials, { parameters: { id: refundId }, body: ofRefund });
  const returned = {
    attemptId: attemptIdOf(strayPaymentId, 1),
    outcome: 'returned',
    note: 'Transferred to the bank account of the customer',
  };
  await isAllowed(`/payment-intents/${strayPaymentId}/resolve-stray-charge-by-hand`, returned);
  await recorder.send('resolveStrayChargeByHand', first, credentials, {
    parameters: { id: strayPaymentId },
    body: returned,
  });
}
