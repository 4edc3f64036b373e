import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import {
  ConfigError,
  readApiConfig,
  readGatewayConfig,
  readSimulatorConfig,
  readStartConfig,
  readToolsConfig,
  readWorkerConfig,
  VARIABLE_NAMES,
} from '../../config.ts';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ENGINE = {
  DATABASE_URL: 'postgresql://user:secret@localhost:5432/payments',
  TEMPORAL_ADDRESS: 'localhost:7233',
  VAULT_KEYS: KEY,
};
const SIMULATOR = {
  SIMULATOR_NAME: 'alpha',
  SIMULATOR_PORT: '4001',
  SIMULATOR_DATA_FILE: 'books.jsonl',
  SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:3000/hook',
  SIMULATOR_API_KEY: 'a-key-that-is-long-enough',
  SIMULATOR_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
};

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail('the configuration was accepted');
}

describe('configuration', () => {
  it('needs only the database, Temporal and the vault keys', () => {
    const config = readApiConfig(ENGINE);
    assert.equal(config.port, 3_000);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.tls, null);
    assert.equal(config.simulatorApiKey, null);
    assert.deepEqual(config.simulators, []);
    assert.deepEqual(config.rateLimits, { sandbox: 100, production: 1_000, unauthenticated: 100 });
    assert.equal(config.redis, null);
    assert.equal(readWorkerConfig(ENGINE).providerTimeoutMs, 10_000);
    assert.equal(readWorkerConfig(ENGINE).makeCurrent, true);
  });

  it('names every missing variable at once', () => {
    assert.deepEqual(
      refusal(() => readWorkerConfig({}))
        .split('\n')
        .map((sentence) => sentence.split(' ')[0]),
      ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'VAULT_KEYS'],
    );
  });

  it('counts an empty value as not set', () => {
    assert.equal(readApiConfig({ ...ENGINE, PORT: '  ' }).port, 3_000);
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
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'proxy.example'],
    ['SIMULATORS', 'alpha'],
    ['SIMULATORS', 'alpha=http://a,alpha=http://b'],
    ['ALLOW_SIMULATOR_IN_PRODUCTION', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['CONFIRM_WAIT_MS', '99'],
    ['GATEWAY_IN_API', 'off'],
    ['SOCKET_ORIGINS', 'https://shop.example/path'],
    ['SOCKET_ORIGINS', 'shop.example'],
    ['DATABASE_URL', 'http://127.0.0.1/x'],
  ];
  for (const [name, value] of wrong) {
    it(`refuses ${name}=${value} with one sentence that names it and does not repeat the value`, () => {
      const sentence = refusal(() => readApiConfig({ ...ENGINE, [name]: value }));
      assert.match(sentence, new RegExp(`^${name} must [^\n]+\\.$`));
      assert.ok(name !== 'VAULT_KEYS' || !sentence.includes(value));
    });
  }

  it('asks of a gateway alone neither Temporal nor the keys of the vault', () => {
    const { DATABASE_URL } = ENGINE;
    const config = readGatewayConfig({ DATABASE_URL, SOCKET_ORIGINS: 'https://shop.example, http://localhost:8080' });
    assert.deepEqual(config.socketOrigins, ['https://shop.example', 'http://localhost:8080']);
    assert.equal(config.port, 3_001);
    assert.match(
      refusal(() => readGatewayConfig({})),
      /^DATABASE_URL is missing/,
    );
  });

  it('takes several vault keys, simulators and proxies', () => {
    const keys = `${KEY},old:${Buffer.alloc(32, 9).toString('base64')}`;
    const config = readApiConfig({
      ...ENGINE,
      ...SIMULATOR,
      VAULT_KEYS: keys,
      SIMULATORS: 'alpha=http://127.0.0.1:4001/, beta=http://127.0.0.1:4002',
      TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1',
    });
    assert.equal(config.vaultKeys, keys);
    assert.deepEqual(config.simulators, [
      { name: 'alpha', url: 'http://127.0.0.1:4001' },
      { name: 'beta', url: 'http://127.0.0.1:4002' },
    ]);
    assert.deepEqual(config.trustProxy, ['loopback', '10.0.0.0/8', '::1']);
  });

  it('demands the secrets shared with the simulators when there are any', () => {
    assert.match(
      refusal(() => readApiConfig({ ...ENGINE, SIMULATORS: 'alpha=http://127.0.0.1:4001' })),
      /^SIMULATOR_API_KEY is missing.*\nSIMULATOR_WEBHOOK_SECRET is missing/,
    );
  });

  it('takes a certificate and its key together only', () => {
    assert.match(
      refusal(() => readApiConfig({ ...ENGINE, TLS_CERT_FILE: 'a.pem' })),
      /TLS_CERT_FILE and TLS_KEY_FILE/,
    );
    const { tls } = readApiConfig({ ...ENGINE, TLS_CERT_FILE: 'a.pem', TLS_KEY_FILE: 'b.pem' });
    assert.deepEqual(tls, { certFile: 'a.pem', keyFile: 'b.pem' });
  });

  it('reads the vault keys from a file instead', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'config-'));
    try {
      const file = path.join(directory, 'keys');
      const environment = { ...ENGINE, VAULT_KEYS: '', VAULT_KEY_FILE: file };
      assert.match(
        refusal(() => readApiConfig(environment)),
        /VAULT_KEY_FILE names cannot be read/,
      );
      writeFileSync(file, 'nonsense');
      assert.match(
        refusal(() => readApiConfig(environment)),
        /VAULT_KEY_FILE names must hold/,
      );
      writeFileSync(file, `${KEY}\n`);
      assert.equal(readApiConfig(environment).vaultKeys, KEY);
      assert.match(
        refusal(() => readApiConfig({ ...environment, VAULT_KEYS: KEY })),
        /Only one of/,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('gives a simulator the address customers reach it at', () => {
    assert.equal(readSimulatorConfig(SIMULATOR).publicUrl, 'http://127.0.0.1:4001');
    const sentences = refusal(() => readSimulatorConfig({ ...SIMULATOR, SIMULATOR_PORT: 'x', SIMULATOR_NAME: '' }));
    assert.deepEqual(
      sentences.split('\n').map((sentence) => sentence.split(' ').slice(0, 2).join(' ')),
      ['SIMULATOR_PORT must', 'SIMULATOR_NAME is'],
    );
  });

  it('starts everything without any variable, and refuses two parts on one port', () => {
    const config = readStartConfig({ HOME: '/home/somebody' });
    assert.equal(config.databaseUrl, null);
    assert.equal(config.temporalAddress, null);
    assert.equal(config.ports.simulatorBeta, 4_002);
    assert.ok(path.isAbsolute(config.dataDir));
    assert.match(
      refusal(() => readStartConfig({ PORT: '7233' })),
      /must all differ/,
    );
  });

  it('keeps programs in the cache folder of the user', () => {
    assert.equal(readToolsConfig({ XDG_CACHE_HOME: '/cache' }).cacheDir, path.join('/cache', 'payment-engine'));
    assert.deepEqual(readToolsConfig({ PATH: ['/a', '/b'].join(path.delimiter) }).searchPath, ['/a', '/b']);
  });

  it('is described completely in .env.example', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const described = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);
    assert.deepEqual([...described].sort(), [...VARIABLE_NAMES].sort());
  });
});
