import type { Random } from '../../chaos/random.ts';
import type { CaptureMethod } from '../../domain/payment.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  OutageCode,
  ProviderEvent,
  RefundInquiryOutcome,
  RefundOutcome,
} from '../../domain/provider-outcome.ts';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import { SIMULATOR_CAPABILITIES } from '../../providers/simulator/simulator-provider.ts';
import { deliverTo, runningIn, type VirtualTime } from './virtual-time.ts';

/** What the provider decides about an authorization, sooner or later. */
type Decision = 'approve' | 'decline' | 'fail';

/** How a provider treats one key. */
interface Script {
  readonly decision: Decision;
  /** At once, after a while, or once the customer has acted. */
  readonly when: 'at_once' | 'later' | 'customer';
}

/** What the books of a provider say of one idempotency key. */
export interface LedgerEntry {
  readonly provider: string;
  readonly key: string;
  status: 'requires_action' | 'pending' | 'authorized' | 'captured' | 'declined' | 'failed' | 'closed' | 'voided';
  readonly amountMinor: number;
  readonly currency: string;
  capturedMinor: number;
  readonly refunds: Map<string, number>;
  /** When the first request to authorize arrived; null where only an inquiry or a closure came. */
  readonly authorizedAtMs: number | null;
}

/** The probabilities of what goes wrong between the engine and a provider. */
export interface ProviderFaults {
  readonly lostRequest: number;
  readonly lostReply: number;
  /** A request arrives up to a minute later, perhaps after the engine has given up on it. */
  readonly lateRequest: number;
  readonly lostWebhook: number;
  readonly repeatedWebhook: number;
}

const NO_FAULTS: ProviderFaults = { lostRequest: 0, lostReply: 0, lateRequest: 0, lostWebhook: 0, repeatedWebhook: 0 };
const TIMEOUT_MS = 10_000;

interface Options {
  readonly name: string;
  readonly time: VirtualTime;
  readonly random: Random;
  /** Called when an adapter begins to send an authorization. */
  readonly onAuthorize: (key: string) => void;
  readonly onWebhook: (event: ProviderEvent) => void;
  readonly trace: (line: string) => void;
}

/** What a refund and its inquiry read of their requests. */
interface AskedRefund {
  readonly attemptId: string;
  readonly refundId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** A provider with books of its own, behind a network that loses and delays. */
export class SimulatedProvider {
  faults: ProviderFaults = NO_FAULTS;
  isAway = false;
  readonly ledger = new Map<string, LedgerEntry>();
  readonly adapter: PaymentProvider;
  readonly #options: Options;
  #events = 0;

  constructor(options: Options) {
    this.#options = options;
    this.adapter = this.#createAdapter();
  }

  /** Whether the customer has something to do at this provider. */
  get waitingForCustomer(): readonly LedgerEntry[] {
    return [...this.ledger.values()].filter(({ status }) => status === 'requires_action');
  }

  /** The customer acts on the provider's page. */
  act(entry: LedgerEntry): void {
    if (entry.status !== 'requires_action') return;
    if (this.#options.random.chance(0.5)) {
      entry.status = 'pending';
      this.#report(entry);
      this.#decideLater(entry, this.#scriptOf(entry.key).decision);
      return;
    }
    this.#decide(entry, this.#scriptOf(entry.key).decision);
    this.#report(entry);
  }

  #createAdapter(): PaymentProvider {
    const { name } = this.#options;
    return {
      name,
      capabilities: SIMULATOR_CAPABILITIES,
      authorize: (request, signal) => {
        this.#options.onAuthorize(request.attemptId);
        return this.#call(`authorize ${request.attemptId}`, signal, () => this.#authorize(request.attemptId, request));
      },
      inquire: ({ attemptId, ...request }, signal) =>
        this.#call(`inquire ${attemptId}`, signal, () => this.#inquire(attemptId, request)),
      close: ({ attemptId, ...request }, signal) =>
        this.#call(`close ${attemptId}`, signal, () => this.#close(attemptId, request)),
      capture: ({ attemptId, amountMinor }, signal) =>
        this.#call(`capture ${attemptId}`, signal, () => this.#capture(attemptId, amountMinor)),
      refund: ({ attemptId, refundId, amountMinor, currency }, signal) =>
        this.#call(`refund ${refundId}`, signal, () => this.#refund({ attemptId, refundId, amountMinor, currency })),
      inquireRefund: ({ attemptId, refundId, amountMinor, currency }, signal) =>
        this.#call(`inquire refund ${refundId}`, signal, () =>
          this.#inquireRefund({ attemptId, refundId, amountMinor, currency }),
        ),
      parseWebhook: () => ({ events: [], skipped: [] }),
    };
  }

  /** Sends a request over the network, and waits for the reply as an adapter does: until it times out or is aborted. */
  #call<Reply extends object>(what: string, signal: AbortSignal, effect: () => Reply | OutageCode): Promise<Reply> {
    const { time, random, name, trace } = this.#options;
    const { lostRequest, lostReply, lateRequest } = this.faults;
    const process = runningIn.getStore();
    return new Promise((resolve, reject) => {
      const fail = (code: OutageCode): void => reject(new ProviderOutageError(code, `${name}: ${code}`));
      if (signal.aborted) return reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      if (this.isAway) return void time.after(random.between(1, 50), () => fail('TSP_UNAVAILABLE'));
      time.after(TIMEOUT_MS, () => fail('TSP_TIMEOUT'));
      if (random.chance(lostRequest)) return trace(`${name} ${what}: the request is lost`);
      const delayMs = random.chance(lateRequest) ? random.between(5_000, 60_000) : random.between(1, 300);
      time.outside(delayMs, () => {
        if (this.isAway) return trace(`${name} ${what}: it is away`);
        const reply = effect();
        const isLost = random.chance(lostReply);
        trace(
          `${name} ${what}: ${typeof reply === 'string' ? reply : describe(reply)}${isLost ? ', the reply is lost' : ''}`,
        );
        if (isLost) return;
        time.outside(random.between(1, 300), () =>
          deliverTo(process, () => {
            if (typeof reply === 'string') fail(reply);
            else resolve(reply);
          }),
        );
      });
    });
  }

  #scriptOf(key: string): Script {
    const random = this.#options.random.fork(`${this.#options.name} ${key}`);
    const decision = random.chance(0.65) ? 'approve' : random.chance(0.85) ? 'decline' : 'fail';
    const when = random.chance(0.6) ? 'at_once' : random.chance(0.5) ? 'later' : 'customer';
    return { decision, when };
  }

  #authorize(
    key: string,
    { amountMinor, currency, captureMethod }: { amountMinor: number; currency: string; captureMethod: CaptureMethod },
  ): AuthorizationOutcome | OutageCode {
    const known = this.ledger.get(key);
    if (known !== undefined)
      return known.status === 'closed' ? 'TSP_ERROR' : (this.#outcomeOf(known) as AuthorizationOutcome);
    const { decision, when } = this.#scriptOf(key);
    const entry = this.#open(key, { amountMinor, currency }, when === 'customer' ? 'requires_action' : 'pending');
    this.#captureMethods.set(key, captureMethod);
    if (when === 'at_once') this.#decide(entry, decision);
    if (when === 'later') this.#decideLater(entry, decision);
    return this.#outcomeOf(entry) as AuthorizationOutcome;
  }

  readonly #captureMethods = new Map<string, CaptureMethod>();

  #open(
    key: string,
    { amountMinor, currency }: { amountMinor: number; currency: string },
    status: LedgerEntry['status'],
  ): LedgerEntry {
    const { name, time } = this.#options;
    const authorizedAtMs = status === 'closed' ? null : time.nowMs;
    const entry: LedgerEntry = {
      provider: name,
      key,
      status,
      amountMinor,
      currency,
      capturedMinor: 0,
      refunds: new Map(),
      authorizedAtMs,
    };
    this.ledger.set(key, entry);
    return entry;
  }

  #decideLater(entry: LedgerEntry, decision: Decision): void {
    const { time, random } = this.#options;
    time.outside(random.between(1_000, 180_000), () => {
      if (entry.status !== 'pending') return;
      this.#decide(entry, decision);
      this.#report(entry);
    });
  }

  #decide(entry: LedgerEntry, decision: Decision): void {
    if (decision === 'decline') entry.status = 'declined';
    else if (decision === 'fail') entry.status = 'failed';
    else if (this.#captureMethods.get(entry.key) === 'manual') entry.status = 'authorized';
    else {
      entry.status = 'captured';
      entry.capturedMinor = entry.amountMinor;
    }
  }

  #outcomeOf({ status, key, amountMinor, currency, capturedMinor, provider }: LedgerEntry): InquiryOutcome {
    const providerPaymentId = `${provider}_${key}`;
    switch (status) {
      case 'requires_action':
        return {
          kind: 'requires_action',
          providerPaymentId,
          nextAction: { type: 'redirect', url: `https://${provider}.test/${key}` },
        };
      case 'pending':
        return { kind: 'pending', providerPaymentId };
      case 'authorized':
        return { kind: 'approved', providerPaymentId, amountMinor, currency, captured: false };
      case 'captured':
        return {
          kind: 'approved',
          providerPaymentId,
          amountMinor,
          currency,
          captured: true,
          ...(capturedMinor === amountMinor ? {} : { capturedMinor }),
        };
      case 'declined':
        return { kind: 'declined', providerPaymentId, code: 'CARD_DECLINED' };
      case 'failed':
        return { kind: 'failed', providerPaymentId, code: 'FRAUD_DETECTED' };
      case 'closed':
        return { kind: 'not_charged' };
      case 'voided':
        return { kind: 'not_charged', voided: { providerPaymentId, amountMinor, currency } };
    }
  }

  /** Of a key that it does not know it says "not charged", and closes it. */
  #inquire(key: string, money: { amountMinor: number; currency: string }): InquiryOutcome {
    return this.#outcomeOf(this.ledger.get(key) ?? this.#open(key, money, 'closed'));
  }

  #close(key: string, money: { amountMinor: number; currency: string }): InquiryOutcome {
    const entry = this.ledger.get(key) ?? this.#open(key, money, 'closed');
    if (entry.status === 'requires_action' || entry.status === 'pending') entry.status = 'closed';
    if (entry.status === 'authorized') entry.status = 'voided';
    return this.#outcomeOf(entry);
  }

  /** Returns what was charged for an attempt that people have ended, as the workflow of a stray charge does. */
  returnCharge(key: string): void {
    const entry = this.ledger.get(key);
    if (entry === undefined) return;
    this.#close(key, entry);
    if (entry.status === 'captured') entry.refunds.set(`stray_${key}`, entry.capturedMinor);
  }

  #capture(key: string, amountMinor: number): CaptureOutcome {
    const entry = this.ledger.get(key);
    if (entry === undefined || (entry.status !== 'authorized' && entry.status !== 'captured'))
      return { kind: 'not_held' };
    if (entry.status === 'authorized') {
      entry.status = 'captured';
      entry.capturedMinor = amountMinor;
    }
    const { provider, currency, capturedMinor } = entry;
    return { kind: 'captured', providerPaymentId: `${provider}_${key}`, capturedMinor, currency };
  }

  #refund({ attemptId, refundId, amountMinor, currency }: AskedRefund): RefundOutcome {
    const entry = this.ledger.get(attemptId);
    if (entry === undefined) return { kind: 'refused', providerRefundId: null };
    const known = entry.refunds.get(refundId);
    if (known === 0) return { kind: 'unrecognised', providerResponse: { reason: 'the key is closed' } };
    const refunded = [...entry.refunds.values()].reduce((sum, each) => sum + each, 0);
    if (known === undefined && refunded + amountMinor > entry.capturedMinor)
      return { kind: 'refused', providerRefundId: null };
    entry.refunds.set(refundId, known ?? amountMinor);
    return { kind: 'refunded', providerRefundId: `${this.#options.name}_${refundId}`, amountMinor, currency };
  }

  #inquireRefund({ attemptId, refundId, amountMinor, currency }: AskedRefund): RefundInquiryOutcome {
    const entry = this.ledger.get(attemptId);
    const known = entry?.refunds.get(refundId);
    if (known !== undefined && known > 0)
      return { kind: 'refunded', providerRefundId: `${this.#options.name}_${refundId}`, amountMinor, currency };
    entry?.refunds.set(refundId, 0);
    return { kind: 'not_refunded' };
  }

  /** Sends a webhook, perhaps twice or never. */
  #report(entry: LedgerEntry): void {
    const { time, random, name, onWebhook } = this.#options;
    if (random.chance(this.faults.lostWebhook)) return;
    const event = {
      provider: name,
      eventId: `${name}_evt_${(this.#events += 1)}`,
      attemptId: entry.key,
      outcome: this.#outcomeOf(entry),
    };
    const times = random.chance(this.faults.repeatedWebhook) ? 2 : 1;
    for (let sent = 0; sent < times; sent += 1) time.outside(random.between(10, 3_000), () => onWebhook(event));
  }
}

function describe(reply: object): string {
  return 'kind' in reply ? String(reply.kind) : 'answered';
}
