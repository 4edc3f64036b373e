import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'mocha';
import type { ApiOperation } from '../../api/resources/api-operation.ts';
import { AUDIT_ACTIONS } from '../../domain/audit.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import { ALL_SCOPES, SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { bodyFor, parametersFor, sampleOf, scopesOf, unknownParameters } from '../support/operation-samples.ts';
import { OPERATIONS_OF_API, methodOf, nameOf, parameterNamesOf, pathOf } from '../support/api-operations.ts';
import { assertRefused, failureOf } from '../support/envelopes.ts';
import { fingerprintOf } from '../support/merchant-fingerprint.ts';
import { createRows, type MerchantRows } from '../support/merchant-rows.ts';
import {
  copyRoutesAndLimits,
  createAccount,
  createKey,
  createMerchant,
  type KeyState,
  type TestMerchant,
} from '../support/merchants.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

/** The sender of a request, with wrong headers. */
interface Caller {
  readonly credentials: Credentials;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A column of the matrix: a fault, and the error that every endpoint must return. */
interface Column {
  readonly title: string;
  readonly code: ErrorCode;
  readonly callerFor: (endpoint: ApiOperation) => Caller;
}

/** Every scope that keys can have. */
const SCOPES_OF_KEYS = [...ALL_SCOPES, SUPPORT_SCOPE];
const WITH_SEVERAL_SCOPES = OPERATIONS_OF_API.filter((endpoint) => scopesOf(endpoint).length > 1);
const HOUR_AGO = new Date(Date.now() - 60 * MINUTE_MS);
const USED_NONCE = { 'X-Nonce': 'a-nonce-that-was-used' };

describe('every endpoint', function () {
  this.timeout(2 * MINUTE_MS);
  let owner: MerchantRows;
  let suspended: MerchantRows;
  let otherAccount: Caller;
  let unknown: readonly Caller[];
  let callers: Readonly<
    Record<
      'revoked' | 'expired' | 'elsewhere' | 'bound' | 'boundToOther' | 'version2' | 'byPlatform' | 'active',
      Caller
    >
  >;
  let activeAccount: string;
  let siblingAccount: string;
  let foreignAccounts: readonly string[];
  let keyWithout: ReadonlyMap<string, Caller>;
  let keyWithOnly: ReadonlyMap<string, Caller>;

  const ownKey = async (state: KeyState): Promise<Caller> =>
    createKey(owner.merchant, 'sandbox', { scopes: SCOPES_OF_KEYS, ...state });

  before('create rows of every resource, and API keys with one fault each', async () => {
    [owner, suspended] = await Promise.all([rowsOfNewMerchant(), rowsOfNewMerchant()]);
    const { merchantId } = owner.merchant;
    await copyRoutesAndLimits(merchantId, 'production');
    const [otherMerchant, production, sibling] = await Promise.all([
      createMerchant('sandbox', SCOPES_OF_KEYS),
      createAccount(merchantId, 'production', SCOPES_OF_KEYS),
      createAccount(merchantId, 'sandbox', SCOPES_OF_KEYS),
    ]);
    unknown = [otherMerchant, production];
    otherAccount = sibling;
    siblingAccount = sibling.merchantAccountId;
    foreignAccounts = [otherMerchant.merchantAccountId, production.merchantAccountId];
    const [platformSuspended, active] = await Promise.all([
      createAccount(suspended.merchant.merchantId),
      createAccount(suspended.merchant.merchantId),
    ]);
    activeAccount = active.merchantAccountId;
    const [revoked, expired, elsewhere, bound, boundToOther, version2] = await Promise.all([
      ownKey({ revokedAt: HOUR_AGO }),
      ownKey({ expiresAt: HOUR_AGO }),
      ownKey({ ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] }),
      ownKey({ accountBound: true }),
      createKey(sibling, 'sandbox', { scopes: SCOPES_OF_KEYS, accountBound: true }),
      ownKey({ signatureVersion: 2 }),
    ]);
    callers = { revoked, expired, elsewhere, bound, boundToOther, version2, byPlatform: platformSuspended, active };
    await request({ method: 'GET', path: '/api/v1/customers', headers: USED_NONCE }, version2.credentials);
    const scopes = new Set(OPERATIONS_OF_API.flatMap(scopesOf));
    const scopesOfPairs = new Set(WITH_SEVERAL_SCOPES.flatMap(scopesOf));
    keyWithOnly = new Map(
      await Promise.all([...scopesOfPairs].map(async (scope) => [scope, await ownKey({ scopes: [scope] })] as const)),
    );
    keyWithout = new Map(
      await Promise.all(
        [...scopes].map(
          async (scope) => [scope, await ownKey({ scopes: SCOPES_OF_KEYS.filter((one) => one !== scope) })] as const,
        ),
      ),
    );
    await queryStack(`UPDATE merchant_account SET status = 'suspended' WHERE id = $1`, [
      suspended.merchant.merchantAccountId,
    ]);
    await queryStack(`UPDATE merchant_account SET status = 'suspended', platform_suspended_at = now() WHERE id = $1`, [
      platformSuspended.merchantAccountId,
    ]);
  });

  const asOwner = (headers: Readonly<Record<string, string>> = {}): Caller => ({ ...owner.merchant, headers });
  const withCredentials = (change: Partial<Credentials>): Caller => ({
    credentials: { ...owner.merchant.credentials, ...change },
  });

  const COLUMNS: readonly Column[] = [
    { title: 'no key', code: 'UNAUTHORIZED', callerFor: () => asOwner({ Authorization: '' }) },
    {
      title: 'a wrong key',
      code: 'UNAUTHORIZED',
      callerFor: () => withCredentials({ apiKey: `${owner.merchant.credentials.apiKey}0` }),
    },
    {
      title: "a key with the other environment's prefix",
      code: 'UNAUTHORIZED',
      callerFor: () => withCredentials({ apiKey: owner.merchant.credentials.apiKey.replace('svc_test_', 'svc_live_') }),
    },
    {
      title: 'an old timestamp',
      code: 'TIMESTAMP_EXPIRED',
      callerFor: () => asOwner({ 'X-Timestamp': HOUR_AGO.toISOString() }),
    },
    {
      title: 'a wrong signature',
      code: 'INVALID_SIGNATURE',
      callerFor: () => asOwner({ 'X-Signature': '0'.repeat(64) }),
    },
    {
      title: "another merchant's salt",
      code: 'INVALID_SIGNATURE',
      callerFor: () => withCredentials({ secretSalt: suspended.merchant.credentials.secretSalt }),
    },
    { title: 'a revoked key', code: 'API_KEY_REVOKED', callerFor: () => callers.revoked },
    { title: 'an expired key', code: 'API_KEY_EXPIRED', callerFor: () => callers.expired },
    { title: 'a wrong address', code: 'IP_NOT_WHITELISTED', callerFor: () => callers.elsewhere },
    {
      title: "another merchant's account",
      code: 'FORBIDDEN',
      callerFor: () => asOwner({ 'X-Merchant-ID': foreignAccounts[0] ?? '' }),
    },
    {
      title: "the other environment's account",
      code: 'FORBIDDEN',
      callerFor: () => asOwner({ 'X-Merchant-ID': foreignAccounts[1] ?? '' }),
    },
    {
      title: 'version 1 of the signature with a key on version 2',
      code: 'INVALID_SIGNATURE',
      callerFor: () => ({ credentials: { ...callers.version2.credentials, signatureVersion: 1 } }),
    },
    {
      title: 'version 2 of the signature with a key on version 1',
      code: 'INVALID_SIGNATURE',
      callerFor: () => withCredentials({ signatureVersion: 2 }),
    },
    {
      title: 'a nonce that was used before',
      code: 'INVALID_SIGNATURE',
      callerFor: () => ({ ...callers.version2, headers: USED_NONCE }),
    },
    {
      title: 'an account that the key is not bound to',
      code: 'FORBIDDEN',
      callerFor: () => ({ ...callers.bound, headers: { 'X-Merchant-ID': siblingAccount } }),
    },
    {
      title: 'an account that its merchant suspended',
      code: 'MERCHANT_SUSPENDED',
      callerFor: () => suspended.merchant,
    },
    {
      title: 'an account that the platform suspended',
      code: 'MERCHANT_SUSPENDED',
      callerFor: () => callers.byPlatform,
    },
    {
      title: 'a suspended account and the key of an active one',
      code: 'MERCHANT_SUSPENDED',
      callerFor: () => ({ ...callers.active, headers: { 'X-Merchant-ID': suspended.merchant.merchantAccountId } }),
    },
    {
      title: 'an active account and the key of a suspended one',
      code: 'MERCHANT_SUSPENDED',
      callerFor: () => ({ ...suspended.merchant, headers: { 'X-Merchant-ID': activeAccount } }),
    },
    {
      title: 'all scopes but the one it needs',
      code: 'INSUFFICIENT_PERMISSIONS',
      callerFor: ({ scope }) => keyWithout.get(scope) ?? otherAccount,
    },
  ];

  it('requires a scope that keys can have', () => {
    assert.deepEqual(
      OPERATIONS_OF_API.filter((endpoint) => !isSubset(scopesOf(endpoint), SCOPES_OF_KEYS)).map(nameOf),
      [],
      'add the resource to SCOPED_RESOURCES (domain/scopes.ts)',
    );
  });

  for (const { title, code, callerFor } of COLUMNS) {
    it(`rejects ${title} with ${code}, and changes nothing`, async () => {
      const merchants = [owner.merchant.merchantId, suspended.merchant.merchantId];
      const earlier = await Promise.all(merchants.map(fingerprintOf));
      const answers = await askAll(OPERATIONS_OF_API, (endpoint) => {
        const rows = code === 'MERCHANT_SUSPENDED' ? suspended : owner;
        return ask(endpoint, callerFor(endpoint), { rows, headers: { 'X-Idempotency-Key': randomUUID() } });
      });
      const { status } = ERROR_CATALOGUE[code];
      assert.deepEqual(
        refusalsOf(answers),
        Object.fromEntries(OPERATIONS_OF_API.map((one) => [nameOf(one), [status, code]])),
      );
      assert.deepEqual(await Promise.all(merchants.map(fingerprintOf)), earlier);
    });
  }

  // A key with all scopes but one is refused above, and so is one with fewer.
  it('rejects one alone of several scopes that it needs with INSUFFICIENT_PERMISSIONS, and changes nothing', async () => {
    assert.ok(WITH_SEVERAL_SCOPES.length > 0);
    const earlier = await fingerprintOf(owner.merchant.merchantId);
    for (const [scope, caller] of keyWithOnly) {
      const answers = await askAll(WITH_SEVERAL_SCOPES, (endpoint) => ask(endpoint, caller, { rows: owner }));
      const expected = WITH_SEVERAL_SCOPES.map((one) => [nameOf(one), [403, 'INSUFFICIENT_PERMISSIONS']]);
      assert.deepEqual(refusalsOf(answers), Object.fromEntries(expected), scope);
    }
    assert.deepEqual(await fingerprintOf(owner.merchant.merchantId), earlier);
  });

  const isOfAccount = (endpoint: ApiOperation) => sampleOf(endpoint)?.owner === 'account';
  for (const [title, strangersOf, isHidden] of [
    ['of another merchant and environment', () => unknown, () => true],
    ['of another account of the same merchant', () => [otherAccount], isOfAccount],
    [
      'of another account than the one that the key is bound to',
      () => [callers.boundToOther],
      (endpoint: ApiOperation) => isOfAccount(endpoint) || sampleOf(endpoint)?.isHiddenFromBound === true,
    ],
  ] as const) {
    it(`treats ids ${title} like unknown ids, and changes nothing`, async () => {
      const named = OPERATIONS_OF_API.filter(isHidden).filter(
        (endpoint) => parameterNamesOf(endpoint).length > 0 && sampleOf(endpoint)?.isNamedByValue !== true,
      );
      const earlier = await fingerprintOf(owner.merchant.merchantId);
      for (const stranger of strangersOf()) {
        const foreign = await askAll(named, (endpoint) => ask(endpoint, stranger, { rows: owner }));
        const unknown = await askAll(named, (endpoint) => ask(endpoint, stranger, { rows: owner, isUnknown: true }));
        const expected = named.map((endpoint) => [nameOf(endpoint), [404, sampleOf(endpoint)?.notFound]]);
        assert.deepEqual(refusalsOf(unknown), Object.fromEntries(expected));
        assert.deepEqual(comparable(foreign), comparable(unknown));
      }
      assert.deepEqual(await fingerprintOf(owner.merchant.merchantId), earlier);
    });
  }

  it('does not change the rows of others if its path names a value that rows of every merchant have', async () => {
    const byValue = OPERATIONS_OF_API.filter((endpoint) => sampleOf(endpoint)?.isNamedByValue === true);
    const rowsOfOwner = () => fingerprintOf(owner.merchant.merchantId);
    const [otherMerchant] = unknown;
    assert.ok(otherMerchant);
    const earlier = await rowsOfOwner();
    await askAll(byValue, (endpoint) => ask(endpoint, otherMerchant, { rows: owner }));
    assert.deepEqual(await rowsOfOwner(), earlier);
  });

  it('accepts the same requests without a fault, and they change rows', async () => {
    const earlier = await fingerprintOf(owner.merchant.merchantId);
    for (const endpoint of OPERATIONS_OF_API) {
      const { status, body } = await ask(endpoint, owner.merchant, { rows: owner });
      assert.ok(![401, 403, 404, 429, 500].includes(status), `${nameOf(endpoint)}: ${JSON.stringify(body)}`);
    }
    assert.notDeepEqual(await fingerprintOf(owner.merchant.merchantId), earlier);
  });
});

/** A kind of key that may execute operations. */
interface Role {
  readonly title: string;
  readonly stateFor: (endpoint: ApiOperation) => KeyState;
  /** The error of the operations that it may not execute although it has their scope. */
  readonly refusalOf: (endpoint: ApiOperation) => ErrorCode | undefined;
}

/** A key hands no key over that has wider limits. */
const cannotRotate = ({ operationId }: ApiOperation) =>
  operationId === 'rotateApiKey' ? 'INSUFFICIENT_PERMISSIONS' : undefined;

const ROLES: readonly Role[] = [
  {
    title: 'with the scopes of the operation alone',
    stateFor: (endpoint) => ({ scopes: scopesOf(endpoint) }),
    // A key writes only keys whose scopes it has itself, and makes no endpoint that receives what it may not read.
    refusalOf: ({ scope, operationId }) =>
      scope === 'api-keys:write' || operationId === 'createWebhookEndpoint' ? 'INSUFFICIENT_PERMISSIONS' : undefined,
  },
  {
    title: 'that is bound to its account',
    stateFor: () => ({ accountBound: true }),
    refusalOf: (endpoint) => {
      if (endpoint.resource !== 'merchants') return cannotRotate(endpoint);
      if (parameterNamesOf(endpoint).length > 0) return 'RESOURCE_NOT_FOUND';
      return endpoint.method === 'get' ? undefined : 'FORBIDDEN';
    },
  },
  {
    title: 'that is bound to addresses',
    stateFor: () => ({ ipAllowlist: ['127.0.0.0/8', '::1'] }),
    refusalOf: cannotRotate,
  },
  {
    title: 'that expires later',
    stateFor: () => ({ expiresAt: new Date(Date.now() + 60 * MINUTE_MS) }),
    refusalOf: cannotRotate,
  },
  // Every new key is on version 2: none has wider limits.
  { title: 'on signature version 2', stateFor: () => ({ signatureVersion: 2 }), refusalOf: () => undefined },
];

/** The API's resources whose changes the audit log records, by the first part of its actions. */
const AUDITED_RESOURCES: Readonly<Record<string, string>> = {
  api_key: 'api-keys',
  merchant_account: 'merchants',
  payment_route: 'payment-routes',
  card_group: 'card-groups',
  route_set: 'route-sets',
  routing_setting: 'routing-settings',
  channel_limit: 'channel-limits',
  webhook_endpoint: 'webhook-endpoints',
  provider_account: 'provider-accounts',
  payment_link: 'payment-links',
  settlement: 'settlements',
  settlement_entry: 'settlements',
  test_clock: 'test-clock',
};
/** Operations that write, but change no settings. */
const NOT_AUDITED = ['testWebhookEndpoint', 'testProviderAccount'];

function isAudited({ resource, scope, operationId }: ApiOperation): boolean {
  const isWrite = scope.endsWith(':write') && !NOT_AUDITED.includes(operationId);
  return isWrite && Object.values(AUDITED_RESOURCES).includes(resource);
}

describe('every endpoint, for a key', function () {
  this.timeout(2 * MINUTE_MS);

  it('records all audited resources', () => {
    assert.deepEqual(
      [...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] ?? ''))].filter(
        // Of payments, refunds and disputes only what people and support staff do is audited; keys change no team.
        (prefix) =>
          !['payment_intent', 'refund', 'dispute', 'team', 'team_member', 'invitation'].includes(prefix) &&
          !Object.hasOwn(AUDITED_RESOURCES, prefix),
      ),
      [],
    );
  });

  for (const { title, stateFor, refusalOf } of ROLES) {
    it(`${title}: executes what the key may do, and records its changes of settings`, async () => {
      const rows = await rowsOfNewMerchant();
      const keys = new Map<string, TestMerchant>();
      const keyFor = async (endpoint: ApiOperation): Promise<TestMerchant> => {
        const state = { scopes: SCOPES_OF_KEYS, ...stateFor(endpoint) };
        const name = JSON.stringify(state.scopes);
        const key = keys.get(name) ?? (await createKey(rows.merchant, 'sandbox', state));
        keys.set(name, key);
        return key;
      };
      for (const endpoint of OPERATIONS_OF_API) {
        const key = await keyFor(endpoint);
        const earlier = await auditEventsBy(key);
        const answer = await ask(endpoint, key, { rows });
        const recorded = (await auditEventsBy(key)) - earlier;
        const what = `${nameOf(endpoint)}: ${JSON.stringify(answer.body)}`;
        const refusal = refusalOf(endpoint);
        if (refusal !== undefined) assertRefused(answer, ERROR_CATALOGUE[refusal].status, refusal);
        else assert.ok(![401, 403, 404, 429, 500].includes(answer.status), what);
        assert.equal(recorded > 0, answer.status < 300 && isAudited(endpoint), what);
      }
    });
  }
});

async function auditEventsBy({ apiKeyId }: TestMerchant): Promise<number> {
  const [row] = await queryStack<{ count: number }>(
    'SELECT count(*)::int AS count FROM audit_event WHERE actor_id = $1',
    [apiKeyId],
  );
  return row?.count ?? 0;
}

async function rowsOfNewMerchant(): Promise<MerchantRows> {
  return createRows(await createMerchant('sandbox', SCOPES_OF_KEYS));
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((one) => whole.includes(one));
}

interface Question {
  /** The merchant rows whose ids the request names. */
  readonly rows: MerchantRows;
  /** Whether the path has unknown ids instead. */
  readonly isUnknown?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(endpoint: ApiOperation, caller: Caller, { rows, isUnknown = false, headers }: Question): Promise<Answer> {
  const named = parametersFor(endpoint, rows);
  const body = bodyFor(endpoint, rows);
  return request(
    {
      method: methodOf(endpoint),
      path: `/api/v1${pathOf(endpoint, isUnknown ? unknownParameters(named) : named)}`,
      headers: { ...headers, ...caller.headers },
      ...(body === undefined ? {} : { body }),
    },
    caller.credentials,
  );
}

type Answers = readonly (readonly [name: string, answer: Answer])[];

function askAll(
  endpoints: readonly ApiOperation[],
  send: (endpoint: ApiOperation) => Promise<Answer>,
): Promise<Answers> {
  return Promise.all(endpoints.map(async (endpoint) => [nameOf(endpoint), await send(endpoint)] as const));
}

/** Status and code by endpoint. */
function refusalsOf(answers: Answers): Record<string, unknown> {
  return Object.fromEntries(
    answers.map(([name, answer]) => [name, [answer.status, answer.status < 300 ? 'done' : failureOf(answer).code]]),
  );
}

/** The parts of responses that could distinguish two rejections. */
function comparable(answers: Answers): Record<string, unknown> {
  return Object.fromEntries(
    answers.map(([name, answer]) => {
      const { requestId: _requestId, ...error } = failureOf(answer);
      const headers = [...answer.headers.keys()].sort();
      return [name, { status: answer.status, error, headers }];
    }),
  );
}
