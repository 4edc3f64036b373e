import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { planPayment } from '../../../activities/plan-payment.ts';
import { deleteCardGroup, insertCardGroup } from '../../../accounts/card-groups/stored-group.ts';
import { listRoutes } from '../../../accounts/payment-routes/stored-route.ts';
import { deleteRoute, insertRoute, MAXIMUM_ROUTES, updateRoute } from '../../../accounts/payment-routes/write.ts';
import {
  activateRouteSet,
  insertRouteSet,
  listRouteSets,
  MAXIMUM_ROUTE_SETS,
  readRouteSet,
} from '../../../accounts/route-sets/stored-set.ts';
import { backTest } from '../../../api/resources/route-sets/back-test.ts';
import { createPaymentRouteBody } from '../../../contract/schemas/payment-route.ts';
import { createRouteSetBody } from '../../../contract/schemas/route-set.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Principal } from '../../../domain/principal.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { SIMULATOR_CAPABILITIES } from '../../../providers/simulator/simulator-provider.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount, insertPaymentAttempt, insertPaymentIntent } from '../../support/payment-rows.ts';
import { principalWith } from '../../support/principal.ts';

const PROVIDERS = ['alpha', 'beta'];
const REGISTRY = {
  find: () => Promise.resolve(undefined),
  offersFor: () => new Map(PROVIDERS.map((name) => [name, SIMULATOR_CAPABILITIES])),
  offerOfAccount: () => SIMULATOR_CAPABILITIES,
};

describe('sets of routes', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  const newAccess = async (): Promise<Principal> => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    return principalWith({ merchantId, merchantAccountId });
  };
  const insert = (principal: Principal, fields: object = {}) =>
    insertRoute(test.database, principal, {
      id: newId('paymentRoute'),
      fields: createPaymentRouteBody.parse({ provider: 'alpha', paymentMethod: 'card', ...fields }),
    });
  const propose = (principal: Principal, fields: object, id = newId('routeSet')) =>
    insertRouteSet(test.database, principal, { id, fields: createRouteSetBody.parse(fields), providers: PROVIDERS });
  const activate = (principal: Principal, id: string, currentRoutesVersion?: string, providers = PROVIDERS) =>
    activateRouteSet(test.database, principal, { id, currentRoutesVersion, providers });
  const routesOf = async (principal: Principal) => {
    const { rows } = await listRoutes(test.database, principal, { page: 1, limit: 100 });
    return new Map(
      rows.map(({ id, provider, weight, priority, active }) => [id, { provider, weight, priority, active }]),
    );
  };
  const refusedFields = async (work: Promise<unknown>): Promise<readonly string[]> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === 'VALIDATION_ERROR', String(error));
      return (error.details?.['fields'] as { field: string }[]).map(({ field }) => field);
    }
    throw new Error('nothing was refused');
  };

  it('change nothing until they are activated, then everything at once, and can be taken back', async () => {
    const principal = await newAccess();
    const [alpha, beta, old] = [
      await insert(principal),
      await insert(principal, { provider: 'beta' }),
      await insert(principal, { priority: 200 }),
    ];
    const before = await routesOf(principal);
    const set = await propose(principal, {
      description: 'Most to beta',
      update: [
        { id: alpha.id, sharePercent: 15 },
        { id: beta.id, sharePercent: 80 },
      ],
      create: [{ provider: 'beta', paymentMethod: 'card', sharePercent: 5, currencies: ['EUR', 'EUR'] }],
      delete: [old.id],
    });
    assert.deepEqual(set.changes.map(({ change }) => change).sort(), ['created', 'deleted', 'updated', 'updated']);
    assert.deepEqual(
      set.routes.map(({ sharePercent }) => sharePercent).sort((a, b) => (a ?? 0) - (b ?? 0)),
      [5, 15, 80],
    );
    assert.equal(set.isActive, false);
    assert.deepEqual(await routesOf(principal), before);

    const active = await activate(principal, set.id, set.currentRoutesVersion);
    assert.deepEqual([active.isActive, active.changes], [true, []]);
    const now = await routesOf(principal);
    assert.deepEqual(
      [now.size, now.get(alpha.id)?.weight, now.get(beta.id)?.weight, now.has(old.id)],
      [3, 15, 80, false],
    );
    const { rows: sets } = await listRouteSets(test.database, principal, { page: 1, limit: 10 });
    assert.deepEqual(
      sets.map(({ id, isActive }) => [id, isActive]),
      [
        [active.replacedSetId, false],
        [set.id, true],
      ],
    );

    const undone = await activate(principal, active.replacedSetId ?? '');
    assert.deepEqual(await routesOf(principal), before);
    assert.equal(undone.replacedSetId, set.id);
    assert.equal((await activate(principal, set.id)).replacedSetId, undone.id);
  });

  it('write each changed route and the activation into the audit log', async () => {
    const principal = await newAccess();
    const [kept, gone] = [await insert(principal), await insert(principal, { provider: 'beta' })];
    const set = await propose(principal, {
      update: [{ id: kept.id, priority: 5 }],
      delete: [gone.id],
      create: [{ provider: 'beta', paymentMethod: 'upi' }],
    });
    const since = await test.database.auditEvent.count({ where: { merchantId: principal.merchantId } });
    await activate(principal, set.id);
    await activate(principal, set.id);
    const events = await test.database.auditEvent.findMany({
      where: { merchantId: principal.merchantId },
      orderBy: { createdAt: 'asc' },
      skip: since,
    });
    assert.deepEqual(events.map(({ action }) => action).sort(), [
      'payment_route.created',
      'payment_route.deleted',
      'payment_route.updated',
      'route_set.activated',
      'route_set.created',
    ]);
    const updated = events.find(({ action }) => action === 'payment_route.updated');
    assert.equal((updated?.before as { priority: number }).priority, 100);
    assert.equal((updated?.after as { priority: number }).priority, 5);
  });

  it('are not activated over a change that their reader has not seen', async () => {
    const principal = await newAccess();
    const route = await insert(principal);
    const set = await propose(principal, { update: [{ id: route.id, priority: 5 }] });
    await updateRoute(test.database, principal, { id: route.id, fields: { weight: 7 }, providers: PROVIDERS });
    await assert.rejects(activate(principal, set.id, set.currentRoutesVersion), { code: 'STATE_CONFLICT' });
    const { currentRoutesVersion, changes } = await readRouteSet(test.database, principal, set.id);
    assert.deepEqual([changes[0]?.before?.weight, changes[0]?.after?.weight], [7, 1]);
    await activate(principal, set.id, currentRoutesVersion);
    await deleteRoute(test.database, principal, route.id);
    const { changes: restored } = await readRouteSet(test.database, principal, set.id);
    assert.deepEqual(
      restored.map(({ change, routeId }) => [change, routeId]),
      [['created', route.id]],
    );
  });

  it('are not activated if a route leads to a provider or names a group that there is not any more', async () => {
    const principal = await newAccess();
    const fields = { name: 'Corporate', prefixes: ['411111'] };
    const group = await insertCardGroup(test.database, principal, { id: newId('cardGroup'), fields });
    const [route, other] = [await insert(principal), await insert(principal)];
    const grouped = await propose(principal, { update: [{ id: route.id, cardGroups: [group.id] }] });
    const moved = await propose(principal, { update: [{ id: route.id, provider: 'beta' }], delete: [other.id] });
    await deleteCardGroup(test.database, principal, group.id);
    const before = await routesOf(principal);
    await assert.rejects(activate(principal, grouped.id), { code: 'STATE_CONFLICT' });
    await assert.rejects(activate(principal, moved.id, undefined, ['alpha']), { code: 'STATE_CONFLICT' });
    assert.deepEqual(await routesOf(principal), before);
  });

  it('name every field that contradicts another, or names what there is not', async () => {
    const principal = await newAccess();
    const [one, two, idle] = [
      await insert(principal),
      await insert(principal, { provider: 'beta' }),
      await insert(principal, { active: false }),
    ];
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ update: [{ id: newId('paymentRoute') }] }, ['update.0.id']],
      [{ update: [{ id: one.id }], delete: [one.id, 'rt_none'] }, ['delete.0', 'delete.1']],
      [{ update: [{ id: one.id, sharePercent: 100 }] }, ['update.0.sharePercent']],
      [
        {
          update: [
            { id: one.id, sharePercent: 60 },
            { id: two.id, sharePercent: 30 },
          ],
        },
        ['update.0.sharePercent'],
      ],
      [{ update: [{ id: idle.id, sharePercent: 100 }] }, ['update.0.sharePercent']],
      [{ update: [{ id: one.id, priority: 7, weight: 3, sharePercent: 100 }] }, ['update.0.weight']],
      [{ update: [{ id: one.id, amountMin: 5 }] }, ['update.0.amountMin']],
      [{ update: [{ id: one.id, cardGroups: [newId('cardGroup')] }] }, ['update.0.cardGroups.0']],
      [{ update: [{ id: one.id, provider: 'gone' }] }, ['update.0.provider']],
      [{ create: [{ provider: 'alpha', paymentMethod: 'upi', cardBrands: ['visa'] }] }, ['create.0.cardBrands']],
    ];
    for (const [fields, expected] of cases) {
      assert.deepEqual(await refusedFields(propose(principal, fields)), expected, JSON.stringify(fields));
    }
    await propose(principal, { update: [{ id: one.id, sharePercent: 100 }], delete: [two.id] });
  });

  it('are those of one merchant in one environment, once for each execution of a request, and the newest ones alone', async () => {
    const principal = await newAccess();
    const id = newId('routeSet');
    const first = await propose(principal, {}, id);
    assert.deepEqual(await propose(principal, {}, id), first);
    for (const stranger of [await newAccess(), { ...principal, environment: 'production' as const }]) {
      await assert.rejects(readRouteSet(test.database, stranger, id), { code: 'RESOURCE_NOT_FOUND' });
      await assert.rejects(activate(stranger, id), { code: 'RESOURCE_NOT_FOUND' });
      assert.equal((await listRouteSets(test.database, stranger, { page: 1, limit: 10 })).total, 0);
    }
    for (let made = 1; made <= MAXIMUM_ROUTE_SETS; made += 1) await propose(principal, {});
    assert.equal((await listRouteSets(test.database, principal, { page: 1, limit: 1 })).total, MAXIMUM_ROUTE_SETS);
    await assert.rejects(readRouteSet(test.database, principal, id), { code: 'RESOURCE_NOT_FOUND' });
  });

  it('have at most as many routes as a merchant', async () => {
    const principal = await newAccess();
    await insert(principal);
    const create = Array.from({ length: MAXIMUM_ROUTES }, () => ({ provider: 'alpha', paymentMethod: 'card' }));
    assert.deepEqual(await refusedFields(propose(principal, { create })), ['create']);
  });

  it('are seen as a whole by a payment that is planned while they change', async () => {
    const principal = await newAccess();
    const { merchantAccountId, environment } = principal;
    const [alpha, beta] = [await insert(principal), await insert(principal, { provider: 'beta', priority: 200 })];
    const swapped = await propose(principal, {
      update: [
        { id: alpha.id, priority: 200 },
        { id: beta.id, priority: 100, provider: 'beta' },
      ],
    });
    const { replacedSetId } = await activate(principal, swapped.id);
    const terms = { amountMinor: 1_000, currency: 'EUR', country: null, captureMethod: 'automatic' as const };
    const isChanging = { now: true };
    const plans: string[] = [];
    const planning = (async () => {
      while (isChanging.now) {
        const request = { paymentIntentId: newId('paymentIntent'), merchantAccountId, environment, terms };
        const plan = await planPayment(test.database, REGISTRY, {
          ...request,
          method: 'card',
          paymentMethodId: 'pm_none',
          attemptsMade: 0,
        });
        plans.push(plan.routes.map(({ provider }) => provider).join());
      }
    })();
    for (let turn = 0; turn < 10; turn += 1) {
      await activate(principal, turn % 2 === 0 ? (replacedSetId ?? '') : swapped.id);
    }
    isChanging.now = false;
    await planning;
    assert.ok(plans.length > 0 && plans.every((plan) => ['alpha,beta', 'beta,alpha'].includes(plan)), plans.join(' '));
  });

  const pay = async (
    principal: Principal,
    index: number,
    fields: { provider: string; outcome: string; currency?: string },
  ) => {
    const { merchantAccountId, environment } = principal;
    const { provider, outcome, currency = 'EUR' } = fields;
    const createdAt = new Date(Date.now() - 60_000 - index);
    const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId, { currency, createdAt });
    const paymentMethodId = newId('paymentMethod');
    await test.database.paymentMethod.create({
      data: {
        id: paymentMethodId,
        merchantAccountId,
        environment,
        paymentIntentId,
        type: 'card',
        masked: { type: 'card', brand: 'visa' },
        keyId: 'none',
      },
    });
    await insertPaymentAttempt(test.database, paymentIntentId, { paymentMethodId, provider, outcome, currency });
  };

  it('are back-tested with the payments of the last days of the account, without a change', async () => {
    const principal = await newAccess();
    const route = await insert(principal);
    for (let index = 0; index < 20; index += 1) {
      await pay(principal, index, { provider: 'alpha', outcome: index < 10 ? 'approved' : 'declined' });
      await pay(principal, index, { provider: 'beta', outcome: 'approved' });
    }
    await pay(principal, 0, { provider: 'alpha', outcome: 'approved', currency: 'USD' });
    await pay(principal, 8 * DAY_MS, { provider: 'alpha', outcome: 'approved' });
    const stranger = await newAccess();
    await pay(stranger, 0, { provider: 'alpha', outcome: 'approved' });
    const set = await propose(principal, { update: [{ id: route.id, provider: 'beta', currencies: ['EUR'] }] });
    const result = await backTest({ database: test.database, registry: REGISTRY }, principal, {
      id: set.id,
      days: 7,
      limit: 1_000,
    });
    assert.deepEqual(
      [result.payments, result.isComplete, result.approved, result.expectedApproved, result.unrated],
      [41, true, 31, 40, 0],
    );
    assert.deepEqual(result.moves, [{ from: 'alpha', to: 'beta', payments: 20 }]);
    assert.deepEqual(result.refusals, [{ code: 'NO_TSP_AVAILABLE', payments: 1 }]);
    assert.deepEqual(
      result.providers.map(({ provider, actualPayments, proposedPayments, approvalRate }) => [
        provider,
        actualPayments,
        proposedPayments,
        approvalRate,
      ]),
      [
        ['beta', 20, 40, 1],
        ['alpha', 21, 0, 0.5238],
      ],
    );
    const limited = await backTest({ database: test.database, registry: REGISTRY }, principal, {
      id: set.id,
      days: 7,
      limit: 5,
    });
    assert.deepEqual([limited.payments, limited.isComplete], [5, false]);
    await assert.rejects(
      backTest({ database: test.database, registry: REGISTRY }, stranger, { id: set.id, days: 7, limit: 5 }),
      { code: 'RESOURCE_NOT_FOUND' },
    );
  });
});
