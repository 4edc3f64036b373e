import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readApiConfig, readCodecServerConfig, readGatewayConfig, readWorkerConfig } from '../../../config/engine.ts';
import { configErrorOf } from '../../support/config-error.ts';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ENGINE = {
  DATABASE_URL: 'postgresql://user:secret@localhost:5432/payments',
  TEMPORAL_ADDRESS: 'localhost:7233',
  VAULT_KEYS: KEY,
  CARD_KEYS: KEY,
  CARD_PUBLIC_KEY: `k1:${Buffer.alloc(64, 7).toString('base64')}`,
};
const WEBHOOK_SECRETS = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
const SIMULATOR_SECRETS = {
  SIMULATOR_API_KEYS: 'alpha=a-key-that-is-long-enough,beta=another-key=long-enough',
  SIMULATOR_WEBHOOK_SECRETS: `alpha=${WEBHOOK_SECRETS[0]}, beta=${WEBHOOK_SECRETS[1]}`,
};

describe('configuration of the engine', () => {
  it('requires only the database, Temporal and the keys of the vault', () => {
    const config = readApiConfig(ENGINE);
    assert.equal(config.port, 3_000);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.tls, null);
    assert.deepEqual(config.simulators, []);
    assert.deepEqual(config.rateLimits, {
      sandbox: 100,
      production: 1_000,
      unauthenticated: 100,
      person: 600,
      sockets: 1_000,
    });
    assert.equal(config.redis, null);
    assert.equal(config.allowPrivateWebhooksInSandbox, false);
    assert.equal(readWorkerConfig(ENGINE).providerTimeoutMs, 10_000);
    const limits = { ...ENGINE, PROVIDER_REQUESTS_PER_SECOND: 'stripe=12, adyen=50' };
    assert.deepEqual(
      [...readWorkerConfig(limits).providerRequestsPerSecond],
      [
        ['stripe', 12],
        ['adyen', 50],
      ],
    );
    assert.equal(readWorkerConfig(ENGINE).makeCurrent, true);
  });

  it('names every missing variable at once', () => {
    assert.deepEqual(
      configErrorOf(() => readWorkerConfig({}))
        .split('\n')
        .map((line) => line.split(' ')[0]),
      ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'VAULT_KEYS', 'CARD_KEYS'],
    );
    const { CARD_PUBLIC_KEY: _public, ...withoutPublicKey } = ENGINE;
    assert.match(
      configErrorOf(() => readApiConfig(withoutPublicKey)),
      /^CARD_PUBLIC_KEY is missing; it must be .*npm run card-key/,
    );
    const { CARD_KEYS: _private, ...withoutPrivateKeys } = ENGINE;
    assert.ok(!('cardKeys' in readApiConfig(withoutPrivateKeys)), 'the API needs and reads no private card key');
  });

  it('accepts the http(s) address of a proxy for webhooks, and never shows its password', () => {
    const read = (WEBHOOK_PROXY_URL: string) => readWorkerConfig({ ...ENGINE, WEBHOOK_PROXY_URL });
    assert.equal(readWorkerConfig(ENGINE).webhookProxy, null);
    assert.equal(read('http://user:word@proxy.example:3128').webhookProxy?.host, 'proxy.example:3128');
    const problem = configErrorOf(() => read('socks5://user:word@proxy.example'));
    assert.match(problem, /^WEBHOOK_PROXY_URL must be the http\(s\) address of a proxy/);
    assert.doesNotMatch(problem, /word@/);
  });

  it('treats an empty value as not set', () => {
    assert.equal(readApiConfig({ ...ENGINE, PORT: '  ' }).port, 3_000);
  });

  it('encrypts no payloads unless it is told to', () => {
    assert.equal(readWorkerConfig(ENGINE).temporal.encryptPayloads, false);
    assert.equal(readApiConfig({ ...ENGINE, TEMPORAL_ENCRYPT_PAYLOADS: 'true' }).temporal.encryptPayloads, true);
  });

  it('lets the codec server listen on this machine, and elsewhere only with a token', () => {
    const config = readCodecServerConfig({ VAULT_KEYS: KEY });
    assert.deepEqual([config.host, config.port, config.origins, config.token], ['127.0.0.1', 8_234, [], null]);
    const open = { VAULT_KEYS: KEY, CODEC_SERVER_HOST: '0.0.0.0' };
    assert.match(
      configErrorOf(() => readCodecServerConfig(open)),
      /^CODEC_SERVER_HOST can be reached by other machines, so CODEC_SERVER_TOKEN must be set\.$/,
    );
    const token = 'b'.repeat(32);
    assert.equal(readCodecServerConfig({ ...open, CODEC_SERVER_TOKEN: token }).token, token);
    for (const wrong of [{ CODEC_SERVER_TOKEN: 'short' }, { CODEC_SERVER_ORIGINS: 'https://ui.example/path' }]) {
      assert.ok(configErrorOf(() => readCodecServerConfig({ VAULT_KEYS: KEY, ...wrong })));
    }
  });

  describe('of the connection to PostgreSQL', () => {
    const read = (address: string, settings = {}) => readApiConfig({ ...ENGINE, DATABASE_URL: address, ...settings });

    it('needs verified TLS to another machine, unless less is allowed by name', () => {
      const remote = 'postgresql://user:secret@db.example/payments';
      for (const address of [remote, `${remote}?sslmode=require`, 'postgresql://u:p@127.0.0.1/x?host=db.example']) {
        const problem = configErrorOf(() => read(address));
        assert.match(problem, /^DATABASE_URL names another machine, so it must ask for verified TLS/);
        assert.doesNotMatch(problem, /secret/);
        assert.equal(read(address, { DATABASE_ALLOW_PLAINTEXT: 'true' }).databaseUrl, address);
      }
      assert.ok(read(`${remote}?sslmode=verify-full`));
    });

    it('needs none to this machine', () => {
      for (const host of ['localhost', '127.0.0.1:5433', '[::1]', 'localhost']) {
        assert.ok(read(`postgresql://user:secret@${host}/payments`));
      }
      assert.ok(read('postgresql://user:secret@db.example/payments?host=/var/run/postgresql'));
    });
  });

  describe('of the connection to Temporal', () => {
    const REMOTE = { ...ENGINE, TEMPORAL_ADDRESS: 'temporal.example:7233' };
    const folder = path.join(tmpdir(), `temporal-tls-${randomUUID()}`);
    const pem = path.join(folder, 'a.pem');
    before(() => {
      mkdirSync(folder);
      writeFileSync(pem, '-----BEGIN CERTIFICATE-----');
    });
    after(() => rmSync(folder, { recursive: true }));

    it('speaks plain text to this machine only, unless it is allowed by name', () => {
      assert.equal(readApiConfig(ENGINE).temporal.tls, null);
      assert.equal(readApiConfig({ ...ENGINE, TEMPORAL_ADDRESS: '127.0.0.9:7233' }).temporal.tls, null);
      for (const TEMPORAL_ADDRESS of ['temporal.example:7233', '10.0.0.1:7233', 'localhost.example:7233']) {
        assert.match(
          configErrorOf(() => readWorkerConfig({ ...ENGINE, TEMPORAL_ADDRESS })),
          /^TEMPORAL_ADDRESS names another machine, so TEMPORAL_TLS must be true/,
        );
      }
      assert.equal(readApiConfig({ ...REMOTE, TEMPORAL_ALLOW_PLAINTEXT: 'true' }).temporal.tls, null);
    });

    it('uses TLS where a variable asks for it or needs it', () => {
      const plain = { authorities: null, client: null, serverName: null };
      assert.deepEqual(readApiConfig({ ...REMOTE, TEMPORAL_TLS: 'true' }).temporal.tls, plain);
      const { tls, apiKey } = readApiConfig({ ...REMOTE, TEMPORAL_API_KEY: 'key' }).temporal;
      assert.deepEqual([tls, apiKey], [plain, 'key']);
      const files = { TEMPORAL_TLS_CA_FILE: pem, TEMPORAL_TLS_CERT_FILE: pem, TEMPORAL_TLS_KEY_FILE: pem };
      const content = Buffer.from('-----BEGIN CERTIFICATE-----');
      assert.deepEqual(readApiConfig({ ...REMOTE, ...files }).temporal.tls, {
        authorities: content,
        client: { certificate: content, key: content },
        serverName: null,
      });
    });

    it('names a file that it cannot use, and a certificate without its key', () => {
      const text = path.join(folder, 'text');
      writeFileSync(text, 'no PEM');
      const settings = { ...REMOTE, TEMPORAL_TLS_CA_FILE: text, TEMPORAL_TLS_CERT_FILE: path.join(folder, 'none') };
      assert.deepEqual(configErrorOf(() => readApiConfig(settings)).split('\n'), [
        'TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE must be set together or not at all.',
        'The file that TEMPORAL_TLS_CA_FILE names must be in PEM format.',
      ]);
    });
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['PORT', '0'],
    ['PORT', '70000'],
    ['PORT', '3e3'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL_SIZE', '-1'],
    ['TEMPORAL_ADDRESS', 'http://localhost:7233'],
    ['RATE_LIMIT_SANDBOX', 'many'],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['VAULT_KEYS', 'k1:c2hvcnQ='],
    ['VAULT_KEYS', `${KEY},${KEY}`],
    ['VAULT_KEYS', 'k1:vault:v1:c2hvcnQ='],
    ['CARD_PUBLIC_KEY', KEY],
    ['KEY_PROVIDER', 'gcp'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'loopback, ::/0'],
    ['TRUST_PROXY', '128.0.0.0/1'],
    ['SIMULATORS', 'alpha'],
    ['SIMULATORS', 'alpha=http://a,alpha=http://b'],
    ['EVM_ACCOUNTS', '[{"name":"evm","environment":"test","credentials":{}}]'],
    ['EVM_ACCOUNTS', '{"name":"evm"}'],
    ['EVM_ACCOUNTS', 'evm'],
    ['PROVIDER_API_URLS', 'evm=http://127.0.0.1:1'],
    ['ALLOW_SIMULATOR_IN_PRODUCTION', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['CONFIRM_WAIT_MS', '99'],
    ['CONFIRM_TARGET_MS', '60001'],
    ['SOCKETS_PER_ADDRESS', '0'],
    ['GATEWAY_IN_API', 'off'],
    ['SOCKET_ORIGINS', 'https://shop.example/path'],
    ['SOCKET_ORIGINS', 'shop.example'],
    ['DATABASE_URL', 'http://127.0.0.1/x'],
  ];
  for (const [name, value] of wrong) {
    it(`rejects ${name}=${value} with one line that names it and does not repeat the value`, () => {
      const message = configErrorOf(() => readApiConfig({ ...ENGINE, [name]: value }));
      assert.match(message, new RegExp(`^${name} must [^\n]+\\.$`));
      assert.ok(name !== 'VAULT_KEYS' || !message.includes(value));
    });
  }

  it('takes limits of requests for vendors alone, one each', () => {
    for (const value of ['evm=5', 'stripe=0', 'stripe=5,stripe=6', 'stripe']) {
      const message = configErrorOf(() => readWorkerConfig({ ...ENGINE, PROVIDER_REQUESTS_PER_SECOND: value }));
      assert.match(message, /^PROVIDER_REQUESTS_PER_SECOND must [^\n]+\.$/);
    }
  });

  it('requires neither Temporal nor the vault keys for a gateway process', () => {
    const { DATABASE_URL } = ENGINE;
    const config = readGatewayConfig({ DATABASE_URL, SOCKET_ORIGINS: 'https://shop.example, http://localhost:8080' });
    assert.deepEqual(config.socketOrigins, ['https://shop.example', 'http://localhost:8080']);
    assert.equal(config.port, 3_001);
    assert.equal(config.vault, null);
    assert.equal(readGatewayConfig({ DATABASE_URL, VAULT_KEYS: KEY }).vault?.vaultKeys, KEY);
    assert.match(
      configErrorOf(() => readGatewayConfig({})),
      /^DATABASE_URL is missing/,
    );
  });

  it('leaves the credentials of accounts on EVM chains to their adapter, and refuses two of one name', () => {
    const account = { name: 'evm', environment: 'sandbox', credentials: { rpcUrl: 'https://node.example/secret' } };
    const accounts = [account, { ...account, name: 'evm-2' }];
    assert.deepEqual(readApiConfig(ENGINE).evmAccounts, []);
    const read = (given: unknown) => readApiConfig({ ...ENGINE, EVM_ACCOUNTS: JSON.stringify(given) });
    assert.deepEqual(read(accounts).evmAccounts, accounts);
    const message = configErrorOf(() => read([account, account]));
    assert.match(message, /^EVM_ACCOUNTS must be JSON/);
    assert.ok(!message.includes('secret'));
  });

  it('accepts several vault keys, simulators and proxies', () => {
    const keys = `${KEY},old:${Buffer.alloc(32, 9).toString('base64')}`;
    const config = readApiConfig({
      ...ENGINE,
      ...SIMULATOR_SECRETS,
      VAULT_KEYS: keys,
      SIMULATORS: 'alpha=http://127.0.0.1:4001/, beta=http://127.0.0.1:4002',
      TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1',
    });
    assert.equal(config.vaultKeys, keys);
    assert.deepEqual(config.simulators, [
      {
        name: 'alpha',
        url: 'http://127.0.0.1:4001',
        apiKey: 'a-key-that-is-long-enough',
        webhookSecret: WEBHOOK_SECRETS[0],
      },
      {
        name: 'beta',
        url: 'http://127.0.0.1:4002',
        apiKey: 'another-key=long-enough',
        webhookSecret: WEBHOOK_SECRETS[1],
      },
    ]);
    assert.deepEqual(config.trustProxy, ['loopback', '10.0.0.0/8', '::1']);
  });

  it('requires a key and a webhook secret of its own for each simulator', () => {
    const SIMULATORS = 'alpha=http://127.0.0.1:4001,beta=http://127.0.0.1:4002';
    const problemWith = (settings: object) =>
      configErrorOf(() => readApiConfig({ ...ENGINE, ...SIMULATOR_SECRETS, SIMULATORS, ...settings }));
    assert.match(
      problemWith({ SIMULATOR_API_KEYS: 'alpha=a-key-that-is-long-enough', SIMULATOR_WEBHOOK_SECRETS: '' }),
      /^SIMULATOR_WEBHOOK_SECRETS has nothing for alpha of SIMULATORS.*\nSIMULATOR_API_KEYS has nothing for beta/,
    );
    const shared = 'alpha=one-key-for-both-of-them,beta=one-key-for-both-of-them';
    assert.match(problemWith({ SIMULATOR_API_KEYS: shared }), /^SIMULATOR_API_KEYS must .*a key of its own/);
    assert.doesNotMatch(problemWith({ SIMULATOR_API_KEYS: shared }), /one-key/);
    assert.match(problemWith({ SIMULATOR_WEBHOOK_SECRETS: 'alpha=whsec_short' }), /^SIMULATOR_WEBHOOK_SECRETS must /);
  });

  it('accepts a certificate and its key only together', () => {
    assert.match(
      configErrorOf(() => readApiConfig({ ...ENGINE, TLS_CERT_FILE: 'a.pem' })),
      /TLS_CERT_FILE and TLS_KEY_FILE/,
    );
    const { tls } = readApiConfig({ ...ENGINE, TLS_CERT_FILE: 'a.pem', TLS_KEY_FILE: 'b.pem' });
    assert.deepEqual(tls, { certFile: 'a.pem', keyFile: 'b.pem' });
  });

  it('accepts keys that a key provider encrypted', () => {
    const TRANSIT = {
      ...ENGINE,
      KEY_PROVIDER: 'vault-transit',
      VAULT_KEYS: 'k1:vault:v1:c2hvcnQ=',
      CARD_KEYS: 'c1:vault:v1:c2hvcnQ=',
      VAULT_ADDR: 'https://vault.example:8200',
      VAULT_TRANSIT_KEY: 'payments',
      VAULT_TOKEN: 'word-of-vault',
    };
    const { vaultKeys, cardKeys, keyProvider } = readWorkerConfig(TRANSIT);
    assert.deepEqual([vaultKeys, cardKeys], [TRANSIT.VAULT_KEYS, TRANSIT.CARD_KEYS]);
    assert.deepEqual(keyProvider, {
      name: 'vault-transit',
      timeoutMs: 10_000,
      transit: {
        address: new URL(TRANSIT.VAULT_ADDR),
        token: 'word-of-vault',
        namespace: null,
        mount: 'transit',
        key: 'payments',
      },
    });
    const kms = { ...ENGINE, KEY_PROVIDER: 'aws-kms', VAULT_KEYS: 'k1:AQICAHh=', CARD_KEYS: 'c1:AQICAHh=' };
    assert.deepEqual(readWorkerConfig(kms).keyProvider, { name: 'aws-kms', timeoutMs: 10_000 });

    const problemWith = (settings: object) => configErrorOf(() => readWorkerConfig({ ...TRANSIT, ...settings }));
    assert.match(problemWith({ VAULT_ADDR: 'http://vault.example:8200' }), /^VAULT_ADDR .*must begin with https/);
    readWorkerConfig({ ...TRANSIT, VAULT_ADDR: 'http://127.0.0.1:8200' });
    readWorkerConfig({ ...TRANSIT, VAULT_ADDR: 'http://[::1]:8200' });
    assert.match(problemWith({ VAULT_ADDR: '' }), /^VAULT_ADDR is missing/);
    assert.match(problemWith({ VAULT_TOKEN: '' }), /^VAULT_TOKEN is missing/);
    assert.doesNotMatch(problemWith({ VAULT_TRANSIT_KEY: '' }), /word-of-vault/);
  });

  it('can read any secret from a file', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'config-'));
    try {
      const file = path.join(directory, 'keys');
      const variables = { ...ENGINE, VAULT_KEYS: '', VAULT_KEYS_FILE: file };
      assert.match(
        configErrorOf(() => readApiConfig(variables)),
        /^The file that VAULT_KEYS_FILE names cannot be read\.$/,
      );
      writeFileSync(file, 'nonsense');
      assert.match(
        configErrorOf(() => readApiConfig(variables)),
        /^VAULT_KEYS must /,
      );
      writeFileSync(file, `${KEY}\n`);
      assert.equal(readApiConfig(variables).vaultKeys, KEY);
      writeFileSync(file, 'nonsense');
      assert.equal(readApiConfig({ ...variables, VAULT_KEYS: KEY }).vaultKeys, KEY);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
