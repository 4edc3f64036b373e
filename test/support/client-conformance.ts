import { after, before, describe, it } from 'mocha';
import { checkScenario, checkWebhook } from '../../sdk/conformance/check-client.ts';
import { type Driver, type Program, startDriver } from '../../sdk/conformance/driver.ts';
import { SCENARIOS } from '../../sdk/conformance/scenarios.ts';
import { WEBHOOK_VECTORS } from '../../sdk/conformance/webhook-vectors.ts';

/** Tests that a client does what every client does. @param program makes the calls with it */
export function testClient(language: string, program: () => Program | Promise<Program>): void {
  describe(`the ${language} client`, () => {
    let driver: Driver;

    before(async () => {
      driver = startDriver(await program());
    });

    after(() => driver.stop());

    for (const scenario of SCENARIOS) it(scenario.title, () => checkScenario(driver, scenario));

    for (const vector of WEBHOOK_VECTORS) {
      it(`${vector.isAuthentic ? 'accepts' : 'refuses'} ${vector.title}`, () => checkWebhook(driver, vector));
    }
  });
}
