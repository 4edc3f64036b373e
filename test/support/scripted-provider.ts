import { ApplicationFailure } from '@temporalio/activity';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  OutageCode,
  RefundInquiryOutcome,
  RefundOutcome,
} from '../../domain/provider-outcome.ts';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { SIMULATOR_CAPABILITIES } from '../../providers/simulator/simulator-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../providers/provider-errors.ts';

/** What a scripted provider does in a call: return an outcome, have an outage, never answer, or fail without retry. */
export type Scripted<Outcome> =
  | Outcome
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'credentials_refused' }
  | { readonly kind: 'hang' }
  /** Ignores the cancellation of the call, and answers some time after it. */
  | { readonly kind: 'answersAfterCancel'; readonly outcome: Outcome }
  | { readonly kind: 'broken' };

export interface ProviderScript {
  readonly authorize?: readonly Scripted<AuthorizationOutcome>[];
  readonly inquire?: readonly Scripted<InquiryOutcome>[];
  readonly close?: readonly Scripted<InquiryOutcome>[];
  readonly capture?: readonly Scripted<CaptureOutcome>[];
  readonly refund?: readonly Scripted<RefundOutcome>[];
  readonly inquireRefund?: readonly Scripted<RefundInquiryOutcome>[];
  /** Set where it cannot be asked to authenticate the customer. */
  readonly cannotAuthenticate?: true;
  /** Whether a pending attempt goes on as it should; absent where the provider does not show it. */
  readonly progress?: readonly boolean[];
}

export interface ProviderCall {
  readonly operation: Exclude<keyof ProviderScript, 'progress' | 'cannotAuthenticate'>;
  readonly provider: string;
  /** The attempt's or the refund's id. */
  readonly key: string;
  /** The requested amount; null if the call has none. */
  readonly amountMinor: number | null;
  /** Set where it asked for authentication. */
  readonly mustAuthenticate?: true;
  /** The server's time at this call. */
  readonly atMs: number;
}

/** A provider that follows a script: the last line of each list is repeated. Calls `onCall` before each answer. */
export function scriptedProvider(
  name: string,
  script: ProviderScript,
  onCall: (call: Omit<ProviderCall, 'atMs'>) => void,
): PaymentProvider {
  const played = new Map<string, number>();
  const progress = [...(script.progress ?? [])];
  const play = async <Outcome extends { readonly kind: string }>(
    call: Omit<ProviderCall, 'atMs' | 'provider'>,
    lines: readonly Scripted<Outcome>[] = [],
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const index = played.get(call.operation) ?? 0;
    played.set(call.operation, index + 1);
    onCall({ ...call, provider: name });
    const line = lines[Math.min(index, lines.length - 1)];
    if (line === undefined) throw ApplicationFailure.nonRetryable(`${name} has no script for ${call.operation}`);
    return perform(name, line, signal);
  };
  return {
    name,
    capabilities: SIMULATOR_CAPABILITIES,
    authorize: ({ attemptId: key, amountMinor, mustAuthenticate }, signal) => {
      const asked = mustAuthenticate === undefined ? {} : { mustAuthenticate };
      return play({ operation: 'authorize', key, amountMinor, ...asked }, script.authorize, signal);
    },
    canAuthenticate: () => script.cannotAuthenticate !== true,
    inquire: ({ attemptId: key }, signal) =>
      play({ operation: 'inquire', key, amountMinor: null }, script.inquire, signal),
    close: ({ attemptId: key }, signal) => play({ operation: 'close', key, amountMinor: null }, script.close, signal),
    capture: ({ attemptId: key, amountMinor }, signal) =>
      play({ operation: 'capture', key, amountMinor }, script.capture, signal),
    refund: ({ refundId: key, amountMinor }, signal) =>
      play({ operation: 'refund', key, amountMinor }, script.refund, signal),
    inquireRefund: ({ refundId: key }, signal) =>
      play({ operation: 'inquireRefund', key, amountMinor: null }, script.inquireRefund, signal),
    ...(script.progress === undefined
      ? {}
      : {
          isProgressing: () => Promise.resolve(progress.length > 1 ? progress.shift() === true : progress[0] === true),
        }),
    parseWebhook: () => ({ events: [], skipped: [] }),
  };
}

type Line<Kind extends string> = Extract<Scripted<never>, { readonly kind: Kind }>;

async function perform<Outcome extends { readonly kind: string }>(
  name: string,
  line: Scripted<Outcome>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (is('outage', line)) throw new ProviderOutageError(line.code, `${name}: ${line.code}`);
  if (is('credentials_refused', line)) throw new CredentialsRefusedError(`${name} does not know the key`);
  if (is('hang', line)) {
    await aborted(signal);
    throw signal.reason;
  }
  if (is('broken', line)) throw ApplicationFailure.nonRetryable(`${name} is not understood`);
  if (isLate(line)) {
    await aborted(signal);
    return line.outcome;
  }
  return line;
}

function is<Kind extends 'outage' | 'credentials_refused' | 'hang' | 'broken'>(
  kind: Kind,
  line: { readonly kind: string },
): line is Line<Kind> {
  return line.kind === kind;
}

function isLate<Outcome>(
  line: Scripted<Outcome>,
): line is { readonly kind: 'answersAfterCancel'; readonly outcome: Outcome } {
  return typeof line === 'object' && line !== null && 'kind' in line && line.kind === 'answersAfterCancel';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
