import { activityInfo, ApplicationFailure, heartbeat, sleep } from '@temporalio/activity';
import type {
  Amendment,
  AttemptAtProvider,
  AuthorizePaymentRequest,
  AuthorizePaymentResult,
  AwaitPaymentRequest,
  CapturePaymentRequest,
  CapturePaymentResult,
  PaymentPlan,
} from '../../activities/payment-activities.ts';
import type { EngineActivities } from '../../activities/create-activities.ts';
import type {
  RefundAtProvider,
  RefundPaymentRequest,
  RefundPaymentResult,
} from '../../activities/refund-activities.ts';
import type { EventType } from '../../domain/events.ts';
import { AMENDMENT_GONE, type PaymentChange } from '../../domain/payment-change.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import {
  isFinal,
  isFinalRefund,
  isNews,
  NOT_CALLED,
  type AuthorizationOutcome,
  type CaptureOutcome,
  type FinalOutcome,
  type FinalRefundOutcome,
  type InquiryOutcome,
  type OutageCode,
  type RefundInquiryOutcome,
  type RefundOutcome,
} from '../../domain/provider-outcome.ts';
import type { RefundConclusion } from '../../domain/refund.ts';

/** What a scripted provider does when asked: answer, have an outage, not answer at all, or fail for good. */
export type Scripted<Outcome> =
  | Outcome
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'hang' }
  | { readonly kind: 'broken' };

export interface ProviderScript {
  readonly authorize?: readonly Scripted<AuthorizationOutcome>[];
  readonly inquire?: readonly Scripted<InquiryOutcome>[];
  readonly close?: readonly Scripted<InquiryOutcome>[];
  readonly capture?: readonly Scripted<CaptureOutcome>[];
  readonly refund?: readonly Scripted<RefundOutcome>[];
  readonly inquireRefund?: readonly Scripted<RefundInquiryOutcome>[];
}

export interface ProviderCall {
  readonly operation:
    'authorize' | 'inquire' | 'await' | 'close' | 'capture' | 'refund' | 'inquire refund' | 'await refund';
  readonly provider: string;
  /** The attempt's or the refund's id. */
  readonly key: string;
  /** The server's time at this call. */
  readonly atMs: number;
}

/**
 * Activities whose providers follow a script: the last line of each list is repeated. What the workflow asked and
 * recorded can be read back.
 */
export class ScriptedActivities implements EngineActivities {
  readonly changes: PaymentChange[] = [];
  readonly conclusions: RefundConclusion[] = [];
  readonly calls: ProviderCall[] = [];
  plan: PaymentPlan;
  /** What is planned from the second time on, where it is something else. */
  laterPlan: PaymentPlan | null = null;
  clock: () => Promise<number> = () => Promise.resolve(Date.now());
  amendedTerms: PaymentTerms | null = null;
  /** Whether no provider can be called within a task. */
  hasNoSlots = false;
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

  planPayment = (): Promise<PaymentPlan> => {
    const { plan } = this;
    this.plan = this.laterPlan ?? plan;
    return Promise.resolve(plan);
  };

  recordChange = (change: PaymentChange): Promise<number> => {
    const expected = this.changes.at(-1)?.fromVersion;
    if (expected === undefined || change.fromVersion > expected) this.changes.push(change);
    return Promise.resolve(change.fromVersion + 1);
  };

  applyAmendment = (_amendment: Amendment): Promise<PaymentTerms> => {
    if (this.amendedTerms === null) throw ApplicationFailure.nonRetryable('no such amendment', AMENDMENT_GONE);
    return Promise.resolve(this.amendedTerms);
  };

  authorizePayment = async (request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult> => {
    const outcome = await this.#play('authorize', atAttempt(request), this.#scripts[request.provider]?.authorize);
    return { outcome, tries: (request.triesBefore ?? 0) + activityInfo().attempt };
  };

  authorizeAtOnce = (request: AuthorizePaymentRequest): Promise<AuthorizePaymentResult> => {
    if (this.hasNoSlots) throw ApplicationFailure.create({ type: NOT_CALLED, message: 'no slot' });
    return this.authorizePayment(request);
  };

  inquirePayment = (attempt: AttemptAtProvider): Promise<InquiryOutcome> =>
    this.#play('inquire', atAttempt(attempt), this.#scripts[attempt.provider]?.inquire);

  awaitPayment = async (request: AwaitPaymentRequest): Promise<InquiryOutcome> => {
    const outcome = await this.#play('await', atAttempt(request), this.#scripts[request.provider]?.inquire);
    return isNews(request.known, outcome) ? outcome : finalOrRetry(outcome);
  };

  closePayment = async (attempt: AttemptAtProvider): Promise<FinalOutcome> =>
    finalOrRetry(await this.#play('close', atAttempt(attempt), this.#scripts[attempt.provider]?.close));

  capturePayment = async (request: CapturePaymentRequest): Promise<CapturePaymentResult> => {
    const outcome = await this.#play('capture', atAttempt(request), this.#scripts[request.provider]?.capture);
    return { outcome, tries: activityInfo().attempt };
  };

  refundPayment = async (request: RefundPaymentRequest): Promise<RefundPaymentResult> => {
    const outcome = await this.#play('refund', atRefund(request), this.#scripts[request.provider]?.refund);
    return { outcome, tries: activityInfo().attempt };
  };

  inquireRefund = (refund: RefundAtProvider): Promise<RefundInquiryOutcome> =>
    this.#play('inquire refund', atRefund(refund), this.#scripts[refund.provider]?.inquireRefund);

  awaitRefund = async (refund: RefundAtProvider): Promise<FinalRefundOutcome> => {
    const script = this.#scripts[refund.provider]?.inquireRefund;
    const outcome = await this.#play('await refund', atRefund(refund), script);
    if (isFinalRefund(outcome)) return outcome;
    throw ApplicationFailure.create({ type: 'OUTCOME_OPEN', message: 'still open' });
  };

  recordRefund = (conclusion: RefundConclusion): Promise<void> => {
    this.conclusions.push(conclusion);
    return Promise.resolve();
  };

  async #play<Outcome extends { readonly kind: string }>(
    operation: ProviderCall['operation'],
    { provider, key }: Pick<ProviderCall, 'provider' | 'key'>,
    script: readonly Scripted<Outcome>[] = [],
  ): Promise<Outcome> {
    const played = this.calls.filter((call) => call.operation === operation && call.provider === provider).length;
    this.calls.push({ operation, provider, key, atMs: await this.clock() });
    const line = script[Math.min(played, script.length - 1)];
    if (line === undefined) throw ApplicationFailure.nonRetryable(`${provider} has no script for ${operation}`);
    if (isOutage(line)) throw ApplicationFailure.create({ type: line.code, message: `${provider}: ${line.code}` });
    if (isHang(line)) return hang();
    if (isBroken(line)) throw ApplicationFailure.nonRetryable(`${provider} is not understood`);
    return line;
  }
}

function atAttempt({ provider, attemptId }: AttemptAtProvider): Pick<ProviderCall, 'provider' | 'key'> {
  return { provider, key: attemptId };
}

function atRefund({ provider, refundId }: RefundAtProvider): Pick<ProviderCall, 'provider' | 'key'> {
  return { provider, key: refundId };
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
