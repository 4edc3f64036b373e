import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  type ManualResolutionAnswer,
  type ResolvePaymentRequest,
  resolvePaymentUpdate,
  type ResolveRefundRequest,
  resolveRefundUpdate,
} from '../../protocol/messages.ts';
import { card, type CardName } from '../../sandbox/test-payment-methods.ts';
import { type Client, createClient } from '../../sdk/server/index.ts';
import type { ChaosEngine } from '../engine/chaos-engine.ts';
import { setProviderFaults } from '../faults/injector.ts';

/** A waiting state that people could not end. */
export interface FailedExit {
  readonly paymentIntentId: string;
  readonly what: string;
}

interface Sample {
  readonly what: string;
  readonly card: CardName;
  readonly captureMethod: 'automatic' | 'manual';
  /** Asks for what the provider will not answer. @returns the id of the workflow that waits then */
  readonly ask: (client: Client, paymentIntentId: string) => Promise<string>;
}

const SAMPLES: readonly Sample[] = [
  {
    what: 'a payment without an outcome',
    card: 'silent',
    captureMethod: 'automatic',
    ask: (_, id) => Promise.resolve(id),
  },
  {
    what: 'the capture of a hold',
    card: 'approved',
    captureMethod: 'manual',
    ask: async (client, id) => {
      await client.paymentIntents.capture(id, {}).catch(ignore);
      return id;
    },
  },
  { what: 'the void of a hold', card: 'approved', captureMethod: 'manual', ask: cancel },
  { what: 'the closing of an attempt', card: 'threeDSecure', captureMethod: 'automatic', ask: cancel },
  {
    what: 'a refund',
    card: 'approved',
    captureMethod: 'automatic',
    ask: async (client, id) => (await client.refunds.create({ paymentIntentId: id })).id,
  },
];

/** What the simulators do not answer meanwhile. */
const AWAY = {
  errorRate: 1,
  errorStatus: 503,
  operations: ['inquiries', 'closures', 'captures', 'refunds', 'refund-inquiries'],
} as const;
const RESOLVED_WITHIN_MS = 7 * MINUTE_MS;
const ASK_EVERY_MS = 10 * SECOND_MS;
const UPDATE_WITHIN_MS = 20 * SECOND_MS;

/**
 * Brings a payment, or its refund, into each state that waits for a provider, has the providers answer nothing, and ends each by hand,
 * as two people do. What was charged or held all the same is returned once the providers are back.
 */
export async function tryExits(
  { stack, providers }: Pick<ChaosEngine, 'stack' | 'providers'>,
  temporal: TemporalClient,
  signal: AbortSignal,
): Promise<readonly FailedExit[]> {
  const client = createClient(stack.sandbox);
  const simulators = providers.filter(({ provider }) => provider === 'alpha' || provider === 'beta');
  const begun = await Promise.all(
    SAMPLES.map(async (sample) => ({ sample, paymentIntentId: await begin(client, sample) })),
  );
  try {
    for (const { url } of simulators) await setProviderFaults(url, AWAY);
    const deadlineMs = Date.now() + RESOLVED_WITHIN_MS;
    const failed = await Promise.all(
      begun.map(async ({ sample: { what, ask }, paymentIntentId }): Promise<readonly FailedExit[]> => {
        const workflowId = await ask(client, paymentIntentId);
        const isEnded = await endByHand(temporal, workflowId, deadlineMs, signal);
        return isEnded ? [] : [{ paymentIntentId, what: `${what} could not be ended by hand` }];
      }),
    );
    return failed.flat();
  } finally {
    for (const { url } of simulators) await setProviderFaults(url, {});
  }
}

async function begin(client: Client, { card: name, captureMethod }: Sample): Promise<string> {
  const terms = { amount: 1_234, currency: 'EUR', country: 'DE', captureMethod };
  const { id } = await client.paymentIntents.create(terms);
  // Without an outcome in time the answer is an error.
  await client.paymentIntents.confirm(id, { paymentMethod: card(name) }).catch(ignore);
  return id;
}

async function cancel(client: Client, id: string): Promise<string> {
  await client.paymentIntents.cancel(id, {}).catch(ignore);
  return id;
}

function ignore(): void {
  // The answer came too late; the workflow goes on.
}

/** Sends the same as two people, again and again, because only what has waited for minutes may be ended. */
async function endByHand(
  temporal: TemporalClient,
  workflowId: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const isRefund = workflowId.startsWith('re_');
  while (Date.now() < deadlineMs && !signal.aborted) {
    try {
      const answers: ManualResolutionAnswer[] = [];
      for (const by of ['ada', 'bob']) {
        const note = 'the chaos run ends it by hand';
        answers.push(
          isRefund
            ? await send(temporal, workflowId, resolveRefundUpdate, { by, note, outcome: 'not_refunded' })
            : await send(temporal, workflowId, resolvePaymentUpdate, { by, note, outcome: 'not_charged' }),
        );
      }
      if (answers.at(-1)?.isResolved === true) return true;
    } catch {
      // Refused, because it has not waited for long enough.
    }
    await sleep(ASK_EVERY_MS);
  }
  return false;
}

function send<Request extends ResolvePaymentRequest | ResolveRefundRequest>(
  temporal: TemporalClient,
  workflowId: string,
  update: UpdateDefinition<ManualResolutionAnswer, [Request]>,
  request: Request,
): Promise<ManualResolutionAnswer> {
  const handle = temporal.workflow.getHandle(workflowId);
  return temporal.withDeadline(Date.now() + UPDATE_WITHIN_MS, () => handle.executeUpdate(update, { args: [request] }));
}
