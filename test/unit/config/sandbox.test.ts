import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readSimulatorConfig, readStartConfig, type StartConfig } from '../../../config/sandbox.ts';
import { PORT_VARIABLES } from '../../../config/variables.ts';
import { configErrorOf } from '../../support/config-error.ts';

const SIMULATOR = {
  SIMULATOR_NAME: 'alpha',
  SIMULATOR_PORT: '4001',
  SIMULATOR_DATA_FILE: 'ledger.jsonl',
  SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:3000/hook',
  SIMULATOR_API_KEY: 'a-key-that-is-long-enough',
  SIMULATOR_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
};

describe('configuration of the sandbox', () => {
  it('contains the address at which customers reach a simulator, on this machine by default', () => {
    assert.equal(readSimulatorConfig(SIMULATOR).publicUrl, 'http://127.0.0.1:4001');
    const message = configErrorOf(() => readSimulatorConfig({ ...SIMULATOR, SIMULATOR_PORT: 'x', SIMULATOR_NAME: '' }));
    assert.deepEqual(
      message.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['SIMULATOR_PORT must', 'SIMULATOR_NAME is'],
    );
  });

  it('requires no variable to start everything, and rejects two servers on one port', () => {
    const config = readStartConfig({ HOME: '/home/somebody' });
    assert.equal(config.databaseUrl, null);
    assert.equal(config.temporalAddress, null);
    assert.equal(config.ports.simulatorBeta, 4_002);
    assert.ok(path.isAbsolute(config.dataDir));
    assert.equal(config.codecServerPort, null);
    assert.equal(readStartConfig({ TEMPORAL_ENCRYPT_PAYLOADS: 'true' }).codecServerPort, 8_234);
    assert.match(
      configErrorOf(() => readStartConfig({ PORT: '7233' })),
      /^PORT and TEMPORAL_PORT must differ\.$/,
    );
  });

  it('refuses an offset that leads to a port that does not exist', () => {
    assert.match(
      configErrorOf(() => readStartConfig({ DEMO_PORT: '65000', PORT_OFFSET: '1000' })),
      /^DEMO_PORT with PORT_OFFSET must be at most 65535\.$/,
    );
  });

  it('adds PORT_OFFSET to every port except WORKER_PORT', () => {
    const usual = readStartConfig({ TEMPORAL_ENCRYPT_PAYLOADS: 'true' });
    const moved = readStartConfig({ TEMPORAL_ENCRYPT_PAYLOADS: 'true', PORT_OFFSET: '100', WORKER_PORT: '3102' });
    const portsOf = ({ ports, dashboardPorts, demoPort, codecServerPort }: StartConfig) =>
      Object.entries({ ...ports, ...dashboardPorts, demoPort, codecServerPort });
    assert.equal(portsOf(usual).length, PORT_VARIABLES.length + 1);
    assert.deepEqual(
      portsOf(moved),
      portsOf(usual).map(([name, port]) => [name, port === null ? 3_102 : port + 100]),
    );
  });
});
