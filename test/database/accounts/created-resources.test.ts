import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { issueKey } from '../../../accounts/api-keys/issue.ts';
import { presentKey } from '../../../contract/presenters/api-key.ts';
import { revokeKey } from '../../../accounts/api-keys/update.ts';
import { findCreatedResources, type Maker } from '../../../accounts/created-resources.ts';
import { insertPaymentLink, updatePaymentLink } from '../../../api/resources/payment-links/write.ts';
import { insertRoute } from '../../../accounts/payment-routes/write.ts';
import { insertAccount, updateAccount } from '../../../accounts/provider-accounts/write.ts';
import { insertEndpoint, updateEndpoint } from '../../../accounts/webhook-endpoints/write.ts';
import { createPaymentLinkBody } from '../../../contract/schemas/payment-link.ts';
import { createPaymentRouteBody } from '../../../contract/schemas/payment-route.ts';
import { newId, newUniquePart } from '../../../domain/new-id.ts';
import { ALL_SCOPES } from '../../../domain/scopes.ts';
import { createTargetPolicies } from '../../../webhooks/target-policy.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount } from '../../support/payment-rows.ts';
import { accountAccess, ACCOUNTS_KEYRING, SIMULATOR_ACCOUNT } from '../../support/provider-accounts.ts';
import { NO_LIMITS, principalWith } from '../../support/principal.ts';
import type { Principal } from '../../../domain/principal.ts';

const KINDS = ['api_key', 'payment_link', 'payment_route', 'provider_account', 'webhook_endpoint'];

describe('what a person or a key has made', () => {
  const test = useTestDatabase();
  let access: Awaited<ReturnType<typeof accountAccess>>;
  let person: Principal;
  /** A key of the person. */
  let key: Principal;

  beforeEach(async () => {
    access = await accountAccess(test.database, await insertMerchantAccount(test.database));
    const { merchantId, merchantAccountId } = access.principal;
    const scope = { merchantId, merchantAccountId, scopes: ALL_SCOPES };
    const personId = newId('person');
    await test.database.person.create({ data: { id: personId, name: 'Owner', email: `${personId}@example.com` } });
    await test.database.membership.create({ data: { personId, merchantId, role: 'owner' } });
    person = principalWith({ ...scope, actor: { type: 'person', id: personId, address: '192.0.2.1' } });
    const made = await issue(person);
    key = principalWith({ ...scope, actor: { type: 'api_key', id: made.id, address: '192.0.2.2' } });
  });

  const policies = createTargetPolicies({ allowPrivateInSandbox: true });
  const endpoints = () => ({ database: test.database, keyring: ACCOUNTS_KEYRING, webhookTargets: policies });
  const links = () => ({ database: test.database, keyring: ACCOUNTS_KEYRING, apiPublicUrl: null });
  const issue = async (author: Principal) => {
    const fields = { name: 'Key', scopes: [...ALL_SCOPES], ...NO_LIMITS };
    const issuer = { database: test.database, keyring: null };
    return (await issueKey(issuer, author, { id: newId('apiKey'), fields })).row;
  };
  const makeAll = async (author: Principal) => {
    const { database } = test;
    const fields = { url: 'http://127.0.0.1:9/hooks', description: null, enabledEvents: ['*' as const] };
    const link = createPaymentLinkBody.parse({ amount: 1_000, currency: 'USD' });
    const route = createPaymentRouteBody.parse({ provider: 'alpha', paymentMethod: 'card' });
    return {
      key: await issue(author),
      endpoint: (await insertEndpoint(endpoints(), author, { id: newId('webhookEndpoint'), fields })).endpoint,
      account: await insertAccount(access.dependencies, author, {
        unique: newUniquePart(),
        fields: SIMULATOR_ACCOUNT,
      }),
      route: await insertRoute(database, author, { id: newId('paymentRoute'), fields: route }),
      link: await insertPaymentLink(links(), author, { id: newId('paymentLink'), fields: link }),
    };
  };
  const typesOf = async (maker: Maker, reader = person) =>
    (await findCreatedResources(test.database, reader, maker)).map(({ type }) => type).sort();

  it('is listed for the key, and for the person behind the key, and for nobody else', async () => {
    const made = await makeAll(key);
    assert.deepEqual(presentKey(made.key).createdBy, { type: 'api_key', id: key.actor.id });
    assert.deepEqual(await typesOf({ createdByKeyId: key.actor.id }), KINDS);
    // The person's own key beside what it made.
    assert.deepEqual(await typesOf({ createdById: person.actor.id }), ['api_key', ...KINDS]);
    assert.deepEqual(await typesOf({ createdById: newId('person') }), []);
    const stranger = await accountAccess(test.database, await insertMerchantAccount(test.database));
    const other = { ...stranger.principal, scopes: ALL_SCOPES };
    assert.deepEqual(await typesOf({ createdByKeyId: key.actor.id }, other), []);
  });

  it('is listed as long as it stands, and as far as the reader may read it', async () => {
    const { key: made, endpoint, account, link, route } = await makeAll(key);
    const maker = { createdByKeyId: key.actor.id };
    const limited = { ...person, scopes: ['api-keys:read', 'payment-routes:read'] };
    assert.deepEqual(await typesOf(maker, limited), ['api_key', 'payment_route']);
    const bound = { ...person, keyLimits: { ...NO_LIMITS, accountBound: true } };
    assert.ok(!(await typesOf(maker, bound)).includes('payment_route'), 'a route belongs to all accounts');
    await revokeKey(test.database, person, made.id);
    await updateEndpoint(endpoints(), person, { id: endpoint.id, fields: { active: false } });
    await updateAccount(access.dependencies, person, { id: account.id, fields: { status: 'disabled' } });
    await updatePaymentLink(links(), person, { id: link.id, fields: { active: false } });
    assert.deepEqual(await typesOf(maker), ['payment_route']);
    await test.database.paymentRoute.update({ where: { id: route.id }, data: { active: false } });
    assert.deepEqual(await typesOf(maker), []);
  });

  it('is not what the operator has made', async () => {
    const { merchantId, environment } = person;
    const operator = { merchantId, environment, actor: { type: 'operator' as const, id: 'root@host', address: '-' } };
    const fields = createPaymentRouteBody.parse({ provider: 'alpha', paymentMethod: 'card' });
    const route = await insertRoute(test.database, operator, { id: newId('paymentRoute'), fields });
    assert.deepEqual([route.createdById, route.createdByKeyId], [null, null]);
  });
});
