import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type { ResourceKind } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused } from '../support/envelopes.ts';
import { SIMULATOR_ACCOUNT } from '../support/provider-accounts.ts';
import { createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { assertOneWinnerAtATime, clientOf } from '../support/resources.ts';

/** A resource that merchants create and change, and what its requests are made of. */
interface Resource {
  readonly path: string;
  /** The kind of an id that it has not given out. */
  readonly idKind: ResourceKind;
  readonly fields: object;
  /** The field that the updates change, and its value in one of them. */
  readonly changed: string;
  readonly valueOf: (index: number) => string | number;
  readonly replacedByPut?: boolean;
  /** Operations on one resource besides reading, changing and deleting it. */
  readonly actions?: readonly string[];
  readonly isDeleted: boolean;
  readonly notFound: ErrorCode;
  /** Whether all accounts of the merchant share it. */
  readonly isShared: boolean;
}

const nameOf = (index: number): string => `Name ${index}`;
const RESOURCES: readonly Resource[] = [
  {
    path: '/customers',
    idKind: 'customer',
    fields: { name: 'Zaphira Quill' },
    changed: 'name',
    valueOf: nameOf,
    replacedByPut: true,
    isDeleted: true,
    notFound: 'CUSTOMER_NOT_FOUND',
    isShared: false,
  },
  {
    path: '/payment-routes',
    idKind: 'paymentRoute',
    fields: { provider: 'alpha', paymentMethod: 'card' },
    changed: 'priority',
    valueOf: (index) => index,
    isDeleted: true,
    notFound: 'RESOURCE_NOT_FOUND',
    isShared: true,
  },
  {
    path: '/provider-accounts',
    idKind: 'paymentRoute',
    fields: SIMULATOR_ACCOUNT,
    changed: 'name',
    valueOf: nameOf,
    actions: ['check'],
    isDeleted: false,
    notFound: 'RESOURCE_NOT_FOUND',
    isShared: false,
  },
  {
    path: '/merchants',
    idKind: 'merchantAccount',
    fields: { name: 'Shop five' },
    changed: 'retryBudget',
    valueOf: (index) => index + 1,
    actions: ['suspend', 'activate'],
    isDeleted: false,
    notFound: 'RESOURCE_NOT_FOUND',
    isShared: true,
  },
  {
    path: '/api-keys',
    idKind: 'apiKey',
    fields: { name: 'Reader', scopes: ['customers:read'] },
    changed: 'name',
    valueOf: nameOf,
    actions: ['revoke', 'rotate'],
    isDeleted: false,
    notFound: 'RESOURCE_NOT_FOUND',
    isShared: false,
  },
  {
    path: '/webhook-endpoints',
    idKind: 'webhookEndpoint',
    fields: { url: 'http://127.0.0.1:9/nobody' },
    changed: 'description',
    valueOf: nameOf,
    actions: ['rotate-secret', 'test'],
    isDeleted: true,
    notFound: 'RESOURCE_NOT_FOUND',
    isShared: false,
  },
];

const success = z.object({ data: z.looseObject({ id: z.string() }) });

for (const resource of RESOURCES) {
  const { path, idKind, fields, changed, valueOf, actions = [], notFound } = resource;

  describe(`the contract of ${path}`, function () {
    this.timeout(MINUTE_MS);
    const { merchant, send } = useMerchant();

    const create = async (headers = {}) => {
      const answer = await send('POST', path, fields, headers);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return success.parse(answer.body).data;
    };
    const read = async (id: string) => success.parse((await send('GET', `${path}/${id}`)).body).data;

    it('creates one for an idempotency key, and answers a repeat alike', async () => {
      const headers = { 'X-Idempotency-Key': randomUUID() };
      assert.deepEqual(await create(headers), await create(headers));
    });

    it('accepts one of ten concurrent updates at a time', async () => {
      const { id } = await create();
      for (const method of resource.replacedByPut === true ? (['PATCH', 'PUT'] as const) : (['PATCH'] as const)) {
        const change = (index: number) => send(method, `${path}/${id}`, { [changed]: valueOf(index) });
        await assertOneWinnerAtATime<unknown>(change, { valueOf, read: async () => (await read(id))[changed] });
      }
    });

    it('hides what belongs to others, whatever they request', async () => {
      const created = await create();
      const strangers = [
        await createMerchant(),
        await createAccount(merchant.merchantId, 'production'),
        ...(resource.isShared ? [] : [await createAccount(merchant.merchantId)]),
      ];
      for (const { credentials } of strangers) {
        const ask = clientOf(credentials);
        const one = `${path}/${created.id}`;
        for (const answer of [
          await ask('GET', one),
          await ask('PATCH', one, { [changed]: valueOf(1) }),
          ...(resource.isDeleted ? [await ask('DELETE', one)] : []),
          ...(await Promise.all(actions.map((action) => ask('POST', `${one}/${action}`, {})))),
        ]) {
          assertRefused(answer, 404, notFound);
        }
        assert.ok(!JSON.stringify((await ask('GET', path)).body).includes(created.id));
      }
      const shown = await read(created.id);
      assert.deepEqual({ ...created, ...shown }, created, 'it is as it was created');
    });

    it('knows no id that it has not given out', async () => {
      for (const id of [newId(idKind), '%00', "'", 'pi_1']) {
        assertRefused(await send('GET', `${path}/${id}`), 404, notFound);
      }
    });
  });
}
