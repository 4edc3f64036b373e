import { setTimeout as wait } from 'node:timers/promises';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { readStartConfig } from '../../config/sandbox.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import { describeReply } from '../../domain/webhook.ts';
import { readSandbox, type Sandbox } from '../../sandbox/stack/data-folder.ts';
import { runScript } from '../../sandbox/stack/explain-error.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import {
  type Client,
  createClient,
  type Event,
  type EventType,
  PaymentEngineConnectionError,
  PaymentEngineError,
  type TestClock,
} from '../../sdk/server/index.ts';
import { findNewestEvent, followEvents } from './follow-events.ts';
import { forwardEvent, forwardingSecretOf } from './forward-event.ts';
import { makePayment, timeLimitOf, TRIGGERS, type TriggerType } from './triggers.ts';

const PROGRAM = 'payment-engine';
const SANDBOX_KEY_PREFIX = 'svc_test_';
const CALL_TIMEOUT_MS = 20 * SECOND_MS;
const CLOCK_READ_EVERY_MS = 250;
const UNITS_MS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

interface Following {
  readonly after?: string | undefined;
  readonly type?: readonly EventType[] | undefined;
  readonly json: boolean;
}

async function listen(sandbox: Sandbox, { forwardTo, ...options }: Following & { readonly forwardTo: string }) {
  const url = parseReceiver(forwardTo);
  const secret = forwardingSecretOf(sandbox);
  const forwarding = {
    url,
    secret,
    onReply: (event: Event, reply: Parameters<typeof describeReply>[0], durationMs: number) =>
      print(options.json, { event: idsOf(event), ...reply, durationMs }, () =>
        [describe(event), describeReply(reply), `${durationMs} ms`].join('  '),
      ),
  };
  const onReady = () =>
    print(options.json, { forwardTo: url.href, secret }, () =>
      [`Forwarding webhooks to ${url.href}. Ctrl-C ends it.`, `Their secret is ${secret}`].join('\n'),
    );
  await tail(sandbox, options, onReady, (event, signal) => forwardEvent(event, { ...forwarding, signal }));
}

/** `localhost:3000/hooks` may stand for `http://localhost:3000/hooks`. @throws UserError */
function parseReceiver(text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UserError('--forward-to is an address such as http://127.0.0.1:3000/hooks, without a user or password.');
  }
  return url;
}

/** Hands over each event until Ctrl-C; then says how to go on after the last one. */
async function tail(
  sandbox: Sandbox,
  { after, type: types = [], json }: Following,
  onReady: () => void,
  handle: (event: Event, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const client = clientOf(sandbox);
  const signal = stopSignal();
  const start = after ?? (await findNewestEvent(client));
  onReady();
  const onOutage = (reason: string) => console.error(`${reason} Trying again …`);
  let last = start;
  for await (const event of followEvents({ client, after: start, signal, onOutage })) {
    if (types.length === 0 || types.includes(event.type)) await handle(event, signal);
    if (signal.aborted) break;
    last = event.id;
  }
  if (last !== undefined && !json) console.error(`Ended. To go on from here: --after ${last}`);
}

async function showEvents(
  sandbox: Sandbox,
  options: Following & { readonly tail: boolean; readonly limit: number },
): Promise<void> {
  const show = (event: Event) => print(options.json, event, () => describe(event));
  if (options.tail) {
    const onReady = () => console.error('Waiting for events. Ctrl-C ends it.');
    return tail(sandbox, options, onReady, (event) => Promise.resolve(show(event)));
  }
  const { limit, type: types = [] } = options;
  const queries = types.length === 0 ? [{ limit }] : [...new Set(types)].map((type) => ({ limit, type }));
  const pages = await Promise.all(queries.map((query) => clientOf(sandbox).events.list(query)));
  const events = pages.flatMap(({ data }) => data).toSorted((one, other) => one.sequence - other.sequence);
  for (const event of events.slice(-limit)) show(event);
}

async function trigger(sandbox: Sandbox, { type, json }: { readonly type: TriggerType; readonly json: boolean }) {
  const client = clientOf(sandbox);
  const after = await findNewestEvent(client);
  const id = await makePayment(client, type);
  if (!json) console.log(`Payment ${id}: ${TRIGGERS[type].steps}`);
  const event = await findEvent(client, after, (one) => one.type === type && isAbout(one, id), timeLimitOf(type));
  if (event === undefined) throw new UserError(`The payment ${id} did not lead to ${type}. See GET /events.`);
  print(json, event, () => describe(event));
}

async function showClock(sandbox: Sandbox, { json }: { readonly json: boolean }): Promise<void> {
  const clock = await clientOf(sandbox).testClock.get();
  print(json, clock, () => describeClock(clock));
}

async function advanceClock(
  sandbox: Sandbox,
  { duration, json }: { readonly duration: string; readonly json: boolean },
): Promise<void> {
  const seconds = parseSeconds(duration);
  const client = clientOf(sandbox);
  let clock = await client.testClock.advance({ seconds });
  const signal = stopSignal();
  while (clock.status === 'advancing' && !signal.aborted) {
    await wait(CLOCK_READ_EVERY_MS, undefined, { signal }).catch(() => undefined);
    clock = await client.testClock.get();
  }
  print(json, clock, () => describeClock(clock));
}

/** @throws UserError */
function parseSeconds(duration: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(duration) ?? [];
  const unitMs = UNITS_MS[unit];
  if (amount === undefined || unitMs === undefined) {
    throw new UserError(`Expected a duration such as 90s, 15m, 2h or 7d; got "${duration}".`);
  }
  return (Number(amount) * unitMs) / SECOND_MS;
}

function describeClock({ status, advancedSeconds }: TestClock): string {
  return `The test clock is ${status}, ${advancedSeconds} seconds ahead.`;
}

async function findEvent(
  client: Client,
  after: string | undefined,
  fits: (event: Event) => boolean,
  withinMs: number,
): Promise<Event | undefined> {
  const signal = AbortSignal.any([stopSignal(), AbortSignal.timeout(withinMs)]);
  for await (const event of followEvents({ client, after, signal, onOutage: () => undefined })) {
    if (fits(event)) return event;
  }
  return undefined;
}

function isAbout({ data }: Event, paymentIntentId: string): boolean {
  return data.id === paymentIntentId || ('paymentIntentId' in data && data.paymentIntentId === paymentIntentId);
}

/** Defines the program as a shell function, because nothing installs it. */
function shellFunction(): string {
  const bootstrap = `'${PROJECT_ROOT.replaceAll("'", String.raw`'\''`)}/scripts/bootstrap.mjs'`;
  return `${PROGRAM}() { node ${bootstrap} cli "$@"; }`;
}

/** Aborted by Ctrl-C, and when nobody reads the output any more. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  process.stdout.once('error', () => stop.abort());
  return stop.signal;
}

function clientOf(sandbox: Sandbox): Client {
  return createClient({ ...sandbox, timeoutMs: CALL_TIMEOUT_MS });
}

/** One line of JSON, or text for people. */
function print(json: boolean, value: object, toText: () => string): void {
  console.log(json ? JSON.stringify(value) : toText());
}

function describe({ sequence, createdAt, type, id, data }: Event): string {
  return [createdAt, String(sequence), type.padEnd(32), id, data.id].join('  ');
}

function idsOf({ id, type, sequence, data }: Event) {
  return { id, type, sequence, data: { id: data.id, object: data.object } };
}

/** Runs a command on the running sandbox. @throws UserError when it is not there, or refuses */
async function onSandbox(run: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await readSandbox(readStartConfig().dataDir);
  if (!sandbox.apiKey.startsWith(SANDBOX_KEY_PREFIX)) {
    throw new UserError(`This works with keys of the sandbox only (${SANDBOX_KEY_PREFIX}…).`);
  }
  try {
    await run(sandbox);
  } catch (error) {
    if (error instanceof PaymentEngineConnectionError) {
      throw new UserError(`The API does not answer at ${sandbox.baseUrl}. Is "npm start" running in another terminal?`);
    }
    if (error instanceof PaymentEngineError) throw new UserError(`${error.code}: ${error.message}`);
    throw error;
  }
}

const TRIGGER_TYPES = Object.keys(TRIGGERS) as TriggerType[];
const TRIGGER_HELP = TRIGGER_TYPES.map((type) => `  ${type.padEnd(34)}${TRIGGERS[type].steps}`).join('\n');
const WHICH_EVENTS = {
  type: { choices: EVENT_TYPES, array: true, requiresArg: true, describe: 'Only events of these types' },
  after: { type: 'string', requiresArg: true, describe: 'Begin after the event with this id, instead of now' },
} as const;

const program = yargs(hideBin(process.argv))
  .scriptName(PROGRAM)
  .usage(`$0 <command>: works with the sandbox of a running "npm start".\n"npm run listen -- …" is "$0 listen …".`)
  .option('json', { type: 'boolean', default: false, global: true, describe: 'Print JSON, one object a line' })
  .command(
    'listen',
    'Forward the webhooks of the sandbox to a server on this machine',
    (options) =>
      options.options({
        'forward-to': { type: 'string', demandOption: true, requiresArg: true, describe: 'The URL of the server' },
        ...WHICH_EVENTS,
      }),
    (options) => onSandbox((sandbox) => listen(sandbox, options)),
  )
  .command(
    'events',
    'Show the newest events, or those that come',
    (options) =>
      options
        .options({
          tail: { type: 'boolean', default: false, describe: 'Show events as they come, until Ctrl-C' },
          limit: {
            type: 'number',
            default: 20,
            requiresArg: true,
            describe: 'How many, from 1 to 100; without --tail',
          },
          ...WHICH_EVENTS,
        })
        .check(({ after, tail: follows }) => {
          if (after !== undefined && !follows) throw new UserError('--after needs --tail.');
          return true;
        }),
    (options) => onSandbox((sandbox) => showEvents(sandbox, options)),
  )
  .command(
    'trigger <type>',
    'Make a payment that leads to an event, and wait for the event',
    (options) =>
      options
        .positional('type', { choices: TRIGGER_TYPES, demandOption: true, describe: 'The type of the event' })
        .epilogue(`What is done for each type:\n${TRIGGER_HELP}`),
    (options) => onSandbox((sandbox) => trigger(sandbox, options)),
  )
  .command(
    'test-clock',
    'Show how far the test clock of the sandbox is ahead',
    () => undefined,
    (options) => onSandbox((sandbox) => showClock(sandbox, options)),
  )
  .command(
    'advance <duration>',
    'Advance the test clock: make the open payments of the sandbox older, and wait until they are',
    (options) =>
      options.positional('duration', {
        type: 'string',
        demandOption: true,
        describe: 'By how much: 90s, 15m, 2h or 7d; a number alone counts seconds',
      }),
    (options) => onSandbox((sandbox) => advanceClock(sandbox, options)),
  )
  .command(
    'completion',
    `Print a script for bash or zsh that defines ${PROGRAM} and completes it`,
    () => undefined,
    () => {
      console.log(shellFunction());
      program.showCompletionScript();
    },
  )
  .demandCommand(1, 'Which command?')
  .strict()
  .detectLocale(false)
  .version(false)
  .wrap(null)
  .fail((message, error: Error | undefined) => {
    throw (
      error ??
      new UserError(
        `${message}\nFor help: ${['npm run cli --', ...hideBin(process.argv).slice(0, 1), '--help'].join(' ')}`,
      )
    );
  });

await runScript(async () => {
  await program.parseAsync();
});
