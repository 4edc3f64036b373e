import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeConnections } from '../../../config/connections.ts';
import { readDatabaseUrl } from '../../../config/commands.ts';
import { readApiConfig } from '../../../config/engine.ts';
import { configErrorOf } from '../../support/config-error.ts';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

describe('what a process says that it is connected to', () => {
  it('names servers, users and namespaces, and no secret', () => {
    const config = readApiConfig({
      DATABASE_URL: 'postgresql://payment_engine_api:word-1@db.example:5432/payments?sslmode=verify-full',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_NAMESPACE: 'payments',
      TEMPORAL_API_KEY: 'word-2',
      REDIS_URL: 'rediss://user:word-3@redis.example:6380',
      VAULT_KEYS: KEY,
      CARD_PUBLIC_KEY: `k1:${Buffer.alloc(64, 7).toString('base64')}`,
    });
    assert.deepEqual(describeConnections(config), {
      database: 'payments at db.example:5432 as payment_engine_api, sslmode verify-full',
      temporal: 'temporal.example:7233, namespace payments, with TLS, payloads not encrypted',
      redis: 'redis.example:6380',
    });
  });
});

describe('wrong settings', () => {
  it('are each named once, also those that two parts of the configuration read', () => {
    const lines = configErrorOf(() => readApiConfig({ DATABASE_URL: 'postgresql://db.example/payments' })).split('\n');
    assert.equal(lines.filter((line) => line.startsWith('DATABASE_URL ')).length, 1);
  });

  it('name the file of a certificate that is not there', () => {
    const DATABASE_URL = 'postgresql://db.example/payments?sslmode=verify-full&sslrootcert=/none/ca.crt';
    assert.equal(
      configErrorOf(() => readDatabaseUrl({ DATABASE_URL })),
      'The file that sslrootcert in DATABASE_URL names cannot be read.',
    );
  });
});
