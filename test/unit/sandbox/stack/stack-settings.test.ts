import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readApiConfig, readWorkerConfig } from '../../../../config/engine.ts';
import { readSimulatorConfig } from '../../../../config/sandbox.ts';
import { demoSpec } from '../../../../sandbox/stack/demo-process.ts';
import { type EngineProcess, engineProcessSpec } from '../../../../sandbox/stack/engine-processes.ts';
import { simulatorSpecs } from '../../../../sandbox/stack/simulator-processes.ts';
import { databaseUrlFor, engineSettings, sandboxOf } from '../../../../sandbox/stack/stack-settings.ts';
import { publicKeyOf } from '../../../../vault/card-keys.ts';

const simulatorSecrets = (byte: number) => ({
  apiKey: `sim_${'k'.repeat(24)}${byte}`,
  webhookSecret: `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
});
const cardKey = { id: 'c1', bytes: Buffer.alloc(32, 9) };
const secrets = {
  postgresPassword: 'word-of-postgres',
  dashboardSecret: 'dashboard-secret',
  personPassword: 'person-password',
  databasePasswords: {
    dashboard: 'dashboard-password',
    owner: 'word-of-owner',
    api: 'word-of-api',
    worker: 'word-of-worker',
    gateway: 'word-of-gateway',
  },
  vaultKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  cardKeys: `c1:${cardKey.bytes.toString('base64')}`,
  cardPublicKey: publicKeyOf(cardKey),
  simulators: { alpha: simulatorSecrets(1), beta: simulatorSecrets(2) },
  apiKey: 'svc_test_key',
  secretSalt: 'salt',
};
const ports = { api: 1, postgres: 2, temporal: 3, temporalUi: 4, simulatorAlpha: 5, simulatorBeta: 6, worker: 7 };
const options = {
  dataDir: '/data',
  ports,
  tools: { cacheDir: '', searchPath: [], testServer: null },
  settings: {
    VAULT_KEYS_FILE: '',
    VAULT_TOKEN: 'token-of-vault',
    WEBHOOK_PROXY_URL: 'http://user:word-of-proxy@127.0.0.1',
  },
};
const sandbox = sandboxOf(options, secrets);
const settings = {
  DATABASE_URL: databaseUrlFor('api', options, secrets),
  ...engineSettings(options, secrets, sandbox),
};

describe('settings of the processes of the sandbox', () => {
  it('give each simulator its own secrets, which the engine knows by its name', () => {
    const { alpha, beta } = secrets.simulators;
    const known = readApiConfig(settings).simulators.map(({ apiKey, webhookSecret }) => ({ apiKey, webhookSecret }));
    assert.deepEqual(known, [alpha, beta]);
    const own = simulatorSpecs(options, settings).map(({ env }) => readSimulatorConfig(env));
    assert.deepEqual(
      own.map(({ apiKey, webhookSecret }) => ({ apiKey, webhookSecret })),
      [alpha, beta],
    );
  });

  it('give simulators and demo shop nothing that only the engine may know', () => {
    const [alpha, beta] = simulatorSpecs(options, settings);
    const demo = demoSpec(7, sandbox, settings, '/data');
    const { postgresPassword, databasePasswords, vaultKeys, cardKeys, simulators } = secrets;
    const ofEngine = [postgresPassword, ...Object.values(databasePasswords), vaultKeys, cardKeys];
    for (const secret of [...ofEngine, 'word-of-proxy', 'token-of-vault']) {
      for (const spec of [alpha, beta, demo]) assert.ok(!JSON.stringify(spec?.env).includes(secret), secret);
    }
    assert.ok(!JSON.stringify(alpha?.env).includes(simulators.beta.apiKey));
    assert.ok(!JSON.stringify(beta?.env).includes(simulators.alpha.webhookSecret));
    assert.ok(!JSON.stringify(demo.env).includes(simulators.alpha.apiKey));
  });

  it('give the API no private card key, the worker no public one, and a gateway neither', () => {
    const envOf = (engineProcess: EngineProcess) => engineProcessSpec(engineProcess, settings, '/data').env;
    const api = envOf({ kind: 'api', name: 'api', port: 1 });
    const worker = envOf({ kind: 'worker', name: 'worker' });
    const gateway = envOf({ kind: 'gateway', name: 'gateway', port: 2 });
    const { vaultKeys, cardKeys, cardPublicKey } = secrets;
    const keysOf = (env: object) =>
      [vaultKeys, cardKeys, cardPublicKey].map((key) => JSON.stringify(env).includes(key.slice(3)));
    assert.deepEqual(keysOf(api), [true, false, true]);
    assert.deepEqual(keysOf(worker), [true, true, false]);
    // For the salts of keys on signature version 2.
    assert.deepEqual(keysOf(gateway), [true, false, false]);
    assert.equal(readApiConfig(api).cardPublicKey, cardPublicKey);
    assert.equal(readWorkerConfig(worker).cardKeys, cardKeys);
  });

  it("have a process's own variables win over those that all share", () => {
    const own = { PROVIDER_API_URLS: 'stripe=http://127.0.0.1:4001' };
    const envOf = (variables: object) =>
      engineProcessSpec({ kind: 'worker', name: 'worker-1', settings: { ...variables } }, settings, '/data').env;
    assert.equal(envOf(own)['PROVIDER_API_URLS'], own.PROVIDER_API_URLS);
    assert.notEqual(envOf({})['PROVIDER_API_URLS'], own.PROVIDER_API_URLS);
  });

  it('connect each process to a given database as its own role, where the caller says that it has roles', () => {
    const given = { ...options, databaseUrl: 'postgres://owner:word@127.0.0.1:9/payments' };
    assert.equal(databaseUrlFor('api', given, secrets), given.databaseUrl);
    const url = databaseUrlFor('api', { ...given, hasRoles: true }, secrets);
    assert.equal(url, 'postgres://payment_engine_api:word-of-api@127.0.0.1:9/payments');
  });

  it('run the program of another release, with the supervision of this one', () => {
    const api: EngineProcess = { kind: 'api', name: 'api', port: 1 };
    const [, hook, program] = engineProcessSpec(api, settings, '/data', '/earlier').args;
    const [, ownHook, ownProgram] = engineProcessSpec(api, settings, '/data').args;
    assert.equal(program, '/earlier/dist/api/main.js');
    assert.notEqual(ownProgram, program);
    assert.equal(hook, ownHook);
  });

  it('use the card keys that the caller has set, and then none of the sandbox', () => {
    const own = { ...options, settings: { CARD_KEYS: 'c2:x' } };
    const { CARD_KEYS, CARD_PUBLIC_KEY } = engineSettings(own, secrets, sandbox);
    assert.deepEqual([CARD_KEYS, CARD_PUBLIC_KEY], ['c2:x', undefined]);
  });

  it('allow webhooks to this machine, unless the caller says otherwise', () => {
    assert.ok(readApiConfig(settings).allowPrivateWebhooksInSandbox);
    const strict = { ...options, settings: { ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: 'false' } };
    assert.ok(
      !readApiConfig({ ...settings, ...engineSettings(strict, secrets, sandbox) }).allowPrivateWebhooksInSandbox,
    );
  });
});
