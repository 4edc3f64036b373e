import type { Random } from '../../chaos/random.ts';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { resultOf } from '../../domain/operation.ts';
import type { OperationResult } from '../../domain/payment.ts';
import { isTerminal, type PaymentOperation, type PaymentStatus, refusalOf } from '../../domain/payment-state.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { StoredPayment } from '../../prisma/stores/payment-store.ts';
import { PAYMENT_INTENT_WORKFLOW, type PaymentIntentInput } from '../../protocol/messages.ts';
import type { SimulatedRows } from './simulated-rows.ts';
import type { TemporalModel, UpdateOutcome } from './temporal-model.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the API has told a client. */
export interface Answer {
  readonly operation: PaymentOperation;
  readonly operationId: string;
  readonly askedAtMs: number;
  readonly atMs: number;
  /** The version of the row at the moment of the answer. */
  readonly version: number;
  /** `unknown`: a 503 or a timeout; the client repeats the request. */
  readonly kind: 'done' | 'refused' | 'unknown';
  readonly status: PaymentStatus | null;
  readonly code: ErrorCode | null;
}

const WAIT_MS = 15 * SECOND_MS;
const POLL_MS = 100;

interface Options {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly rows: SimulatedRows;
  readonly temporal: TemporalModel;
  readonly input: PaymentIntentInput;
  readonly requestOf: (operation: PaymentOperation, operationId: string) => object;
  readonly onAnswer: (answer: Answer) => void;
}

type Sent =
  | { readonly kind: 'done'; readonly result: OperationResult }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly mayBeOutdated: boolean }
  | { readonly kind: 'finished' | 'not_started' | 'pending' };

/** Sends operations as the REST API does (`run-operation.ts`, `send-update.ts`), and notes what it tells the client. */
export class SimulatedApi {
  readonly answers: Answer[] = [];
  readonly asked: { readonly operationId: string; readonly atMs: number }[] = [];
  /** How likely a call to Temporal is lost on its way there or back. */
  lostCall = 0;
  readonly #options: Options;
  readonly #executed = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Executes one request; the same id is a repeat under its idempotency key. */
  async request(operation: PaymentOperation, operationId: string): Promise<void> {
    const { time, onAnswer } = this.#options;
    const askedAtMs = time.nowMs;
    this.asked.push({ operationId, atMs: askedAtMs });
    const response = await this.#execute(operation, operationId).catch(() => UNKNOWN);
    const row = await this.#row(operationId);
    const answer = { operation, operationId, askedAtMs, atMs: time.nowMs, version: row.record.version, ...response };
    this.answers.push(answer);
    onAnswer(answer);
  }

  /** The answer that a client has got under an id, once it is definite. */
  definite(operationId: string): Answer | undefined {
    return this.answers.find((answer) => answer.operationId === operationId && answer.kind !== 'unknown');
  }

  async #execute(operation: PaymentOperation, operationId: string): Promise<ApiResponse> {
    const { time, rows, temporal, input } = this.#options;
    const deadline = time.nowMs + WAIT_MS;
    const { paymentIntentId } = input;
    const isRepeat = this.#executed.has(operationId);
    const { record } = await this.#read(operationId);
    if (!isRepeat) {
      const code = refusalOf(operation, record.columns.status);
      if (code !== undefined) return refusedAs(code, record.columns.status);
      if (operation === 'confirm' && time.nowMs >= Date.parse(record.expiresAt ?? ''))
        return refusedAs('PAYMENT_EXPIRED', record.columns.status);
      if (operation === 'update')
        rows.memory.paymentUpdates.set(operationId, { amountMinor: record.terms.amountMinor + 1 });
    }
    this.#executed.add(operationId);
    for (let runs = 0; ;) {
      const sent = await this.#send(operation, operationId, deadline);
      if (sent.kind === 'done')
        return { kind: 'done', status: sent.result.status, code: sent.result.error?.code ?? null };
      if (sent.kind === 'pending') return UNKNOWN;
      const { record: after, operations } = await this.#read(operationId);
      const { status } = after.columns;
      if (sent.kind === 'not_started')
        temporal.start({ workflowId: paymentIntentId, type: PAYMENT_INTENT_WORKFLOW, input }, 'once');
      else if (sent.kind === 'finished' && !isTerminal(status)) {
        temporal.start(
          { workflowId: paymentIntentId, type: PAYMENT_INTENT_WORKFLOW, input: { ...input, takeOverAfter: 'ended' } },
          'again',
        );
      } else if (sent.kind !== 'refused' || !sent.mayBeOutdated || refusalOf(operation, status) !== undefined) {
        const stored = operations.find(({ id }) => id === operationId);
        const result = stored === undefined ? null : resultOf(stored, status);
        if (result !== null) return { kind: 'done', status: result.status, code: result.error?.code ?? null };
        if (stored !== undefined) return UNKNOWN;
        return refusedAs(
          sent.kind === 'refused' ? sent.code : (refusalOf(operation, status) ?? 'STATE_CONFLICT'),
          status,
        );
      }
      runs += 1;
      if (runs > 5 || time.nowMs >= deadline) return UNKNOWN;
      await time.sleep(POLL_MS);
    }
  }

  async #send(operation: PaymentOperation, operationId: string, deadline: number): Promise<Sent> {
    const { time, random, temporal, input, requestOf } = this.#options;
    await time.sleep(random.between(0, 3));
    if (random.chance(this.lostCall)) return this.#timeout(deadline);
    const answer = temporal.update(input.paymentIntentId, operationId, operation, requestOf(operation, operationId));
    if (random.chance(this.lostCall)) return this.#timeout(deadline);
    return Promise.race([answer.then(sentOf), this.#timeout(deadline)]);
  }

  async #timeout(deadline: number): Promise<Sent> {
    await this.#options.time.sleep(deadline - this.#options.time.nowMs);
    return { kind: 'pending' };
  }

  #read(operationId: string): Promise<StoredPayment> {
    const { rows } = this.#options;
    return rows.execute(() => this.#row(operationId));
  }

  async #row(operationId: string): Promise<StoredPayment> {
    const { rows, input } = this.#options;
    const stored = await rows.memory.read({ paymentIntentId: input.paymentIntentId, operationIds: [operationId] });
    if (stored === null) throw new Error('the payment has no row');
    return stored;
  }
}

type ApiResponse = Pick<Answer, 'kind' | 'status' | 'code'>;

const UNKNOWN: ApiResponse = { kind: 'unknown', status: null, code: null };

function refusedAs(code: ErrorCode, status: PaymentStatus): ApiResponse {
  return { kind: 'refused', status, code };
}

function sentOf(outcome: UpdateOutcome): Sent {
  switch (outcome.kind) {
    case 'completed':
      return { kind: 'done', result: outcome.result as OperationResult };
    case 'refused':
    case 'failed': {
      const { type, details } = outcome.failure.applicationFailureInfo ?? {};
      const [payload] = details?.payloads ?? [];
      const parsed =
        payload?.data == null ? {} : (JSON.parse(Buffer.from(payload.data).toString()) as { mayBeOutdated?: boolean });
      return { kind: 'refused', code: type as ErrorCode, mayBeOutdated: parsed.mayBeOutdated === true };
    }
    case 'finished':
    case 'not_started':
      return { kind: outcome.kind };
    case 'lost':
      return { kind: 'pending' };
  }
}
