import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import bruno from '@usebruno/lang';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { BRUNO_COLLECTION } from '../support/bruno-requests.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';

/** What Bruno gives scripts to import, as far as the collection uses it. */
const PACKAGES: Readonly<Record<string, object>> = {
  'crypto-js': {
    SHA256: (text: string) => createHash('sha256').update(text).digest('hex'),
    HmacSHA256: (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex'),
  },
  uuid: { v4: randomUUID },
};

const responseSchema = z.object({
  success: z.literal(true),
  data: z.union([z.array(z.looseObject({})), z.looseObject({})]),
});
type Response = z.infer<typeof responseSchema>;

describe('the Bruno collection', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;

  before(async () => {
    merchant = await createMerchant();
  });

  for (const signatureVersion of [1, 2] as const) {
    it(`pays and refunds, signed with version ${signatureVersion}`, async () => {
      const { credentials } = await createKey(merchant, 'sandbox', { signatureVersion });
      const { baseUrl, apiKey, secretSalt } = credentials;
      const variables = { baseUrl, apiKey, secretSalt, signatureVersion: String(signatureVersion), merchantId: '' };
      const collection = await openCollection({ ...variables, paymentMethod: 'card', currency: 'EUR' });

      const created = await collection.send('payment-intents/create');
      const confirmed = await collection.send('payment-intents/confirm');
      assert.deepEqual(pick(confirmed, 'id', 'status'), { ...pick(created, 'id'), status: 'succeeded' });
      const refund = await collection.send('refunds/create');
      assert.deepEqual(await collection.send('refunds/get'), refund);
      // Events are listed once they are numbered.
      const [first] = await eventually(async () =>
        z
          .array(z.looseObject({}))
          .min(1)
          .parse(await collection.send('events/list')),
      );
      assert.deepEqual(await collection.send('events/get'), first);
      assert.equal(pick(await collection.send('customers/create'), 'object').object, 'customer');
      assert.deepEqual(await collection.send('customers/list', { 'metadata[key]': 'none has it' }), []);
      assert.equal(pick(await collection.send('customers/delete'), 'deleted').deleted, true);
      assert.equal(pick(await collection.send('channel-limits/put'), 'currency').currency, 'EUR');
    });
  }
});

function pick(data: Response['data'], ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.includes(name)));
}

/** Sends requests of the collection as Bruno does: the one script before each, and the other after it. */
async function openCollection(environment: Readonly<Record<string, string>>) {
  const { script } = bruno.collectionBruToJson(await readText('collection.bru'));
  const variables = new Map<string, unknown>();
  const valueOf = (name: string) => variables.get(name) ?? environment[name];
  const bru = {
    getVar: (name: string) => variables.get(name),
    setVar: (name: string, value: unknown) => void variables.set(name, value),
    getEnvVar: (name: string) => environment[name],
    interpolate: (text: string) =>
      text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(valueOf(name) ?? whole)),
  };
  const run = (source: string, globals: object) =>
    runInContext(
      `(() => {${source}})()`,
      createContext({ bru, require: (name: string) => PACKAGES[name], ...globals }),
    );

  return {
    /** @param query values for parameters of the request */
    async send(name: string, query: Readonly<Record<string, string>> = {}): Promise<Response['data']> {
      const { http, body, params } = bruno.bruToJsonV2(await readText(`${name}.bru`));
      const names = params?.map((parameter) => parameter.name) ?? [];
      assert.deepEqual(
        Object.keys(query).filter((parameter) => !names.includes(parameter)),
        [],
      );
      const pairs = Object.entries(query).map(([parameter, value]) => `${parameter}=${value}`);
      const url = pairs.length === 0 ? http.url : `${http.url}?${pairs.join('&')}`;
      const sent = { url, body: body?.json, headers: {} as Record<string, string> };
      if (sent.body !== undefined) sent.headers['content-type'] = 'application/json';
      const req = {
        getUrl: () => sent.url,
        setUrl: (url: string) => void (sent.url = url),
        getMethod: () => http.method.toUpperCase(),
        getHeaders: () => sent.headers,
        setHeader: (header: string, value: string) => void (sent.headers[header] = value),
        getBody: () => sent.body,
        setBody: (text: string) => void (sent.body = text),
      };
      run(script.req, { req });
      const { body: content, headers } = sent;
      const response = await fetch(sent.url, {
        method: http.method.toUpperCase(),
        headers,
        ...(content === undefined ? {} : { body: content }),
        signal: AbortSignal.timeout(30_000),
      });
      const answer: unknown = await response.json();
      const parsed = responseSchema.safeParse(answer);
      assert.ok(parsed.success, `${name}: ${JSON.stringify(answer)}`);
      run(script.res, { res: { getBody: () => answer } });
      return parsed.data.data;
    },
  };
}

function readText(name: string): Promise<string> {
  return readFile(path.join(PROJECT_ROOT, BRUNO_COLLECTION, name), 'utf8');
}
