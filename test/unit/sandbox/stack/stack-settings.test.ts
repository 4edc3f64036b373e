import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readApiConfig } from '../../../../config/engine.ts';
import { readSimulatorConfig } from '../../../../config/sandbox.ts';
import { demoSpec } from '../../../../sandbox/stack/demo-process.ts';
import { simulatorSpecs } from '../../../../sandbox/stack/simulator-processes.ts';
import { databaseUrlFor, engineSettings, sandboxOf } from '../../../../sandbox/stack/stack-settings.ts';

const simulatorSecrets = (byte: number) => ({
  apiKey: `sim_${'k'.repeat(24)}${byte}`,
  webhookSecret: `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
});
const secrets = {
  postgresPassword: 'word-of-postgres',
  databasePasswords: {
    owner: 'word-of-owner',
    api: 'word-of-api',
    worker: 'word-of-worker',
    gateway: 'word-of-gateway',
  },
  vaultKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  simulators: { alpha: simulatorSecrets(1), beta: simulatorSecrets(2) },
  apiKey: 'svc_test_key',
  secretSalt: 'salt',
};
const ports = { api: 1, postgres: 2, temporal: 3, temporalUi: 4, simulatorAlpha: 5, simulatorBeta: 6 };
const options = {
  dataDir: '/data',
  ports,
  tools: { cacheDir: '', searchPath: [], testServer: null },
  settings: { VAULT_KEY_FILE: '', WEBHOOK_PROXY_URL: 'http://user:word-of-proxy@127.0.0.1' },
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
    const { postgresPassword, databasePasswords, vaultKeys, simulators } = secrets;
    for (const secret of [postgresPassword, ...Object.values(databasePasswords), vaultKeys, 'word-of-proxy']) {
      for (const spec of [alpha, beta, demo]) assert.ok(!JSON.stringify(spec?.env).includes(secret), secret);
    }
    assert.ok(!JSON.stringify(alpha?.env).includes(simulators.beta.apiKey));
    assert.ok(!JSON.stringify(beta?.env).includes(simulators.alpha.webhookSecret));
    assert.ok(!JSON.stringify(demo.env).includes(simulators.alpha.apiKey));
  });

  it('allow webhooks to this machine, unless the caller says otherwise', () => {
    assert.ok(readApiConfig(settings).allowPrivateWebhooksInSandbox);
    const strict = { ...options, settings: { ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: 'false' } };
    assert.ok(
      !readApiConfig({ ...settings, ...engineSettings(strict, secrets, sandbox) }).allowPrivateWebhooksInSandbox,
    );
  });
});
