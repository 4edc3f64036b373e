import { createInterface } from 'node:readline';
import {
  createClient,
  PaymentEngineConnectionError,
  PaymentEngineError,
  verifyWebhook,
  WebhookVerificationError,
} from '../server/index.ts';
import { OPERATIONS } from '../server/generated/operations.ts';
import { RESOURCES } from '../server/resources.ts';
import type { Command, Report } from './driver.ts';
import type { Call, Outcome } from './scenario.ts';

/** Makes the calls of the scenarios with the TypeScript client. */
for await (const line of createInterface({ input: process.stdin })) {
  // The commands are those of this folder.
  console.log(JSON.stringify(await run(JSON.parse(line) as Command)));
}

async function run(command: Command): Promise<Report> {
  if ('webhook' in command) return verify(command.webhook);
  const pausesMs: number[] = [];
  const pause = (ms: number): Promise<void> => {
    pausesMs.push(ms);
    return Promise.resolve();
  };
  const client = createClient({ ...command.client, pause });
  try {
    return { ...(await call(client, command.call)), pausesMs };
  } catch (error) {
    return { ...outcomeOf(error), pausesMs };
  }
}

function verify({ headers, body, secrets }: Extract<Command, { webhook: unknown }>['webhook']): Report {
  try {
    const { id } = verifyWebhook({ payload: Buffer.from(body, 'base64'), headers, secret: secrets });
    return { kind: 'event', id };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { kind: 'webhook_refused' };
  }
}

type Methods = Readonly<Record<string, (...input: readonly unknown[]) => unknown>>;
type Identified = { readonly id: string };

async function call(
  client: ReturnType<typeof createClient>,
  { operation, path = [], query, body, options, iterate }: Call,
): Promise<Outcome> {
  const [resource, method] = placeOf(operation);
  // The scenarios call methods by their operations, whatever their types.
  const methods = client[resource] as unknown as Methods;
  const content = OPERATIONS[operation].input === 'none' ? [] : [query ?? body];
  const answer = methods[iterate === true ? 'iterate' : method]?.(...path, ...content, options);
  if (iterate === true) return { kind: 'items', ids: await idsOf(answer as AsyncIterable<Identified>) };
  const result = await answer;
  if (operation !== 'listPaymentIntents') return { kind: 'result', data: result };
  return { kind: 'items', ids: (result as { readonly data: readonly Identified[] }).data.map(({ id }) => id) };
}

async function idsOf(elements: AsyncIterable<Identified>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of elements) ids.push(id);
  return ids;
}

/** The resource and the method of an operation. */
function placeOf(operation: Call['operation']): [keyof typeof RESOURCES, string] {
  for (const [resource, methods] of Object.entries(RESOURCES)) {
    const found = Object.entries(methods).find(([, id]) => id === operation);
    if (found !== undefined) return [resource as keyof typeof RESOURCES, found[0]];
  }
  throw new Error(`no method for ${operation}`);
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof PaymentEngineConnectionError) return { kind: 'connection_error' };
  if (error instanceof TypeError) return { kind: 'usage_error' };
  if (!(error instanceof PaymentEngineError)) throw error;
  const { code, status, requestId, paymentIntent } = error;
  return { kind: 'engine_error', code, status, requestId, paymentIntentId: paymentIntent?.id ?? null };
}
