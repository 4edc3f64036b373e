import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { listenLocally } from '../../support/local-server.ts';

const TRACES = fileURLToPath(new URL('../../../traces/', import.meta.url));
const run = promisify(execFile);

/** Runs a module in a process of its own, because a tracer is installed for a whole process. @returns its output */
async function runTraced(code: string, endpoint: string | null): Promise<string> {
  const begin = `
    import { startTracing } from '${TRACES}start-tracing.js';
    import { addEndedSpan, closeTracer, inSpan, inSpanOfTrace, traceFields } from '${TRACES}tracer.js';
    import { readdirSync } from 'node:fs';
    await startTracing({ otlpEndpoint: ${JSON.stringify(endpoint)} }, 'a-test');
    ${code}
    await closeTracer();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', begin], {
    env: { PATH: process.env.PATH, ...(endpoint === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) },
  });
  return stdout;
}

describe('traces', function () {
  this.timeout(60_000);

  it('load nothing where none are configured, and the work runs as it is', async () => {
    const output = await runTraced(
      `const { createRequire } = await import('node:module');
       const result = await inSpan({ name: 'work', kind: 'internal' }, async (span) => [span.context, traceFields()]);
       console.log(JSON.stringify({ result, packages: Object.keys(createRequire(import.meta.url).cache) }));`,
      null,
    );
    assert.deepEqual(JSON.parse(output), { result: [null, {}], packages: [] });
  });

  it('have a span below the one in which it runs, and name errors by their kind alone', async () => {
    const collector = await startOtlpReceiver();
    try {
      await runTraced(
        `const fail = () => { throw Object.assign(new Error('card 4242424242424242'), { code: 'E_FAILED' }); };
         await inSpan({ name: 'outer', kind: 'server' }, () =>
           inSpanOfTrace(() => ({ name: 'inner', kind: 'client', attributes: { answer: 42 } }), async () => fail())
         ).catch(() => undefined);
         await inSpanOfTrace(() => ({ name: 'background', kind: 'client' }), async () => undefined);`,
        collector.url,
      );
      const [inner, outer] = collector.spans;
      assert.deepEqual([inner?.name, outer?.name, collector.spans.length], ['inner', 'outer', 2]);
      assert.equal(inner?.parentSpanId, outer?.spanId);
      assert.deepEqual(inner?.attributes, { answer: '42', 'error.type': 'E_FAILED' });
      assert.equal(inner.failed, true);
      assert.ok(!collector.text().includes('4242424242424242'), 'the message of an error is not exported');
    } finally {
      await collector.close();
    }
  });

  it('have spans that ended elsewhere, with their own ids', async () => {
    const collector = await startOtlpReceiver();
    const ids = { traceId: 'a'.repeat(32), isSampled: true };
    const [context, parent] = [
      { ...ids, spanId: 'b'.repeat(16) },
      { ...ids, spanId: 'c'.repeat(16) },
    ];
    try {
      const span = { name: 'update confirm', context, parent, startedAtMs: 1_000, endedAtMs: 1_500, attributes: {} };
      await runTraced(`addEndedSpan(${JSON.stringify(span)});`, collector.url);
      const [received] = collector.spans;
      assert.deepEqual(
        [received?.traceId, received?.spanId, received?.parentSpanId],
        [ids.traceId, context.spanId, parent.spanId],
      );
    } finally {
      await collector.close();
    }
  });

  it('do not hold up the end of a process whose collector does not answer', async () => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => undefined);
    const address = await listenLocally(silent);
    const output = runTraced(`await inSpan({ name: 'work', kind: 'internal' }, async () => undefined);`, address);
    await Promise.race([output, wait(45_000).then(() => Promise.reject(new Error('it still waits')))]);
    silent.close();
  });
});
