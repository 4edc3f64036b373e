import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, describe, it } from 'mocha';
import { mountSecurityTxt } from '../../../../http/server/security-txt.ts';
import { publicKeyOf } from '../../../../vault/card-keys.ts';
import { readApiConfig } from '../../../../config/engine.ts';
import { DAY_MS } from '../../../../domain/time.ts';
import { configErrorOf } from '../../../support/config-error.ts';
import { mountedApp } from '../../../support/described-api.ts';
import { mountedRoutes } from '../../../support/mounted-routes.ts';
import { listenLocally, portOf } from '../../../support/local-server.ts';

const PATH = '/.well-known/security.txt';
const CONTACTS = ['mailto:security@example.com', 'https://example.com/report'];

describe('security.txt', () => {
  let server: Server;
  before(async () => {
    const app = express();
    mountSecurityTxt(app, CONTACTS);
    server = createServer(app);
    await listenLocally(server);
  });
  after(() => server.close());

  it('names the contacts, and expires within a year', async () => {
    const response = await fetch(`http://127.0.0.1:${portOf(server)}${PATH}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    const [first, second, expires = '', ...rest] = (await response.text()).split('\n');
    assert.deepEqual([first, second, rest], [...CONTACTS.map((contact) => `Contact: ${contact}`), ['']]);
    const leftMs = Date.parse(expires.replace(/^Expires: /, '')) - Date.now();
    assert.ok(leftMs > 30 * DAY_MS && leftMs < 365 * DAY_MS, expires);
  });

  it('is served only where SECURITY_CONTACT is set', () => {
    const isMounted = (securityContacts: readonly string[]) =>
      mountedRoutes(mountedApp({ securityContacts })).includes(`GET ${PATH}`);
    assert.deepEqual([isMounted([]), isMounted(CONTACTS)], [false, true]);
  });

  it('accepts mailto, https and tel addresses alone', () => {
    const engine = {
      DATABASE_URL: 'postgresql://user:secret@localhost/payments',
      TEMPORAL_ADDRESS: 'localhost:7233',
      VAULT_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      CARD_PUBLIC_KEY: publicKeyOf({ id: 'c1', bytes: Buffer.alloc(32, 9) }),
    };
    const read = (SECURITY_CONTACT: string) => readApiConfig({ ...engine, SECURITY_CONTACT });
    assert.deepEqual(read(CONTACTS.join(', ')).securityContacts, CONTACTS);
    assert.deepEqual(readApiConfig(engine).securityContacts, []);
    for (const wrong of ['security@example.com', 'http://example.com', 'mailto:a', 'mailto:a@b\nExpires: never']) {
      assert.match(
        configErrorOf(() => read(wrong)),
        /^SECURITY_CONTACT must be a comma-separated list of addresses/,
      );
    }
  });
});
