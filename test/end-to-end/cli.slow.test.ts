import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'mocha';
import { z } from 'zod';
import { eventResource } from '../../contract/schemas/event.ts';
import { testClockResource } from '../../contract/schemas/test-clock.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { createClient } from '../../sdk/server/index.ts';
import { eventually } from '../support/eventually.ts';
import { createPayment } from '../support/payments.ts';
import { getDataDir, getStack } from '../support/stack.ts';
import { isSignedBy, startReceiver } from '../support/webhook-receiver.ts';

interface Run {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

const ready = z.object({ secret: z.string() });
const forwarded = z.object({ event: z.object({ id: z.string() }), statusCode: z.number() });

describe('the command-line program', function () {
  this.timeout(3 * MINUTE_MS);
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  function run(args: readonly string[], dataDir = getDataDir()): Run {
    const program = path.join(DIST_DIR, 'scripts', 'cli', 'main.js');
    const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });
    children.push(child);
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, lines, errors: () => errors, ended };
  }

  function lineOf({ lines, errors }: Run, index: number): Promise<string> {
    return eventually(async () => lines[index] ?? assert.fail(`no line ${index}: ${errors()}`));
  }

  it('triggers an event, shows it, and forwards it with its signature until it is accepted', async () => {
    const receiver = await startReceiver();
    receiver.answerWith((count) => ({ status: count === 1 ? 500 : 204 }));
    try {
      const listen = run(['listen', '--forward-to', receiver.url, '--type', 'payment_intent.payment_failed', '--json']);
      const tail = run(['events', '--tail', '--type', 'payment_intent.payment_failed', '--json']);
      const { secret } = ready.parse(JSON.parse(await lineOf(listen, 0)));
      await eventually(async () => assert.match(tail.errors(), /Waiting for events/));

      const trigger = run(['trigger', 'payment_intent.payment_failed', '--json']);
      assert.equal(await trigger.ended, 0, trigger.errors());
      const event = eventResource.parse(JSON.parse(trigger.lines[0] ?? ''));
      assert.equal(event.type, 'payment_intent.payment_failed');
      assert.deepEqual(JSON.parse(await lineOf(tail, 0)), event);

      const answers = [await lineOf(listen, 1), await lineOf(listen, 2)].map((line) =>
        forwarded.parse(JSON.parse(line)),
      );
      assert.deepEqual(
        answers.map(({ event: { id }, statusCode }) => [id, statusCode]),
        [
          [event.id, 500],
          [event.id, 204],
        ],
      );
      assert.equal(receiver.received.length, 2);
      for (const webhook of receiver.received) {
        assert.ok(isSignedBy(secret, webhook));
        assert.deepEqual([webhook.headers['webhook-id'], webhook.event], [event.id, event]);
      }

      for (const { child } of [listen, tail]) child.kill('SIGINT');
      assert.deepEqual([await listen.ended, await tail.ended], [0, 0]);
    } finally {
      await receiver.close();
    }
  });

  it('says how to go on without a gap, also if nothing has happened meanwhile', async () => {
    const { id } = await createPayment();
    const { events } = createClient(getStack().sandbox);
    await eventually(async () => assert.equal((await events.list({ resourceId: id })).data.length, 1));
    const tail = run(['events', '--tail', '--type', 'refund.failed']);
    await eventually(async () => assert.match(tail.errors(), /Waiting for events/));
    tail.child.kill('SIGINT');
    assert.equal(await tail.ended, 0);
    assert.match(tail.errors(), /--after evt_[0-9a-f]{32}/);
  });

  it('advances the test clock, waits until the payments have followed it, and shows it', async () => {
    const advance = run(['advance', '1s', '--json']);
    assert.equal(await advance.ended, 0, advance.errors());
    const clock = testClockResource.parse(JSON.parse(advance.lines[0] ?? ''));
    assert.ok(clock.advancedSeconds >= 1);
    assert.equal(clock.status, 'ready');
    const [shown, wrong] = [run(['test-clock']), run(['advance', '2 weeks'])];
    assert.deepEqual([await shown.ended, await wrong.ended], [0, 1]);
    assert.match(shown.lines[0] ?? '', /test clock is \w+, \d+ seconds ahead/);
    assert.match(wrong.errors(), /such as 90s, 15m, 2h or 7d; got "2 weeks"/);
  });

  it('refuses a type that cannot be triggered with the list of those that can, and keys of production', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-cli-'));
    try {
      const sandbox = await readFile(path.join(getDataDir(), 'sandbox.json'), 'utf8');
      await writeFile(path.join(dataDir, 'sandbox.json'), sandbox.replace('svc_test_', 'svc_live_'));
      const unknown = run(['trigger', 'webhook_endpoint.test']);
      const production = run(['events'], dataDir);
      const otherScheme = run(['listen', '--forward-to', 'ftp://127.0.0.1']);
      assert.deepEqual([await unknown.ended, await production.ended, await otherScheme.ended], [1, 1, 1]);
      assert.match(otherScheme.errors(), /--forward-to is an address such as/);
      assert.match(unknown.errors(), /"webhook_endpoint\.test".*"payment_intent\.succeeded", /s);
      assert.match(production.errors(), /keys of the sandbox only/);
      assert.deepEqual([...unknown.lines, ...production.lines], []);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('completes commands and types, and lists the steps of each type in its help', async () => {
    const completed = run(['--get-yargs-completions', 'payment-engine', 'trigger', 'refund.']);
    const help = run(['trigger', '--help']);
    assert.deepEqual([await completed.ended, await help.ended], [0, 0]);
    assert.ok(completed.lines.includes('refund.succeeded'), completed.lines.join(' '));
    assert.match(help.lines.join('\n'), /refund\.failed +pay, then a refund that is refused/);
  });
});
