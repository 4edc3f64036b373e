import { ApplicationFailure, Context } from '@temporalio/activity';
import { createRandom } from '../../chaos/random.ts';
import {
  createPaymentActivities,
  createRefundCalls,
  createStrayChargeActivities,
  type EngineActivities,
} from '../../activities/create-activities.ts';
import { createManualResolutionActivities } from '../../activities/manual-resolution.ts';
import type { ProviderCallDependencies } from '../../activities/provider-calls.ts';
import type { ManualResolutionActivities } from '../../protocol/manual-resolution-activities.ts';
import type { PlanRequest } from '../../protocol/payment-activities.ts';
import type { StrayChargeActivities } from '../../protocol/stray-charge-activities.ts';
import { planRoutes } from '../../domain/plan-routes.ts';
import { INITIAL_COLUMNS } from '../../domain/payment-step.ts';
import { INITIAL_STATUS, isTerminal, type PaymentOperation, type PaymentStatus } from '../../domain/payment-state.ts';
import type { ProviderEvent, ProviderEventReference, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { createProviderRegistry } from '../../providers/provider-registry.ts';
import { findingOf } from '../../worker/jobs/due-workflows.ts';
import {
  PAYMENT_INTENT_WORKFLOW,
  type PaymentIntentInput,
  type ResolvePaymentRequest,
  resolvePaymentUpdate,
} from '../../protocol/messages.ts';
import { confirmOf } from '../support/confirm-of.ts';
import { NO_RETURNS } from '../support/customer-returns.ts';
import { NO_REPORTS } from '../support/no-reports.ts';
import {
  type Authorization,
  checkAnswer,
  checkCommit,
  type CheckedSimulation,
  checkEnd,
  type Opening,
} from './invariants.ts';
import { createExecutor } from './run-activity.ts';
import { type Action, HORIZON_MS, PROVIDERS, QUIET_AFTER_MS, type Schedule } from './schedule.ts';
import { MoneyBack } from './money-back.ts';
import { type Answer, SimulatedApi } from './simulated-api.ts';
import { type LedgerEntry, SimulatedProvider } from './simulated-provider.ts';
import { SimulatedRefunds } from './simulated-refunds.ts';
import { SimulatedRows } from './simulated-rows.ts';
import { TemporalModel } from './temporal-model.ts';
import { VirtualTime, withClock } from './virtual-time.ts';
import { WorkerProcess } from './worker-process.ts';
import type { WorkflowRuntime } from './workflow-runtime.ts';
import { memoryCustomers } from '../support/customers-at-provider.ts';

/** The activities that the simulation can execute. */
export type SimulatedActivities = Omit<EngineActivities, 'recordRefundFailure'> &
  StrayChargeActivities &
  ManualResolutionActivities;

/** The activities that a worker registers for payments, refunds and stray charges. */
export const ACTIVITY_NAMES = [
  'planPayment',
  'readPayment',
  'readProviderEvent',
  'recordStep',
  'updatePayment',
  'followTestClock',
  'takeOverPayment',
  'noteStrayCharge',
  'authorizePayment',
  'inquirePayment',
  'awaitPayment',
  'closePayment',
  'capturePayment',
  'refundPayment',
  'awaitRefund',
  'recordRefund',
  'readRefundEnd',
  'readRefundEvent',
  'inquireStrayCharge',
  'voidStrayCharge',
  'recordStrayCharge',
  'noteRefundResolution',
  'noteStrayChargeResolution',
] as const satisfies readonly (keyof SimulatedActivities)[];

/** Breaks the engine on purpose, to show that the simulation finds it. */
export interface Breakage {
  readonly dependencies?: (dependencies: ProviderCallDependencies) => ProviderCallDependencies;
  readonly activities?: (
    activities: SimulatedActivities,
    dependencies: ProviderCallDependencies,
  ) => SimulatedActivities;
}

/** A period in which something was switched off. */
interface OffPeriod {
  readonly what: string;
  readonly fromMs: number;
  untilMs: number;
}

const START_MS = Date.UTC(2026, 0, 5);
const CARD = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: null,
  holderName: null,
} as const;
/** More appointments than any payment needs: it goes round in circles. */
const MAXIMUM_STEPS = 60_000;

/** How long people wait before they look again at what has not ended, at first. */
const PEOPLE_LOOK_AFTER_MS = 4 * MINUTE_MS;

const NOT_CHARGED = { outcome: 'not_charged' } as const;

/** By then every request that was still on the network has arrived. */
const SETTLED_AT_MS = START_MS + QUIET_AFTER_MS + 2 * MINUTE_MS;

/** The network's and database's faults at their worst. */
const WORST = { network: 0.25, database: 0.08, temporal: 0.12 };

/** One payment in a simulated world, from its creation to its end. */
export class Simulation implements CheckedSimulation {
  readonly schedule: Schedule;
  readonly time = new VirtualTime(START_MS);
  readonly input: PaymentIntentInput;
  readonly rows: SimulatedRows;
  readonly providers: readonly SimulatedProvider[];
  readonly temporal: TemporalModel;
  readonly api: SimulatedApi;
  readonly refunds: SimulatedRefunds;
  readonly moneyBack: MoneyBack;
  readonly offPeriods: OffPeriod[] = [];
  readonly authorizations: Authorization[] = [];
  /** What was seen to be wrong while the simulation ran. */
  readonly violations: string[] = [];
  readonly trace: string[] = [];
  readonly #keepsTrace: boolean;
  readonly #events = new Map<string, ProviderEvent>();
  readonly #refundEvents = new Map<string, RefundProviderEvent>();
  readonly #workers: WorkerProcess[];
  #isQuiet = false;

  constructor(
    schedule: Schedule,
    runtime: WorkflowRuntime,
    { breakage = {}, keepsTrace = false }: { breakage?: Breakage; keepsTrace?: boolean } = {},
  ) {
    this.schedule = schedule;
    this.#keepsTrace = keepsTrace;
    const random = createRandom(schedule.seed);
    const { time } = this;
    const trace = (line: string): void => this.note(line);
    this.input = inputOf(schedule);
    this.rows = new SimulatedRows({
      time,
      random: random.fork('rows'),
      isClosed: ({ provider }) => this.isOff(`route ${provider}`, time.nowMs) || this.isOff('merchant', time.nowMs),
      onCommit: (step) => checkCommit(this, step),
      trace,
    });
    this.refunds = new SimulatedRefunds(time, this.rows);
    this.providers = PROVIDERS.map(
      (name) =>
        new SimulatedProvider({
          name,
          time,
          random: random.fork(name),
          onAuthorize: (key) => this.#noteAuthorization(name, key),
          onWebhook: (event) => this.#onWebhook(event),
          onRefundWebhook: (event) => this.#onRefundWebhook(event),
          trace,
        }),
    );
    this.#workers = [new WorkerProcess('worker A'), new WorkerProcess('worker B')];
    this.temporal = new TemporalModel({
      time,
      random: random.fork('temporal'),
      runtime,
      execute: createExecutor(this.#createActivities(breakage)),
      workers: () => this.#workers,
      trace,
      onTaskFailure: (what) => this.violate(what),
    });
    this.api = new SimulatedApi({
      time,
      random: random.fork('api'),
      rows: this.rows,
      temporal: this.temporal,
      input: this.input,
      requestOf: (operation, operationId) => this.#requestOf(operation, operationId),
      onAnswer: (answer) => this.#onAnswer(answer),
    });
    const { input, rows, refunds, temporal, providers } = this;
    this.moneyBack = new MoneyBack({ input, time, rows, refunds, temporal, providers, note: trace });
  }

  note(line: string): void {
    if (this.#keepsTrace) this.trace.push(`${this.time.now.slice(8, 23)} ${line}`);
  }

  violate(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what);
    this.note(`VIOLATION ${what}`);
  }

  /** Runs the schedule until the payment has ended, and nothing is left to do. */
  async run(): Promise<void> {
    await withClock(this.time, async () => {
      this.#create();
      for (const action of this.schedule.actions) this.time.outside(action.atMs, () => this.#perform(action));
      this.time.outside(QUIET_AFTER_MS, () => this.#becomeQuiet());
      let steps = 0;
      const isOver = (): boolean =>
        (steps += 1) > MAXIMUM_STEPS ||
        this.violations.length > 0 ||
        (this.#isQuiet && this.time.nowMs >= SETTLED_AT_MS && this.#hasEnded());
      const ended = await this.time.runUntil(isOver, START_MS + HORIZON_MS);
      if (steps > MAXIMUM_STEPS) this.violate('the payment goes round in circles');
      else if (!ended && !this.#hasEnded()) this.violate(`the payment does not end: ${await this.#describe()}`);
      if (this.violations.length === 0) await checkEnd(this);
      await this.temporal.dispose();
    });
  }

  #create(): void {
    const { paymentIntentId, terms, expiresAt } = this.input;
    const record = {
      paymentIntentId,
      version: 0,
      terms,
      columns: INITIAL_COLUMNS,
      attempts: [],
      statusSince: this.time.now,
      expiresAt,
    };
    this.rows.memory.insert(record);
    this.#setFaults(this.schedule.faults);
    this.temporal.start(
      {
        workflowId: paymentIntentId,
        type: PAYMENT_INTENT_WORKFLOW,
        input: this.input,
        firstTaskAfterMs: this.schedule.expiresInMs,
      },
      'once',
    );
    this.#sweep(15 * SECOND_MS);
    this.moneyBack.sweep();
  }

  #setFaults({ network, database, temporal }: Schedule['faults']): void {
    const n = network * WORST.network;
    const d = database * WORST.database;
    const t = temporal * WORST.temporal;
    for (const provider of this.providers) {
      provider.faults = { lostRequest: n / 2, lostReply: n, lateRequest: n / 2, lostWebhook: n, repeatedWebhook: n };
    }
    this.rows.faults = { lostStatement: d, lostAnswer: d };
    this.temporal.faults = { lateTask: t, lostCompletion: t, evicted: t * 4, lostTask: t };
    this.api.lostCall = t;
  }

  #createActivities(breakage: Breakage): SimulatedActivities {
    const registry = createProviderRegistry(
      this.providers.map(({ adapter }) => ({ provider: adapter, environments: ['sandbox'] })),
    );
    const given: ProviderCallDependencies = {
      payments: this.rows,
      registry,
      reports: NO_REPORTS,
      returns: NO_RETURNS,
      loadPaymentMethod: () => Promise.resolve(CARD),
      customersAt: memoryCustomers,
    };
    const dependencies = breakage.dependencies?.(given) ?? given;
    const { refunds, rows } = this;
    const requireStrayCharge = ({ attemptId }: { readonly attemptId: string }): Promise<void> =>
      rows.execute(() => {
        if (rows.memory.strayChargeStatuses.has(attemptId)) return Promise.resolve();
        throw ApplicationFailure.nonRetryable(`${attemptId}: there is no such stray charge`, 'STRAY_CHARGE_UNKNOWN');
      });
    const activities: SimulatedActivities = {
      ...createPaymentActivities(dependencies),
      ...createRefundCalls(refunds, dependencies),
      ...createStrayChargeActivities({
        ...dependencies,
        requireRow: requireStrayCharge,
        statusOf: (attemptId) =>
          rows.execute(() => Promise.resolve(rows.memory.strayChargeStatuses.get(attemptId) ?? null)),
      }),
      ...createManualResolutionActivities({
        payments: dependencies.payments,
        requireRefund: refunds.requireRow,
        requireStrayCharge,
      }),
      recordRefund: refunds.record,
      readRefundEnd: refunds.readEnd,
      readRefundEvent: (reference) =>
        rows.execute(() => Promise.resolve(this.#refundEvents.get(eventKey(reference)) ?? null)),
      planPayment: (request: PlanRequest) =>
        this.rows.execute(() => Promise.resolve(planRoutes(this.#routingFacts(), request, registry))),
      readProviderEvent: (reference) =>
        this.rows.execute(() => Promise.resolve(this.#events.get(eventKey(reference)) ?? null)),
    };
    return breakage.activities?.(activities, dependencies) ?? activities;
  }

  #routingFacts(): Parameters<typeof planRoutes>[0] {
    return {
      routes: PROVIDERS.map((provider, index) => ({
        id: `rt_${provider}`,
        provider,
        method: 'card',
        currencies: [],
        countries: [],
        excludedCountries: [],
        priority: index,
        weight: 1,
        active: !this.isOff(`route ${provider}`, this.time.nowMs),
      })),
      providerAccounts: [],
      limit: null,
      circuitOpen: [],
      ordering: null,
      isSuspended: this.isOff('merchant', this.time.nowMs),
      hasStrayCharge: [...this.rows.memory.strayChargeStatuses.values()].some(
        (status) => status === 'pending' || status === 'failed',
      ),
      tokenProvider: null,
      savedCard: null,
      deposited: null,
      conditioned: {},
      declinedForGood: null,
      declineRetries: { enabled: true, maxRetries: 3, issuerDeclines: true },
      cardDeclines: { day: { count: 0, until: null }, month: { count: 0, until: null }, isDeclinedForGood: false },
    };
  }

  isOff(what: string, atMs: number): boolean {
    return this.offPeriods.some((period) => period.what === what && period.fromMs <= atMs && atMs < period.untilMs);
  }

  /** The attempts in the order in which their intentions were committed. */
  openings(): readonly Opening[] {
    const known = new Set<string>();
    return this.rows.committed.flatMap(({ after, committedAtMs }) =>
      after.attempts.flatMap((attempt) => {
        if (known.has(attempt.id)) return [];
        known.add(attempt.id);
        return attempt.outcome === 'not_charged' ? [] : [{ attempt, atMs: committedAtMs }];
      }),
    );
  }

  #requestOf(operation: PaymentOperation, operationId: string): object {
    if (operation === 'confirm') return confirmOf(this.time.nowMs);
    if (operation === 'capture') return { amountMinor: operationId === 'capture_2' ? 500 : null };
    if (operation === 'cancel') return { reason: 'requested_by_customer' };
    return { paymentUpdateId: operationId };
  }

  #noteAuthorization(provider: string, key: string): void {
    const context = Context.current();
    const checkedAtMs = this.rows.checkedAtMs.get(context) ?? null;
    this.authorizations.push({ key, provider, isFirstTry: context.info.attempt === 1, checkedAtMs });
  }

  #onWebhook(event: ProviderEvent): void {
    this.note(`webhook ${event.provider} ${event.attemptId} ${event.outcome.kind}`);
    this.#events.set(eventKey(event), event);
    this.temporal.signal(this.input.paymentIntentId, 'providerEvent', [
      { provider: event.provider, eventId: event.eventId },
    ]);
  }

  #onRefundWebhook(event: RefundProviderEvent): void {
    this.note(`webhook ${event.provider} ${event.refundId} ${event.refundOutcome.kind}`);
    this.#refundEvents.set(eventKey(event), event);
    this.moneyBack.onReport(event);
  }

  #chargeAfterAll(name: string): void {
    const event = this.providers
      .find(({ adapter }) => adapter.name === name)
      ?.chargeAfterAll(this.schedule.captureMethod);
    if (event == null) return;
    this.note(`${name} charges ${event.attemptId} after all`);
    this.#events.set(eventKey(event), event);
    this.moneyBack.deliver(event);
  }

  #onAnswer(answer: Answer): void {
    const { operation, operationId, kind, status, code } = answer;
    this.note(`answer to ${operationId}: ${kind} ${status ?? ''} ${code ?? ''}`);
    checkAnswer(this, answer);
    // A client repeats what got no answer, under the same key.
    if (kind === 'unknown')
      this.time.outside(
        2 * SECOND_MS + this.api.answers.length * SECOND_MS,
        () => void this.api.request(operation, operationId),
      );
  }

  #perform(action: Action): void {
    const { paymentIntentId } = this.input;
    this.note(`— ${JSON.stringify(action)}`);
    switch (action.kind) {
      case 'confirm':
      case 'capture':
      case 'cancel':
      case 'update':
        return void this.api.request(action.kind, action.operation);
      case 'customer_acts':
        for (const provider of this.providers) for (const entry of provider.waitingForCustomer) provider.act(entry);
        return;
      case 'read_again':
        return void this.temporal.signal(paymentIntentId, 'readAgain', []);
      case 'temporal_cancel':
        return this.temporal.cancel(paymentIntentId);
      case 'temporal_terminate':
        this.temporal.terminate(paymentIntentId);
        // A job has the row of what was terminated checked, also once it has ended.
        return this.#sweep(15 * SECOND_MS);
      case 'temporal_reset':
        return this.temporal.reset(paymentIntentId, action.place);
      case 'server_restarts':
        return this.temporal.restart();
      case 'worker_paused':
        this.#pause(action.worker);
        return void this.time.outside(action.forMs, () => this.#resume(action.worker));
      case 'worker_killed':
        this.#kill(action.worker, action.forMs);
        return;
      case 'workers_away':
        this.#pause(0);
        this.#pause(1);
        return void this.time.outside(action.forMs, () => [0, 1].forEach((index) => this.#resume(index)));
      case 'database_away':
        this.rows.isAway = true;
        return void this.time.outside(action.forMs, () => {
          this.rows.isAway = false;
        });
      case 'provider_away':
        return this.#sendAway(action.provider, action.forMs);
      case 'route_off':
        return this.#switchOff(`route ${action.provider}`, action.forMs);
      case 'merchant_suspended':
        return this.#switchOff('merchant', action.forMs);
      case 'refund':
        return void this.moneyBack.request(action.refundId, action.amountMinor);
      case 'charged_after_all':
        return this.#chargeAfterAll(action.provider);
      case 'money_back_disturbed':
        return this.moneyBack.disturb(action.how, action.place);
      case 'resolved_by_hand':
        this.#resolveByHand('ada');
        return void this.time.outside(20 * SECOND_MS, () => this.#resolveByHand('bob'));
    }
  }

  #switchOff(what: string, forMs: number): void {
    this.offPeriods.push({ what, fromMs: this.time.nowMs, untilMs: this.time.nowMs + forMs });
  }

  #pause(index: number): void {
    this.#workers[index]?.pause();
  }

  #resume(index: number): void {
    const worker = this.#workers[index];
    if (worker?.isPaused !== true) return;
    worker.resume();
    this.temporal.workersCameBack();
  }

  /** A killed worker is replaced by a new process after a while. */
  #kill(index: number, forMs: number): void {
    const worker = this.#workers[index];
    if (worker === undefined) return;
    worker.kill();
    this.time.outside(forMs, () => this.#replace(index, worker));
  }

  #replace(index: number, worker: WorkerProcess): void {
    if (this.#workers[index] !== worker) return;
    this.#workers[index] = new WorkerProcess(`${worker.name}'`);
    this.temporal.workersCameBack();
  }

  #sendAway(name: string, forMs: number): void {
    const provider = this.providers.find(({ adapter }) => adapter.name === name);
    if (provider === undefined) return;
    provider.isAway = true;
    this.time.outside(forMs, () => {
      provider.isAway = false;
    });
  }

  /** All faults are over, everything works again. */
  #becomeQuiet(): void {
    this.note('— faults stop');
    this.#setFaults({ network: 0, database: 0, temporal: 0 });
    this.rows.isAway = false;
    for (const provider of this.providers) provider.isAway = false;
    for (const period of this.offPeriods) period.untilMs = Math.min(period.untilMs, this.time.nowMs);
    for (const [index, worker] of this.#workers.entries()) {
      if (!worker.isAlive) this.#replace(index, worker);
      this.#resume(index);
    }
    this.temporal.workersCameBack();
    this.#isQuiet = true;
    this.time.outside(MINUTE_MS, () => this.#finishWaiting());
  }

  #resolveByHand(
    by: string,
    outcome: Pick<ResolvePaymentRequest, 'outcome' | 'providerPaymentId'> = NOT_CHARGED,
  ): void {
    const { paymentIntentId } = this.input;
    const request: ResolvePaymentRequest = { by, note: 'checked', ...outcome };
    const id = `${by}_${this.time.nowMs}`;
    void this.temporal.update(paymentIntentId, id, resolvePaymentUpdate.name, request).then(({ kind }) => {
      this.note(`answer to ${id}: ${kind}`);
    });
  }

  /** Two people look again and again at the books, and end what waits for a provider that never answers. */
  #peopleLook(pauseMs = PEOPLE_LOOK_AFTER_MS): void {
    this.#resolveFromBooks('ada');
    this.time.outside(20 * SECOND_MS, () => this.#resolveFromBooks('bob'));
    this.moneyBack.resolveByHand();
    this.time.outside(pauseMs, () => this.#peopleLook(Math.min(pauseMs * 2, DAY_MS / 2)));
  }

  #resolveFromBooks(by: string): void {
    const attempt = this.rows.committed.at(-1)?.after.attempts.at(-1);
    if (attempt === undefined || isTerminal(this.status)) return;
    const entry = this.#entryOf(attempt.id);
    if (entry?.status === 'pending' || entry?.status === 'requires_action') return;
    const isTaken = entry?.status === 'captured' || (entry?.status === 'authorized' && attempt.outcome === null);
    this.#resolveByHand(
      by,
      isTaken ? { outcome: 'charged', providerPaymentId: `${attempt.provider}_${attempt.id}` } : NOT_CHARGED,
    );
  }

  #entryOf(key: string): LedgerEntry | undefined {
    return this.providers.map(({ ledger }) => ledger.get(key)).find((entry) => entry !== undefined);
  }

  /** Customers who never act, and merchants who never capture, are a question of time. */
  #finishWaiting(): void {
    for (const provider of this.providers) for (const entry of provider.waitingForCustomer) provider.act(entry);
    this.#peopleLook();
  }

  /** Compares the row with its workflow as the sweeper does, with growing pauses. */
  #sweep(pauseMs: number): void {
    this.time.outside(pauseMs, () => {
      void this.#check().then((isFinished) => {
        if (isFinished) return;
        const last = this.rows.committed.at(-1)?.committedAtMs ?? START_MS;
        const isRecent = this.time.nowMs - last < 2 * MINUTE_MS;
        this.#sweep(isRecent ? 15 * SECOND_MS : Math.min(pauseMs * 2, this.#isQuiet ? DAY_MS / 2 : 15 * MINUTE_MS));
      });
    });
  }

  async #check(): Promise<boolean> {
    const { paymentIntentId } = this.input;
    const stored = await this.rows.memory.read({ paymentIntentId });
    if (stored === null || this.rows.isAway) return false;
    const { record, runId } = stored;
    const { status } = record.columns;
    const row = {
      hasEnded: isTerminal(status),
      mayEndAsFailed: true,
      isStarted: record.version > 0,
      runId,
      isOverdue: this.time.nowMs > dueAtMs(record) + MINUTE_MS,
      isQuiet: false,
    };
    const finding = findingOf(row, this.temporal.stateOf(paymentIntentId));
    if (finding.kind === 'finished') return true;
    if (finding.kind === 'start')
      this.temporal.start({ workflowId: paymentIntentId, type: PAYMENT_INTENT_WORKFLOW, input: this.input }, 'once');
    if (finding.kind === 'take_over') {
      const input = { ...this.input, takeOverAfter: finding.endedAs };
      this.temporal.start({ workflowId: paymentIntentId, type: PAYMENT_INTENT_WORKFLOW, input }, 'again');
    }
    if (finding.kind === 'inspect' && finding.contradicts) this.temporal.signal(paymentIntentId, 'readAgain', []);
    return false;
  }

  /** The state of the payment's row. */
  get status(): PaymentStatus {
    return this.rows.committed.at(-1)?.after.columns.status ?? INITIAL_STATUS;
  }

  #hasEnded(): boolean {
    const { paymentIntentId } = this.input;
    const state = this.temporal.stateOf(paymentIntentId);
    if (state.kind === 'running') return false;
    if (state.kind === 'ended' && state.as !== 'failed') return false;
    if (!this.moneyBack.hasEnded) return false;
    return this.schedule.actions.every(
      (action) => !('operation' in action) || this.api.definite(action.operation) !== undefined,
    );
  }

  async #describe(): Promise<string> {
    const { paymentIntentId } = this.input;
    const stored = await this.rows.memory.read({ paymentIntentId });
    const open = this.schedule.actions.flatMap((action) =>
      'operation' in action && this.api.definite(action.operation) === undefined ? [action.operation] : [],
    );
    return `${stored?.record.columns.status}, workflow ${JSON.stringify(this.temporal.stateOf(paymentIntentId))}, without answer: [${open.join(' ')}], ${this.moneyBack.describe()}`;
  }
}

function dueAtMs({
  columns: { status, captureBefore },
  statusSince,
  expiresAt = '',
}: {
  columns: { status: string; captureBefore: string | null };
  statusSince: string;
  expiresAt?: string;
}): number {
  if (status === 'requires_payment_method' || status === 'requires_action') return Date.parse(expiresAt);
  if (status === 'processing') return Date.parse(statusSince) + STUCK_AFTER_MS;
  return captureBefore === null ? Infinity : Date.parse(captureBefore);
}

function eventKey({ provider, eventId }: ProviderEventReference): string {
  return `${provider} ${eventId}`;
}

function inputOf({ seed, captureMethod, attemptBudget, expiresInMs }: Schedule): PaymentIntentInput {
  return {
    paymentIntentId: `pi_${seed.toString(16).padStart(32, '0')}`,
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    terms: { amountMinor: 1_999, currency: 'EUR', country: 'DE', captureMethod },
    expiresAt: new Date(START_MS + expiresInMs).toISOString(),
    attemptBudget,
  };
}
