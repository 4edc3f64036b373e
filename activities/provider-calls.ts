import { activityInfo, ApplicationFailure, cancellationSignal, heartbeat, log, sleep } from '@temporalio/activity';
import type { JsonObject } from '../domain/json.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { ProviderOutageError } from '../providers/provider-errors.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';

/** A worker learns that a call was canceled from the answer to its heartbeat. */
const HEARTBEAT_EVERY_MS = SECOND_MS;
const DATABASE_RETRY_MS = 40 * SECOND_MS;
const DATABASE_PAUSE_MS = 500;

/** The failure of a provider that reports another amount or currency than it was asked for. */
export const AMOUNT_DIFFERS = 'AMOUNT_DIFFERS';

/** Keeps a provider call's heartbeat going, and names outages. */
export async function withHeartbeat<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await namingOutages(() => call(cancellationSignal()));
  } finally {
    clearInterval(timer);
  }
}

/** Turns an outage into a failure whose type is the code people look for. */
async function namingOutages<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderOutageError)) throw error;
    throw ApplicationFailure.create({ type: error.code, message: error.message });
  }
}

/** Repeats database work while the database is away, which must not use up the tries that are meant for the provider. */
export async function retryWhileDatabaseIsAway<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DATABASE_RETRY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof ApplicationFailure;
      if (isFinal || cancellationSignal().aborted || Date.now() > deadline) throw error;
      await sleep(DATABASE_PAUSE_MS);
    }
  }
}

/** Finds a provider. Whether it may take new payments is decided when routes are planned; open attempts always go on. */
export function providerOf(registry: ProviderRegistry, { provider }: { readonly provider: string }): PaymentProvider {
  const found = registry.find(provider);
  if (found === undefined) throw new Error(`provider ${provider} is not configured`);
  return found;
}

/** The failure with which an activity is retried for as long as the provider has no final answer. */
export function outcomeOpen({ provider }: { readonly provider: string }, state: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'OUTCOME_OPEN',
    message: `${provider} has no final outcome yet (${state})`,
  });
}

/** The failure of an answer that tells another amount or currency than was asked for: its outcome counts as unknown. */
export function amountDiffers(
  { provider, key }: { readonly provider: string; readonly key: string },
  asked: JsonObject,
  reported: JsonObject,
): ApplicationFailure {
  const message = `${provider} reports another amount for ${key} than was asked for`;
  log.error(message, { alert: AMOUNT_DIFFERS, provider, key, asked, reported });
  return ApplicationFailure.create({ type: AMOUNT_DIFFERS, message, details: [{ asked, reported }] });
}

/** Why a call brought no usable answer, in a word for the timeline. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProviderOutageError) return error.code;
  return (error instanceof ApplicationFailure ? error.type : null) ?? 'no usable answer';
}

/** The number of the try that runs now, from 1. */
export function tryNumber(): number {
  return activityInfo().attempt;
}
