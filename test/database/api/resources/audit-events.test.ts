import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { beforeEach, describe, it } from 'mocha';
import type { Principal } from '../../../../domain/principal.ts';
import { readActorNames } from '../../../../api/resources/audit-events/actor-names.ts';
import { issueKey } from '../../../../accounts/api-keys/issue.ts';
import { rotateKey } from '../../../../accounts/api-keys/rotate.ts';
import { revokeKey, updateKey } from '../../../../accounts/api-keys/update.ts';
import { insertCustomer, updateCustomer } from '../../../../api/resources/customers/write.ts';
import { deleteLimit, putLimit } from '../../../../accounts/channel-limits/stored-limit.ts';
import {
  createInvitation,
  deleteInvitation,
  insertInvitation,
  resendInvitation,
} from '../../../../accounts/invitations/write.ts';
import { readPage } from '../../../../accounts/lists.ts';
import { insertAccount, setAccountStatus, updateAccount } from '../../../../accounts/merchants/write.ts';
import { linkTokensOf } from '../../../../api/resources/payment-links/token.ts';
import { insertPaymentLink, updatePaymentLink } from '../../../../api/resources/payment-links/write.ts';
import { deleteRoute, insertRoute, updateRoute } from '../../../../accounts/payment-routes/write.ts';
import * as providerAccounts from '../../../../accounts/provider-accounts/write.ts';
import { rotateSecret } from '../../../../accounts/webhook-endpoints/rotate.ts';
import { deleteEndpoint, insertEndpoint, updateEndpoint } from '../../../../accounts/webhook-endpoints/write.ts';
import { customerBody } from '../../../../contract/schemas/customer.ts';
import { createPaymentLinkBody } from '../../../../contract/schemas/payment-link.ts';
import { createPaymentRouteBody } from '../../../../contract/schemas/payment-route.ts';
import { AUDIT_ACTIONS, type AuditAction, SIGN_IN_EVENTS } from '../../../../domain/audit.ts';
import { newId, newUniquePart } from '../../../../domain/new-id.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/time.ts';
import type { Mail } from '../../../../mail/mailer.ts';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import {
  auditEvents,
  selectActors,
  selectAuditEvent,
  STORED_AUDIT_EVENT,
} from '../../../../prisma/queries/audit-event.ts';
import { createKey, createMerchant, setStatus } from '../../../../scripts/manage-merchants.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { createTargetPolicies } from '../../../../webhooks/target-policy.ts';
import { purge } from '../../../../worker/jobs/purge.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { largePartitionsOf } from '../../../support/partitions.ts';
import { insertApiKey, insertMerchantAccount } from '../../../support/payment-rows.ts';
import { NO_LIMITS, principalWith } from '../../../support/principal.ts';
import { ACCOUNTS_KEYRING, SIMULATOR_ACCOUNT, SIMULATOR_KINDS } from '../../../support/provider-accounts.ts';
import { queryPlansOf } from '../../../support/query-plans.ts';
import { VERSION_1 } from '../../../support/signature-version.ts';

const LIMIT = { paymentMethod: 'card', currency: 'EUR' } as const;
const ENDPOINT = { url: 'http://127.0.0.1:9/hooks', description: null, enabledEvents: ['*' as const] };
const SCOPES = ['customers:read'];

describe('the audit log', function () {
  this.timeout(MINUTE_MS);
  const keyring = parseKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`);
  const test = useTestDatabase();
  let author: Principal;

  beforeEach(async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    const actor = { ...principalWith({}).actor, id: await insertApiKey(test.database, merchantAccountId) };
    author = principalWith({ merchantId, merchantAccountId, scopes: SCOPES, actor });
  });

  const endpoints = () => ({
    database: test.database,
    keyring,
    webhookTargets: createTargetPolicies({ allowPrivateInSandbox: true }),
  });
  const issuer = () => ({ database: test.database, keyring });
  const issue = (id = newId('apiKey')) =>
    issueKey(issuer(), author, { id, fields: { name: 'Key', scopes: SCOPES, ...NO_LIMITS } });
  const route = (id: string) =>
    insertRoute(test.database, author, {
      id,
      fields: createPaymentRouteBody.parse({ provider: 'alpha', paymentMethod: 'card' }),
    });
  const put = (minimumAmount: number) =>
    putLimit(test.database, author, { key: LIMIT, amounts: { minimumAmount, maximumAmount: 9_000 } });
  const entries = () =>
    test.database.auditEvent.findMany({ where: { merchantId: author.merchantId }, orderBy: { id: 'asc' } });
  const actions = async () => (await entries()).map(({ action }) => action);

  /** For each resource: its changes one after the other, the secrets that they made, and the actions they are recorded as. */
  const CHANGES: Readonly<Record<string, readonly [() => Promise<readonly string[]>, readonly AuditAction[]]>> = {
    'API keys': [
      async () => {
        const { row, secrets } = await issue();
        await updateKey(test.database, author, { id: row.id, fields: { name: 'Renamed' } });
        const request = { id: row.id, newId: newId('apiKey'), fields: { overlapSeconds: 60 } };
        const rotated = await rotateKey(issuer(), author, request);
        await revokeKey(test.database, author, row.id);
        return [...Object.values(secrets), ...Object.values(rotated.secrets)];
      },
      ['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.created', 'api_key.revoked'],
    ],
    'merchant accounts': [
      async () => {
        const id = newId('merchantAccount');
        const fields = {
          name: 'Second',
          retryBudget: 5,
          refundWindowDays: 180,
          requireIdempotencyKeys: false,
          refundConfirmationAmount: null,
        };
        await insertAccount(test.database, author, { id, fields });
        await updateAccount(test.database, author, { id, fields: { name: 'Renamed' } });
        await setAccountStatus(test.database, author, { id, status: 'suspended' });
        await setAccountStatus(test.database, author, { id, status: 'active' });
        return [];
      },
      [
        'merchant_account.created',
        'merchant_account.updated',
        'merchant_account.suspended',
        'merchant_account.activated',
      ],
    ],
    'accounts at providers': [
      async () => {
        const dependencies = { ...endpoints(), keyring: ACCOUNTS_KEYRING, providerKinds: SIMULATOR_KINDS };
        const { credentials } = SIMULATOR_ACCOUNT;
        const account = { unique: newUniquePart(), fields: SIMULATOR_ACCOUNT };
        const { id } = await providerAccounts.insertAccount(dependencies, author, account);
        await providerAccounts.updateAccount(dependencies, author, { id, fields: { status: 'disabled' } });
        await providerAccounts.rotateCredentials(dependencies, author, { id, rotationId: 'rotation_1', credentials });
        await providerAccounts.deleteAccount(dependencies, author, id);
        return Object.values(credentials);
      },
      [
        'provider_account.created',
        'provider_account.updated',
        'provider_account.credentials_rotated',
        'provider_account.deleted',
      ],
    ],
    'payment routes': [
      async () => {
        const { id } = await route(newId('paymentRoute'));
        await updateRoute(test.database, author, { id, fields: { priority: 7 }, providers: ['alpha'] });
        await deleteRoute(test.database, author, id);
        return [];
      },
      ['payment_route.created', 'payment_route.updated', 'payment_route.deleted'],
    ],
    'payment links': [
      async () => {
        const id = newId('paymentLink');
        const dependencies = { database: test.database, keyring, apiPublicUrl: 'https://api.example' };
        const fields = createPaymentLinkBody.parse({ amount: 1_000, currency: 'EUR' });
        await insertPaymentLink(dependencies, author, { id, fields });
        await updatePaymentLink(dependencies, author, { id, fields: { active: false } });
        return [...linkTokensOf(keyring, id)];
      },
      ['payment_link.created', 'payment_link.updated'],
    ],
    'channel limits': [
      async () => {
        await put(1);
        await put(2);
        await deleteLimit(test.database, author, LIMIT);
        return [];
      },
      ['channel_limit.created', 'channel_limit.updated', 'channel_limit.deleted'],
    ],
    'invitations, in both environments': [
      async () => {
        const mails: Mail[] = [];
        const mailer = { post: (mail: Mail) => void mails.push(mail), close: () => Promise.resolve() };
        const invitationSender = { mailer, dashboardUrl: 'https://dashboard.example' };
        const dependencies = { database: test.database, invitationSender };
        const id = newId('invitation');
        await createInvitation(dependencies, author, { id, fields: { email: 'a@example.com', role: 'finance' } });
        await resendInvitation(dependencies, author, id);
        await deleteInvitation(test.database, author, id);
        return mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? 'no token');
      },
      ['invitation.created', 'invitation.resent', 'invitation.deleted'].flatMap(
        (action) => [action, action] as AuditAction[],
      ),
    ],
    'webhook endpoints': [
      async () => {
        const id = newId('webhookEndpoint');
        const { secret } = await insertEndpoint(endpoints(), author, { id, fields: ENDPOINT });
        await updateEndpoint(endpoints(), author, { id, fields: { description: 'Changed' } });
        const rotated = await rotateSecret(endpoints(), author, { id, rotationId: 'one', overlapSeconds: 60 });
        await deleteEndpoint(test.database, author, id);
        return [secret, rotated.secret];
      },
      [
        'webhook_endpoint.created',
        'webhook_endpoint.updated',
        'webhook_endpoint.secret_rotated',
        'webhook_endpoint.deleted',
      ],
    ],
  };

  it('has no entry of a PATCH without fields, which leaves the row as it is', async () => {
    const { database } = test;
    const nothing = {};
    const { row: key } = await issue();
    const { id: routeId } = await route(newId('paymentRoute'));
    const account = { id: author.merchantAccountId, fields: nothing };
    const link = { id: newId('paymentLink'), fields: createPaymentLinkBody.parse({ amount: 1_000, currency: 'EUR' }) };
    const links = { database, keyring, apiPublicUrl: 'https://api.example' };
    await insertPaymentLink(links, author, link);
    const endpointId = newId('webhookEndpoint');
    await insertEndpoint(endpoints(), author, { id: endpointId, fields: ENDPOINT });
    const customer = { id: newId('customer'), fields: customerBody.parse({}) };
    const inserted = await insertCustomer(database, author, customer);
    const made = await actions();

    assert.deepEqual(await updateKey(database, author, { id: key.id, fields: nothing }), key);
    await updateRoute(database, author, { id: routeId, fields: nothing, providers: ['alpha'] });
    await updateAccount(database, author, account);
    await updatePaymentLink(links, author, { id: link.id, fields: nothing });
    const reader = { ...author, scopes: [...author.scopes, 'events:read'] };
    await updateEndpoint(endpoints(), reader, { id: endpointId, fields: { active: true } });
    assert.deepEqual(await updateCustomer(database, author, { id: customer.id, fields: nothing }), inserted);
    assert.deepEqual(await actions(), made);
  });

  for (const [what, [change, expected]] of Object.entries(CHANGES)) {
    it(`has every change of ${what}, with who, from where, before and after, without secrets`, async () => {
      const secrets = await change();
      const rows = await entries();
      assert.deepEqual(rows.map(({ action }) => action).toSorted(), expected.toSorted());
      for (const { action, actorType, actorId, actorAddress, before: was, after: is } of rows) {
        assert.deepEqual([actorType, actorId, actorAddress], ['api_key', author.actor.id, '203.0.113.7']);
        assert.deepEqual([was === null, is === null], [action.endsWith('.created'), action.endsWith('.deleted')]);
      }
      const text = JSON.stringify(rows);
      for (const secret of secrets) assert.ok(!text.includes(secret));
      assert.doesNotMatch(text, /hash|ciphertext/i);
    });
  }

  it('knows an action for each of these changes, and no other', () => {
    const tested = Object.values(CHANGES).flatMap(([, expected]) => expected);
    // Others record these: see attempt-webhook.test.ts, authorisation-matrix.slow.test.ts, card-groups.test.ts, dispute.test.ts, notes.test.ts, route-sets.test.ts, settlements.test.ts, support-view.test.ts, test-clock.test.ts, team.test.ts and
    // dashboard.test.ts.
    const byOthers = [
      'webhook_endpoint.disabled',
      'payment_intent.updated',
      'payment_intent.provider_asked',
      'payment_intent.resolution_requested',
      'payment_intent.resolved_by_hand',
      'payment_intent.capture_requested',
      'payment_intent.cancel_requested',
      'refund.created',
      'dispute.submit_requested',
      'dispute.accept_requested',
      'settlement.bank_confirmed',
      'settlement_entry.resolved',
      'card_group.created',
      'card_group.updated',
      'card_group.deleted',
      'route_set.created',
      'route_set.activated',
      'routing_setting.updated',
      'test_clock.advanced',
      'team.updated',
      'team_member.joined',
      'team_member.updated',
      'team_member.removed',
      ...SIGN_IN_EVENTS.map((event) => `team_member.${event}` as const),
    ];
    assert.deepEqual([...new Set([...tested, ...byOthers])].toSorted(), AUDIT_ACTIONS.toSorted());
  });

  it('has no entry for a repeat that changes nothing, or a change that is refused', async () => {
    await put(1);
    await put(1);
    const { merchantAccountId: id } = author;
    await setAccountStatus(test.database, author, { id, status: 'active' });
    const { row } = await issue();
    await assert.rejects(updateKey(test.database, { ...author, scopes: [] }, { id: row.id, fields: { name: 'x' } }));
    await assert.rejects(deleteRoute(test.database, author, newId('paymentRoute')));
    assert.deepEqual(await actions(), ['channel_limit.created', 'api_key.created']);
  });

  it('has one entry for a creation whose request is repeated after an interruption', async () => {
    const id = newId('paymentRoute');
    await route(id);
    await route(id);
    const key = newId('apiKey');
    await issue(key);
    await issue(key);
    const invitation = { id: newId('invitation'), fields: { email: 'b@example.com', role: 'finance' as const } };
    await insertInvitation(test.database, author, invitation);
    await insertInvitation(test.database, author, invitation);
    const inBothEnvironments = ['invitation.created', 'invitation.created'];
    assert.deepEqual(await actions(), ['payment_route.created', 'api_key.created', ...inBothEnvironments]);
  });

  it('is written together with the change, or neither is', async () => {
    await put(1);
    const { row } = await issue();
    const existing = newId('paymentRoute');
    await route(existing);
    await test.database.$executeRaw`ALTER TABLE audit_event RENAME TO elsewhere`;
    try {
      await assert.rejects(put(2));
      await assert.rejects(revokeKey(test.database, author, row.id));
      await assert.rejects(route(newId('paymentRoute')));
      await assert.rejects(deleteRoute(test.database, author, existing));
    } finally {
      await test.database.$executeRaw`ALTER TABLE elsewhere RENAME TO audit_event`;
    }
    const { merchantId } = author;
    const limit = await test.database.channelLimit.findFirstOrThrow({ where: { merchantId } });
    assert.equal(limit.minimumMinor, 1n);
    assert.equal((await test.database.apiKey.findUniqueOrThrow({ where: { id: row.id } })).revokedAt, null);
    assert.equal(await test.database.paymentRoute.count({ where: { merchantId } }), 1);
  });

  it('has what operators do, with their user and host', async () => {
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: true } as const;
    const { merchantAccountId, apiKey } = await createMerchant(test.database, merchant, VERSION_1);
    await createKey(test.database, merchantAccountId, VERSION_1);
    await setStatus(test.database, merchantAccountId, 'suspended');
    await setStatus(test.database, merchantAccountId, 'active');
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    const rows = await test.database.auditEvent.findMany({ where: { merchantId }, orderBy: { id: 'asc' } });
    for (const { actorType, actorAddress, actorId } of rows) {
      assert.deepEqual([actorType, actorAddress], ['operator', hostname()]);
      assert.notEqual(actorId, '');
    }
    assert.ok(!JSON.stringify(rows).includes(apiKey));
    const ofAccount = rows.filter((row) => row.merchantAccountId === merchantAccountId).map(({ action }) => action);
    assert.deepEqual(ofAccount, [
      'merchant_account.created',
      'api_key.created',
      'api_key.created',
      'merchant_account.suspended',
      'merchant_account.activated',
    ]);
    const others = rows.filter((row) => row.merchantAccountId === null).map(({ action }) => action);
    assert.deepEqual([...new Set(others)].toSorted(), ['channel_limit.created', 'payment_route.created']);
  });

  const insertEntry = (fields: Partial<Prisma.AuditEventCreateManyInput> = {}) =>
    test.database.auditEvent.create({
      data: {
        id: newId('auditEvent'),
        merchantId: author.merchantId,
        environment: 'sandbox',
        action: 'api_key.created',
        resourceId: 'key_1',
        actorType: 'api_key',
        actorId: 'key_1',
        actorAddress: '203.0.113.7',
        ...fields,
      },
    });
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

  it('cannot be changed, and not be deleted for 90 days', async () => {
    const { id } = await insertEntry({ createdAt: daysAgo(89) });
    const { id: old } = await insertEntry({ createdAt: daysAgo(91) });
    const appendOnly = /append-only/;
    for (const one of [id, old]) {
      const change = test.database.auditEvent.update({ where: { id: one }, data: { actorId: 'key_2' } });
      await assert.rejects(change, appendOnly);
    }
    await assert.rejects(test.database.auditEvent.delete({ where: { id } }), appendOnly);
    await assert.rejects(test.database.$executeRaw`TRUNCATE audit_event`, appendOnly);
    await test.database.auditEvent.delete({ where: { id: old } });
  });

  it('is purged of entries whose partition should have been dropped: a month after the retention', async () => {
    const young = await insertEntry({ createdAt: daysAgo(431) });
    await insertEntry({ createdAt: daysAgo(433) });
    const retention = {
      eventsDays: 30,
      providerEventsDays: 30,
      paymentsDays: 30,
      auditEventsDays: 400,
      requestsDays: 7,
      savedCardsUnusedDays: 730,
    };
    await purge(test.database, retention, new AbortController().signal);
    assert.deepEqual(
      (await entries()).map(({ id }) => id),
      [young.id],
    );
  });

  it('shows a merchant its own entries, and a key that is bound to its account those of the account', async () => {
    const { merchantId, environment, merchantAccountId } = author;
    const ofMerchant = await insertEntry();
    const ofAccount = await insertEntry({ merchantAccountId });
    const ofOther = await insertEntry({ merchantAccountId: 'mer_other' });
    await insertEntry({ merchantId: 'org_other' });
    await insertEntry({ environment: 'production' });
    const ids = async (account: string | undefined, filters = {}) => {
      const scope = { merchantId, environment, merchantAccountId: account };
      const listed = auditEvents(scope, filters);
      const { rows, total } = await readPage(test.database, listed, STORED_AUDIT_EVENT, { page: 1, limit: 10 });
      assert.equal(total, rows.length);
      return rows.map(({ id }) => id).toSorted();
    };
    assert.deepEqual(await ids(undefined), [ofMerchant.id, ofAccount.id, ofOther.id].toSorted());
    assert.deepEqual(await ids(merchantAccountId), [ofAccount.id]);
    assert.deepEqual(await ids(undefined, { action: 'api_key.revoked' }), []);
    assert.deepEqual(await ids(undefined, { resourceId: 'key_2' }), []);
    assert.deepEqual(await ids(merchantAccountId, { createdBefore: ofAccount.createdAt }), []);
    assert.deepEqual(await ids(merchantAccountId, { createdAfter: daysAgo(1) }), [ofAccount.id]);
    const read = (id: string) =>
      test.database.direct.row(selectAuditEvent(id, { merchantId, environment, merchantAccountId }));
    assert.equal((await read(ofAccount.id))?.id, ofAccount.id);
    assert.equal(await read(ofOther.id), undefined);
  });

  it('names who made a change to all who may read it, and finds the changes of one of them', async () => {
    const { database } = test;
    const { merchantId, environment } = author;
    const [named, unnamed] = [newId('person'), newId('person')];
    await database.person.createMany({
      data: [
        { id: named, name: 'Member of a team', email: `${named}@example.com` },
        { id: unnamed, name: '', email: `${unnamed}@example.com` },
      ],
    });
    const foreignKey = await insertApiKey(database, await insertMerchantAccount(database));
    const actors = [
      [{ type: 'person', id: named }, 'Member of a team'],
      [{ type: 'person', id: unnamed }, `${unnamed}@example.com`],
      [{ type: 'person', id: newId('person') }, null],
      [{ type: 'api_key', id: author.actor.id }, 'Key'],
      [{ type: 'api_key', id: foreignKey }, null],
      [{ type: 'operator', id: 'root' }, 'root'],
      [{ type: 'system', id: 'worker' }, null],
    ] as const;
    for (const [{ type, id }] of actors) await insertEntry({ actorType: type, actorId: id });
    await insertEntry({ actorType: 'person', actorId: named });
    await insertEntry({ merchantId: 'org_other', actorType: 'person', actorId: newId('person') });
    const found = await database.direct.rows(selectActors({ merchantId, environment }));
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    assert.deepEqual(found.toSorted(byId), actors.map(([actor]) => actor).toSorted(byId));
    const nameOf = await readActorNames(database, merchantId, found);
    for (const [actor, name] of actors) assert.equal(nameOf(actor), name, actor.id);
    const listed = auditEvents({ merchantId, environment, merchantAccountId: undefined }, { actorId: named });
    const { total } = await readPage(database, listed, STORED_AUDIT_EVENT, { page: 1, limit: 10 });
    assert.equal(total, 2);
  });

  it('is read by an index, whatever is asked for', async () => {
    await test.database.$executeRaw`
      INSERT INTO audit_event (id, merchant_id, environment, merchant_account_id, action, resource_id, actor_type,
        actor_id, actor_address, created_at)
      SELECT first_id_at('aud_', now() - n * interval '1 second') || n, 'org_' || n % 20, 'sandbox', 'mer_' || n % 50, 'api_key.created', 'key_' || n % 500, 'api_key',
        'key_1', '203.0.113.7', now() - n * interval '1 second' FROM generate_series(1, 20000) n`;
    await test.database.$executeRaw`ANALYZE audit_event`;
    const large = await largePartitionsOf(test.database, 'audit_event');
    for (const account of [undefined, 'mer_1']) {
      for (const filters of [
        {},
        { resourceId: 'key_1' },
        { action: 'api_key.created' },
        { actorId: 'key_1' },
        { createdBefore: daysAgo(0.1) },
      ]) {
        const scope = { merchantId: 'org_1', environment: 'sandbox', merchantAccountId: account };
        const nodes = await queryPlansOf(test.database, (database) =>
          readPage(database, auditEvents(scope, filters), STORED_AUDIT_EVENT, { page: 1, limit: 10 }),
        );
        const scans = nodes.filter((node) => large.includes(node['Relation Name'] ?? ''));
        assert.ok(scans.length > 0);
        for (const scan of scans) assert.notEqual(scan['Node Type'], 'Seq Scan', JSON.stringify([account, filters]));
      }
    }
  });
});
