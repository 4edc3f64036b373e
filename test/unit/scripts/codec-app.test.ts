import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { defaultPayloadConverter } from '@temporalio/common';
import { payloadToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterEach, describe, it } from 'mocha';
import { createCodecApp } from '../../../scripts/codec-app.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { createPayloadCodec } from '../../../vault/payload-codec.ts';
import { listenLocally } from '../../support/local-server.ts';

const UI = 'https://temporal.example';
const TOKEN = 'b'.repeat(32);
const plain = payloadToJSON(defaultPayloadConverter.toPayload({ amountMinor: 1_999 }));
const codec = createPayloadCodec(parseKeyring(`k1:${randomBytes(32).toString('base64')}`), { encrypts: true });

describe('codec server', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function start(token: string | null = null): Promise<string> {
    server = createServer(createCodecApp({ codec, origins: [UI], token }));
    return listenLocally(server);
  }
  const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('encodes and decodes payloads as the Temporal UI and CLI ask for it', async () => {
    const url = await start();
    const encoded: unknown = await (await post(`${url}/encode`, { payloads: [plain] }, { origin: UI })).json();
    assert.ok(!JSON.stringify(encoded).includes(plain.data ?? ''));
    const decoded = await post(`${url}/default/decode`, encoded, { origin: UI });
    assert.deepEqual(await decoded.json(), { payloads: [plain] });
    assert.equal(decoded.headers.get('access-control-allow-origin'), UI);
    assert.equal(decoded.headers.get('access-control-allow-credentials'), 'true');
  });

  it('answers the preflight request of the configured UI only, and without its token', async () => {
    const url = await start(TOKEN);
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${url}/decode`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-namespace' },
      });
    const allowed = await preflight(UI);
    assert.equal(allowed.status, 204);
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /X-Namespace/);
    const refused = await preflight('https://elsewhere.example');
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    assert.equal((await post(`${url}/decode`, { payloads: [plain] }, { origin: 'null' })).status, 403);
  });

  it('asks for its token, as a bearer token or as the password of a browser', async () => {
    const url = await start(TOKEN);
    const status = async (authorization: string): Promise<number> =>
      (await post(`${url}/decode`, { payloads: [plain] }, { authorization })).status;
    assert.equal(await status(`Bearer ${TOKEN}`), 200);
    assert.equal(await status(`Basic ${btoa(`support:${TOKEN}`)}`), 200);
    for (const wrong of ['', 'Bearer', `Bearer ${TOKEN}b`, `Basic ${btoa(`${TOKEN}:`)}`, TOKEN]) {
      assert.equal(await status(wrong), 401, wrong);
    }
    const signIn = await fetch(url);
    assert.equal(signIn.status, 401);
    assert.match(signIn.headers.get('www-authenticate') ?? '', /^Basic /);
    assert.equal((await fetch(url, { headers: { authorization: `Basic ${btoa(`:${TOKEN}`)}` } })).status, 200);
  });

  it('says what is wrong with a body, and nothing of its content', async () => {
    const url = await start();
    const forged = {
      metadata: { encoding: btoa('binary/encrypted'), 'encryption-key-id': btoa('k1') },
      data: btoa('forged'),
    };
    for (const body of ['{', {}, { payloads: [{ data: '§' }] }, { payloads: [forged] }]) {
      const response = await post(`${url}/decode`, body);
      assert.equal(response.status, 400);
      assert.doesNotMatch(await response.text(), /forged|node_modules/);
    }
    assert.equal((await post(`${url}/other`, {})).status, 404);
  });
});
