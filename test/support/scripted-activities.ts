import { activityInfo, ApplicationFailure, heartbeat, sleep } from '@temporalio/activity';
import type {
  Amendment,
  AttemptAtProvider,
  AuthorizePaymentRequest,
  AuthorizePaymentResult,
  PaymentActivities,
  PaymentPlan,
} from '../../activities/payment-activities.ts';
import type { EventType } from '../../domain/events.ts';
import type { PaymentChange } from '../../domain/payment-change.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import {
  isFinal,
  type AuthorizationOutcome,
  type FinalOutcome,
  type InquiryOutcome,
  type OutageCode,
} from '../../domain/provider-outcome.ts';

/** What a scripted provider does when asked: answer, have an outage, not answer at all, or fail for good. */
export type Scripted<Outcome> =
  | Outcome
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'hang' }
  | { readonly kind: 'broken' };

export interface ProviderScript {
  readonly authorize: readonly Scripted<AuthorizationOutcome>[];
  readonly inquire?: readonly Scripted<InquiryOutcome>[];
  readonly close?: readonly Scripted<InquiryOutcome>[];
}

export interface ProviderCall {
  readonly operation: 'authorize' | 'inquire' | 'await' | 'close';
  readonly provider: string;
  readonly attemptId: string;
  /** The server's time at this call. */
  readonly atMs: number;
}

/**
 * Activities whose providers follow a script: the last line of each list is repeated. What the workflow asked and
 * recorded can be read back.
 */
export class ScriptedActivities implements PaymentActivities {
  readonly changes: PaymentChange[] = [];
  readonly calls: ProviderCall[] = [];
  plan: PaymentPlan;
  clock: () => Promise<number> = () => Promise.resolve(Date.now());
  amendedTerms: PaymentTerms | null = null;
  readonly #scripts: Readonly<Record<string, ProviderScript>>;

  constructor(scripts: Readonly<Record<string, ProviderScript>>) {
    this.#scripts = scripts;
    this.plan = {
      refusal: null,
      routes: Object.keys(scripts).map((provider) => ({ routeId: `rt_${provider}`, provider })),
      passedOver: [],
    };
  }

  get statuses(): PaymentStatus[] {
    return this.changes.map(({ columns }) => columns.status);
  }

  get eventTypes(): EventType[] {
    return this.changes.flatMap(({ events }) => events.map(({ type }) => type));
  }

  get last(): PaymentChange {
    const change = this.changes.at(-1);
    if (change === undefined) throw new Error('nothing was recorded');
    return change;
  }

  operations(provider: string): ProviderCall['operation'][] {
    return this.calls.filter((call) => call.provider === provider).map(({ operation }) => operation);
  }

  planPayment = (): Promise<PaymentPlan> => Promise.resolve(this.plan);

  recordChange = (change: PaymentChange): Promise<void> => {
    const expected = this.changes.at(-1)?.fromVersion;
    if (expected !== undefined && change.fromVersion <= expected) return Promise.resolve();
    this.changes.push(change);
    return Promise.resolve();
  };

  applyAmendment = (_amendment: Amendment): Promise<PaymentTerms> => {
    if (this.amendedTerms === null) throw new Error('no amendment was scripted');
    return Promise.resolve(this.amendedTerms);
  };

  authorizePayment = async (request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult> => {
    const outcome = await this.#play('authorize', request, this.#scripts[request.provider]?.authorize);
    return { outcome, tries: activityInfo().attempt };
  };

  inquirePayment = (attempt: AttemptAtProvider): Promise<InquiryOutcome> =>
    this.#play('inquire', attempt, this.#scripts[attempt.provider]?.inquire);

  awaitPayment = async (attempt: AttemptAtProvider): Promise<FinalOutcome> =>
    finalOrRetry(await this.#play('await', attempt, this.#scripts[attempt.provider]?.inquire));

  closePayment = async (attempt: AttemptAtProvider): Promise<FinalOutcome> =>
    finalOrRetry(await this.#play('close', attempt, this.#scripts[attempt.provider]?.close));

  async #play<Outcome extends { readonly kind: string }>(
    operation: ProviderCall['operation'],
    { provider, attemptId }: AttemptAtProvider,
    script: readonly Scripted<Outcome>[] = [],
  ): Promise<Outcome> {
    const played = this.calls.filter((call) => call.operation === operation && call.provider === provider).length;
    this.calls.push({ operation, provider, attemptId, atMs: await this.clock() });
    const line = script[Math.min(played, script.length - 1)];
    if (line === undefined) throw ApplicationFailure.nonRetryable(`${provider} has no script for ${operation}`);
    if (isOutage(line)) throw ApplicationFailure.create({ type: line.code, message: `${provider}: ${line.code}` });
    if (isHang(line)) return hang();
    if (isBroken(line)) throw ApplicationFailure.nonRetryable(`${provider} is not understood`);
    return line;
  }
}

function isOutage(line: { readonly kind: string }): line is { readonly kind: 'outage'; readonly code: OutageCode } {
  return line.kind === 'outage';
}

function isHang(line: { readonly kind: string }): line is { readonly kind: 'hang' } {
  return line.kind === 'hang';
}

function isBroken(line: { readonly kind: string }): line is { readonly kind: 'broken' } {
  return line.kind === 'broken';
}

/** Never answers; ends when the activity is canceled. */
async function hang(): Promise<never> {
  for (;;) {
    heartbeat();
    await sleep(50);
  }
}

function finalOrRetry(outcome: InquiryOutcome): FinalOutcome {
  if (isFinal(outcome)) return outcome;
  throw ApplicationFailure.create({ type: 'OUTCOME_OPEN', message: 'still open' });
}
