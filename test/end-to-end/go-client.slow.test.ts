import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { createKey, createMerchant } from '../support/merchants.ts';
import { getStack } from '../support/stack.ts';

const run = promisify(execFile);
const PRINTED = `\
paid 1999 EUR and refunded 500
declined: CARD_DECLINED requires_payment_method
found 1499 EUR
`;

if (spawnSync('go', ['version']).status === 0) testGoClient();
else console.log('The Go client is not tried: there is no `go`.');

function testGoClient(): void {
  describe('the Go client', function () {
    this.timeout(5 * MINUTE_MS);

    it('pays, is declined, refunds and lists at the running engine', async () => {
      const { credentials } = await createKey(await createMerchant(), 'sandbox', { signatureVersion: 2 });
      const { stdout } = await run('go', ['run', './internal/pay'], {
        cwd: path.join(PROJECT_ROOT, 'sdk', 'go'),
        env: {
          ...process.env,
          // No proxy reaches the engine of the tests.
          no_proxy: '*',
          PAYMENT_ENGINE_URL: getStack().sandbox.baseUrl,
          PAYMENT_ENGINE_KEY: credentials.apiKey,
          PAYMENT_ENGINE_SALT: credentials.secretSalt,
        },
      });
      assert.equal(stdout, PRINTED);
    });
  });
}
