import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { checkScenario, checkWebhook } from '../../../sdk/conformance/check-client.ts';
import { type Driver, type Program, startDriver } from '../../../sdk/conformance/driver.ts';
import { SCENARIOS } from '../../../sdk/conformance/scenarios.ts';
import { WEBHOOK_VECTORS } from '../../../sdk/conformance/webhook-vectors.ts';

const PYTHON = path.join(PROJECT_ROOT, 'sdk', 'python');
const DRIVERS: Readonly<Record<string, Program>> = {
  TypeScript: {
    command: process.execPath,
    args: [path.join(PROJECT_ROOT, 'dist', 'sdk', 'conformance', 'typescript-driver.js')],
  },
  Python: {
    command: 'python3',
    args: ['-B', path.join('tests', 'conformance_driver.py')],
    cwd: PYTHON,
    // No proxy reaches the scripted server.
    env: { ...process.env, PYTHONPATH: PYTHON, no_proxy: '*' },
  },
};

for (const [language, program] of Object.entries(DRIVERS)) {
  describe(`the ${language} client`, () => {
    let driver: Driver;

    before(() => {
      driver = startDriver(program);
    });

    after(() => driver.stop());

    for (const scenario of SCENARIOS) it(scenario.title, () => checkScenario(driver, scenario));

    for (const vector of WEBHOOK_VECTORS) {
      it(`${vector.isAuthentic ? 'accepts' : 'refuses'} ${vector.title}`, () => checkWebhook(driver, vector));
    }
  });
}
