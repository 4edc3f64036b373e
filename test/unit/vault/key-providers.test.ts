import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { UserError } from '../../../domain/user-error.ts';
import type { KeyProviderSettings } from '../../../domain/key-provider.ts';
import { readKeys } from '../../../vault/key-providers.ts';
import { closeServer, listenLocally } from '../../support/local-server.ts';

const TOKEN = 'token-of-vault';
const KEY = randomBytes(32);

/** The text of a UserError that names neither a key nor a credential. */
function problemOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => assert.fail('the keys were read'),
    (error: unknown) => {
      assert.ok(error instanceof UserError, String(error));
      assert.ok(!error.message.includes(TOKEN) && !error.message.includes(KEY.toString('base64')));
      return error.message;
    },
  );
}

describe('key providers', () => {
  let answer: (request: IncomingMessage, body: string, response: ServerResponse) => void;
  let requests: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      answer(request, body, response);
    });
  });
  let address: URL;
  const awsVariables = ['AWS_ENDPOINT_URL_KMS', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const settingsBefore = awsVariables.map((name) => [name, process.env[name]] as const);

  before(async () => {
    address = new URL(await listenLocally(server));
    const settings = [address.origin, 'eu-central-1', 'AKIDEXAMPLE', TOKEN];
    for (const [index, name] of awsVariables.entries()) process.env[name] = settings[index];
  });
  after(async () => {
    for (const [name, value] of settingsBefore) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    await closeServer(server);
  });

  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const transit = (rest: object = {}, timeoutMs = 10_000): KeyProviderSettings => ({
    name: 'vault-transit',
    timeoutMs,
    transit: { address, token: TOKEN, namespace: null, mount: 'transit', key: 'payments', ...rest },
  });
  const KMS: KeyProviderSettings = { name: 'aws-kms', timeoutMs: 10_000 };

  it('take plain keys as they are', async () => {
    const other = randomBytes(32);
    const text = `k2:${KEY.toString('base64')},k1:${other.toString('base64')}`;
    assert.deepEqual(await readKeys('VAULT_KEYS', text, { name: 'plain' }), [
      { id: 'k2', bytes: KEY },
      { id: 'k1', bytes: other },
    ]);
    const short = `k1:${randomBytes(16).toString('base64')}`;
    assert.match(
      await problemOf(readKeys('VAULT_KEYS', short, { name: 'plain' })),
      /^The key k1 of VAULT_KEYS .*32 bytes/,
    );
  });

  it('have Vault Transit decrypt each key', async () => {
    answer = (_request, _body, response) => json(response, 200, { data: { plaintext: KEY.toString('base64') } });
    requests = [];
    const settings = transit({ namespace: 'team/payments', mount: 'kms/transit' });
    const keys = await readKeys('CARD_KEYS', 'c2:vault:v2:YWJj,c1:vault:v1:ZGVm', settings);
    assert.deepEqual(keys, [
      { id: 'c2', bytes: KEY },
      { id: 'c1', bytes: KEY },
    ]);
    assert.deepEqual(requests.map(({ path: target, body }) => [target, body]).sort(), [
      ['/v1/kms/transit/decrypt/payments', '{"ciphertext":"vault:v1:ZGVm"}'],
      ['/v1/kms/transit/decrypt/payments', '{"ciphertext":"vault:v2:YWJj"}'],
    ]);
    const { headers } = requests[0] ?? assert.fail('no request');
    assert.equal(headers['x-vault-token'], TOKEN);
    assert.equal(headers['x-vault-namespace'], 'team/payments');
  });

  it('say what Vault Transit refuses', async () => {
    const read = (settings = transit()) => problemOf(readKeys('VAULT_KEYS', 'k1:vault:v1:YWJj', settings));
    answer = (_request, _body, response) => json(response, 403, { errors: ['permission denied'] });
    assert.match(await read(), /^The key k1 of VAULT_KEYS cannot be used: http:.* answered 403\. permission denied$/);
    answer = (_request, _body, response) => json(response, 200, { data: { plaintext: 'YWJj' } });
    assert.match(await read(), /has 3 bytes instead of 32/);
    answer = (_request, _body, response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    assert.match(await read(), /cannot be used: fetch failed/);
    answer = (_request, _body, response) => void response.end('<html>');
    assert.match(await read(), /cannot be used/);
    assert.match(await read(transit({ address: new URL('http://127.0.0.1:1') })), /fetch failed \(.*/);
  });

  it('do not wait for ever', async () => {
    answer = () => undefined;
    for (const settings of [transit({}, 300), { ...KMS, timeoutMs: 300 }]) {
      const startedAt = performance.now();
      const problem = await problemOf(readKeys('VAULT_KEYS', 'k1:YWJj', settings));
      assert.match(problem, /did not answer within 300 ms \(KEY_PROVIDER_TIMEOUT_MS\)/);
      assert.ok(performance.now() - startedAt < 5_000);
    }
  }).timeout(15_000);

  it('have AWS KMS decrypt each key', async () => {
    answer = (_request, _body, response) => json(response, 200, { Plaintext: KEY.toString('base64'), KeyId: 'arn' });
    requests = [];
    assert.deepEqual(await readKeys('VAULT_KEYS', 'k1:YWJj', KMS), [{ id: 'k1', bytes: KEY }]);
    const { headers, body } = requests[0] ?? assert.fail('no request');
    assert.equal(headers['x-amz-target'], 'TrentService.Decrypt');
    assert.deepEqual(JSON.parse(body), { CiphertextBlob: 'YWJj' });
    assert.match(headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/kms/);
  }).timeout(15_000);

  it('say what AWS KMS refuses', async () => {
    answer = (_request, _body, response) =>
      json(response, 400, { __type: 'AccessDeniedException', message: 'not authorized to perform: kms:Decrypt' });
    assert.match(
      await problemOf(readKeys('VAULT_KEYS', 'k1:YWJj', KMS)),
      /^The key k1 of VAULT_KEYS cannot be used: AccessDeniedException: not authorized to perform: kms:Decrypt$/,
    );
  }).timeout(15_000);
});
