import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { RECORDED_EXAMPLES } from '../../api/openapi/recorded-examples.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { normalise } from '../examples/normalise.ts';
import { Recorder } from '../examples/recorder.ts';
import { originsOfProviders, recordOperations, SLOW_OPERATIONS } from '../examples/scenario.ts';
import { codeSamples } from '../support/described-api.ts';
import { createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { skipWithout } from '../support/skip.ts';

const run = promisify(execFile);

/** How each language of a sample is run. */
const RUNNERS = { Shell: 'sh', Python: 'python3' } as const;

/** Requests with a body and with a query. */
const EXECUTED = ['createPaymentIntent', 'listPaymentIntents'];

describe('the examples of the OpenAPI document', function () {
  this.timeout(4 * MINUTE_MS);

  it('have the shape of what is exchanged when they are recorded again', async () => {
    const recorder = new Recorder();
    await recordOperations(recorder);
    const { operations, webhooks } = normalise(recorder.recorded(), await originsOfProviders());
    const recorded = Object.fromEntries(
      Object.entries(RECORDED_EXAMPLES.operations).filter(([id]) => !SLOW_OPERATIONS.includes(id)),
    );
    assert.deepEqual(Object.keys(operations), Object.keys(recorded));
    const changed = [
      ...differences(operations, recorded),
      ...Object.entries(webhooks).flatMap(([type, event]) =>
        differences(event, RECORDED_EXAMPLES.webhooks[type], type),
      ),
    ];
    assert.deepEqual(changed, [], 'run npm run record-examples');
  });
});

/** The paths of members that only one of two values has, or that are of another type. Null and empty lists fit everything. */
function differences(one: unknown, other: unknown, at = ''): string[] {
  if (one === null || other === null) return [];
  if (Array.isArray(one) && Array.isArray(other)) {
    const [first, second]: unknown[][] = [one, other];
    return [...unmatched(first ?? [], second ?? [], at), ...unmatched(second ?? [], first ?? [], at)];
  }
  if (typeof one !== typeof other) return [`${at}: ${typeof one}, recorded: ${typeof other}`];
  if (typeof one !== 'object' || typeof other !== 'object') return [];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(Reflect.get(one, name), Reflect.get(other, name), `${at}.${name}`));
}

/** Elements without one of the same shape on the other side. */
function unmatched(elements: readonly unknown[], others: readonly unknown[], at: string): string[] {
  if (others.length === 0) return [];
  return elements.flatMap((element, index) =>
    others.some((other) => differences(element, other).length === 0) ? [] : [`${at}[${index}]`],
  );
}

for (const [lang, program] of Object.entries(RUNNERS)) {
  describe(`the code samples of the OpenAPI document for ${program}`, function () {
    this.timeout(MINUTE_MS);
    let merchant: TestMerchant;

    before(async function () {
      for (const needed of lang === 'Shell' ? ['curl', 'openssl'] : [program]) {
        const version = needed === 'openssl' ? ['version'] : ['--version'];
        await run(needed, version).catch(() => skipWithout(needed, this));
      }
      merchant = await createKey(await createMerchant(), 'sandbox', { signatureVersion: 2 });
    });

    for (const operationId of EXECUTED) {
      it(`send ${operationId} and get its answer`, async () => {
        const sample = codeSamples()
          .get(operationId)
          ?.find((each) => each.lang === lang);
        const { baseUrl: BASE, apiKey: KEY, secretSalt: SALT } = merchant.credentials;
        // No proxy reaches the engine of the tests.
        const env = { ...process.env, no_proxy: '*', BASE, KEY, SALT };
        const { stdout } = await run(program, ['-c', sample?.source ?? ''], { env, timeout: MINUTE_MS });
        assert.equal(z.object({ success: z.boolean() }).parse(JSON.parse(stdout)).success, true, stdout);
      });
    }
  });
}
