import { activityInfo, ApplicationFailure, cancellationSignal, heartbeat, log, sleep } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { JsonObject } from '../domain/json.ts';
import type { Approved } from '../domain/provider-outcome.ts';
import type { PaymentStep } from '../domain/payment-step.ts';
import { SLOW_CALL_AFTER_MS } from '../domain/time-limits.ts';
import { SECOND_MS } from '../domain/time.ts';
import { ANOTHER_AMOUNT } from '../domain/unknown-outcome.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../providers/provider-errors.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { InquiryDependencies } from './inquiry-request.ts';

/** A worker learns from the answer to its heartbeat that a call was canceled. */
const HEARTBEAT_EVERY_MS = SECOND_MS;
const DATABASE_RETRY_MS = 40 * SECOND_MS;
const DATABASE_PAUSE_MS = 500;

/** The failure when a provider reports another amount or currency than was requested. */
export const AMOUNT_DIFFERS = 'AMOUNT_DIFFERS';

export interface ProviderCallDependencies extends InquiryDependencies {
  readonly registry: ProviderRegistry;
  /** The time of recorded steps, ISO 8601 UTC; by default the machine's. */
  readonly now?: () => string;
}

/** Runs a provider call with a heartbeat; an outage fails the activity with its code as type. */
export async function withHeartbeat<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await call(cancellationSignal());
  } catch (error) {
    if (!(error instanceof ProviderOutageError)) throw error;
    throw ApplicationFailure.create({ type: error.code, message: error.message });
  } finally {
    clearInterval(timer);
  }
}

/**
 * Calls a provider, and notes a try that fails; not one that was canceled. After `notedTries` only one note follows, that the
 * provider refuses the credentials, because calls are repeated without limit.
 * @param note gets the error and the id of the note, by which a repeat is recognised
 */
export async function notingFailures<T>(
  notedTries: number,
  call: () => Promise<T>,
  note: (error: unknown, noteId: string) => Promise<unknown>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const noteId = noteIdOf(error, notedTries);
    if (!cancellationSignal().aborted && noteId !== null) await note(error, noteId);
    throw error;
  }
}

function noteIdOf(error: unknown, notedTries: number): string | null {
  if (tryNumber() <= notedTries) return String(tryNumber());
  return error instanceof CredentialsRefusedError ? 'credentials refused' : null;
}

/** Retries database work while the database is unavailable, so that its outage does not use up the tries of the call. */
export async function retryWhileDatabaseIsUnavailable<T>(work: () => Promise<T>): Promise<T> {
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

/**
 * Begins to time a call. @returns whether it has taken long by then
 * @param now the time, ISO 8601
 */
export function timeCall(now: () => string): () => boolean {
  const beganAt = Date.parse(now());
  return () => Date.parse(now()) - beganAt > SLOW_CALL_AFTER_MS;
}

/** The part of a step that counts a failure of the provider's health. */
export function countFailure(provider: string): Pick<PaymentStep, 'providerHealth'> {
  return { providerHealth: [{ provider, available: false }] };
}

/** Finds a provider, even one that takes no new payments: open attempts must be resolved at their provider. */
export async function providerOf(
  registry: ProviderRegistry,
  { provider }: { readonly provider: string },
): Promise<PaymentProvider> {
  const found = await retryWhileDatabaseIsUnavailable(() => registry.find(provider));
  if (found === undefined) throw new Error(`provider ${provider} is not configured`);
  return found;
}

/**
 * The failure that makes Temporal retry an activity while the provider has no final outcome. Benign, because customers may take
 * minutes to pay: the log would have a line for each inquiry.
 */
export function outcomeOpen({ provider }: { readonly provider: string }, state: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'OUTCOME_OPEN',
    category: ApplicationFailureCategory.BENIGN,
    message: `${provider} has no final outcome yet (${state})`,
  });
}

/** The failure of an answer with another amount or currency than was requested: its outcome counts as unknown. */
export function amountDiffers(
  { provider, key }: { readonly provider: string; readonly key: string },
  asked: JsonObject,
  reported: JsonObject,
): ApplicationFailure {
  const message = `${provider} reports another amount for ${key} than was asked for`;
  log.error(message, { alert: AMOUNT_DIFFERS, provider, key, asked, reported });
  return ApplicationFailure.create({ type: AMOUNT_DIFFERS, message, details: [{ asked, reported }] });
}

/** The authorized and captured amounts that a provider reports, for `amountDiffers`. */
export function reportedAmount({ amountMinor, currency, captured, capturedMinor }: Approved): JsonObject {
  return { amountMinor, currency, captured, capturedMinor: capturedMinor ?? null };
}

/** What a try without a usable answer came to, for the timeline. */
export function describeFailedTry(provider: string, error: unknown): string {
  if (reportsAnotherAmount(error)) return `${provider} reported ${ANOTHER_AMOUNT}`;
  if (error instanceof CredentialsRefusedError) return `${provider} refuses the credentials (${error.message})`;
  return `no answer from ${provider} (${reasonOf(error)})`;
}

/** What an inquiry without an answer came to, for the timeline. */
export function describeNoAnswer(error: unknown): string {
  return error instanceof CredentialsRefusedError
    ? `refused the credentials, so that nobody can tell (${error.message})`
    : 'gave no answer';
}

/** Whether a call failed because the provider reported another amount or currency than was requested. */
export function reportsAnotherAmount(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === AMOUNT_DIFFERS;
}

function reasonOf(error: unknown): string {
  if (error instanceof ProviderOutageError) return error.code;
  return (error instanceof ApplicationFailure ? error.type : null) ?? 'no usable answer';
}

/** The number of the try that runs now, from 1. */
export function tryNumber(): number {
  return activityInfo().attempt;
}
