import type { WorkflowHandle } from '@temporalio/client';
import { createPaymentActivities, type EngineActivities } from '../../activities/create-activities.ts';
import { createManualResolutionActivities } from '../../activities/manual-resolution.ts';
import type { ManualResolutionActivities } from '../../protocol/manual-resolution-activities.ts';
import { awaitRefund, refundPayment } from '../../activities/refund-payment.ts';
import type { EventType } from '../../domain/events.ts';
import type { Attempt, Transaction } from '../../domain/payment.ts';
import type { ProviderEvent, ProviderEventReference, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import type { IntentColumns, NewEvent, TimelineEntry } from '../../domain/payment-step.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import type { RefundResolution } from '../../domain/refund.ts';
import type { MethodToCharge, PaymentMethodDetails } from '../../providers/payment-provider.ts';
import { createProviderRegistry } from '../../providers/provider-registry.ts';
import type { RoutePlan } from '../../domain/plan-routes.ts';
import type { StepWrite } from '../../prisma/queries/payment-step.ts';
import { providerEventSignal, refundEventSignal } from '../../protocol/messages.ts';
import { MemoryPaymentStore } from './memory-payment-store.ts';
import { type ProviderCall, type ProviderScript, scriptedProvider } from './scripted-provider.ts';
import type { PlayedActivities } from './time-skipping-server.ts';
import { NO_REPORTS } from './no-reports.ts';
import { NO_RETURNS } from './customer-returns.ts';
import { memoryCustomers } from './customers-at-provider.ts';

/** A step as it was recorded: the payment after it, and what the step itself added. */
export interface RecordedChange {
  readonly fromVersion: number;
  readonly columns: IntentColumns;
  readonly attempts: readonly Attempt[];
  readonly transactions: readonly Transaction[];
  readonly timeline: readonly TimelineEntry[];
  readonly events: readonly NewEvent[];
}

const CARD: PaymentMethodDetails = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: null,
  holderName: null,
};

/** A saved card that the merchant charges without the customer. */
export const CHARGED_ALONE: MethodToCharge = {
  type: 'saved_card_token',
  token: 'tok_1',
  providerCustomerId: null,
  cvc: null,
  saved: { customerId: 'cus_1', usage: 'off_session', use: 'recurring', networkTransaction: null },
};

/**
 * The engine's own activities over payments in memory and providers that follow scripts. What the workflow recorded and
 * the providers were asked can be read back.
 */
export class ScriptedActivities implements PlayedActivities {
  readonly store = new MemoryPaymentStore();
  readonly resolutions: RefundResolution[] = [];
  readonly refundFailures: RefundResolution[] = [];
  readonly calls: ProviderCall[] = [];
  /** Stored events of verified webhooks. */
  readonly paymentEvents: ProviderEvent[] = [];
  readonly refundEvents: RefundProviderEvent[] = [];
  readonly activities: EngineActivities & ManualResolutionActivities;
  plan: RoutePlan;
  /** The stored payment method of every payment. */
  method: MethodToCharge = CARD;
  /** The plan of the second and later confirms, if it differs. */
  laterPlan: RoutePlan | null = null;
  clock: () => number = Date.now;

  constructor(scripts: Readonly<Record<string, ProviderScript>>) {
    const names = Object.keys(scripts);
    this.store.clock = () => this.clock();
    this.plan = {
      refusal: null,
      routes: names.map((provider) => ({ routeId: `rt_${provider}`, provider })),
      skippedRoutes: [],
    };
    const registry = createProviderRegistry(
      Object.entries(scripts).map(([name, script]) => ({
        provider: scriptedProvider(name, script, (call) => this.calls.push({ ...call, atMs: this.clock() })),
        environments: ['sandbox'],
      })),
    );
    const calls = {
      payments: this.store,
      registry,
      reports: NO_REPORTS,
      returns: NO_RETURNS,
      loadPaymentMethod: () => Promise.resolve(this.method),
      customersAt: memoryCustomers,
      now: () => new Date(this.clock()).toISOString(),
    };
    this.activities = {
      ...createPaymentActivities(calls),
      planPayment: () => Promise.resolve(this.#nextPlan()),
      readProviderEvent: (reference) => Promise.resolve(find(this.paymentEvents, reference)),
      readRefundEvent: (reference) => Promise.resolve(find(this.refundEvents, reference)),
      refundPayment: (request) => refundPayment(calls, request),
      awaitRefund: (refund) => awaitRefund(calls, refund),
      readRefundEnd: (refundId) =>
        Promise.resolve(this.resolutions.find((resolution) => resolution.refundId === refundId) ?? null),
      recordRefund: (resolution) => {
        this.resolutions.push(resolution);
        return Promise.resolve();
      },
      ...createManualResolutionActivities({
        payments: this.store,
        requireRefund: () => Promise.resolve(),
        requireStrayCharge: () => Promise.resolve(),
      }),
      recordRefundFailure: (resolution) => {
        this.refundFailures.push(resolution);
        return Promise.resolve();
      },
    };
  }

  get changes(): RecordedChange[] {
    return this.store.writes.map(changeOf);
  }

  /** The states of the payment in order, without repetitions. */
  get statuses(): PaymentStatus[] {
    const statuses = this.changes.map(({ columns }) => columns.status);
    return statuses.filter((status, index) => status !== statuses[index - 1]);
  }

  get eventTypes(): EventType[] {
    return this.changes.flatMap(({ events }) => events.map(({ type }) => type));
  }

  get timeline(): TimelineEntry[] {
    return this.changes.flatMap(({ timeline }) => timeline);
  }

  get transactions(): Transaction[] {
    return this.changes.flatMap(({ transactions }) => transactions);
  }

  get last(): RecordedChange {
    const change = this.changes.at(-1);
    if (change === undefined) throw new Error('nothing was recorded');
    return change;
  }

  operations(provider: string): ProviderCall['operation'][] {
    return this.calls.filter((call) => call.provider === provider).map(({ operation }) => operation);
  }

  /** Stores a verified event of a provider and sends its signal. */
  async report(workflow: Pick<WorkflowHandle, 'signal'>, event: ProviderEvent): Promise<void> {
    this.paymentEvents.push(event);
    await workflow.signal(providerEventSignal, event);
  }

  /** Stores a verified event of a provider about a refund and sends its signal. */
  async reportRefund(workflow: Pick<WorkflowHandle, 'signal'>, event: RefundProviderEvent): Promise<void> {
    this.refundEvents.push(event);
    await workflow.signal(refundEventSignal, event);
  }

  #nextPlan(): RoutePlan {
    const { plan } = this;
    this.plan = this.laterPlan ?? plan;
    return plan;
  }
}

function find<Event extends ProviderEventReference>(
  events: readonly Event[],
  { provider, eventId }: ProviderEventReference,
): Event | null {
  return events.find((event) => event.provider === provider && event.eventId === eventId) ?? null;
}

function changeOf({ step, after: { version, columns, attempts } }: StepWrite): RecordedChange {
  const { transactions = [], timeline, events = [] } = step;
  return { fromVersion: version - 1, columns, attempts, transactions, timeline, events };
}
