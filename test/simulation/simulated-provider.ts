import type { Random } from '../../chaos/random.ts';
import type { Advised } from '../../domain/decline-advice.ts';
import type { CaptureMethod } from '../../domain/payment.ts';
import type {
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
  OutageCode,
  ProviderEvent,
  RefundInquiryOutcome,
  RefundOutcome,
  RefundProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import { SIMULATOR_CAPABILITIES } from '../../providers/simulator/simulator-provider.ts';
import { ISSUER_DECLINE } from '../../providers/network-advice.ts';
import { deliverTo, runningIn, type VirtualTime } from './virtual-time.ts';

/** What the provider decides about an authorization, sooner or later. */
type Decision = 'approve' | 'decline' | 'fail';

/** How a provider treats one key. */
interface Script {
  readonly decision: Decision;
  /** At once, after a while, or once the customer has acted. */
  readonly when: 'at_once' | 'later' | 'customer';
  /** Whether the provider never answers about this key, whatever it does. */
  readonly isSilent: boolean;
  /** What a decline of the key says. */
  readonly advised: Advised;
}

/** What the books of a provider say of one refund. */
export interface RefundEntry {
  readonly amountMinor: number;
  status: 'pending' | 'refunded' | 'refused' | 'closed';
}

/** What the books of a provider say of one idempotency key. */
export interface LedgerEntry {
  readonly provider: string;
  readonly key: string;
  status: 'requires_action' | 'pending' | 'authorized' | 'captured' | 'declined' | 'failed' | 'closed' | 'voided';
  readonly amountMinor: number;
  readonly currency: string;
  capturedMinor: number;
  /** By key. */
  readonly refunds: Map<string, RefundEntry>;
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
/** How likely a provider never answers about a key. */
const SILENT = 0.03;

const ENDED_UNCHARGED: readonly LedgerEntry['status'][] = ['closed', 'declined', 'failed'];

interface Options {
  readonly name: string;
  readonly time: VirtualTime;
  readonly random: Random;
  /** Called when an adapter begins to send an authorization. */
  readonly onAuthorize: (key: string) => void;
  readonly onWebhook: (event: ProviderEvent) => void;
  readonly onRefundWebhook: (event: RefundProviderEvent) => void;
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
        const { attemptId } = request;
        return this.#call('authorize', attemptId, signal, () => this.#authorize(attemptId, request));
      },
      canAuthenticate: () => true,
      inquire: ({ attemptId, ...request }, signal) =>
        this.#call('inquire', attemptId, signal, () => this.#inquire(attemptId, request)),
      close: ({ attemptId, ...request }, signal) =>
        this.#call('close', attemptId, signal, () => this.#close(attemptId, request)),
      capture: ({ attemptId, amountMinor }, signal) =>
        this.#call('capture', attemptId, signal, () => this.#capture(attemptId, amountMinor)),
      refund: (request, signal) => this.#call('refund', request.refundId, signal, () => this.#refund(request)),
      inquireRefund: (request, signal) =>
        this.#call('inquire refund', request.refundId, signal, () => this.#inquireRefund(request)),
      parseWebhook: () => ({ events: [], skipped: [] }),
    };
  }

  /** Sends a request over the network, and waits for the reply as an adapter does: until it times out or is aborted. */
  #call<Reply extends object>(
    operation: string,
    key: string,
    signal: AbortSignal,
    effect: () => Reply | OutageCode,
  ): Promise<Reply> {
    const { time, random, name, trace } = this.#options;
    const { lostRequest, lostReply, lateRequest } = this.faults;
    const what = `${operation} ${key}`;
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
        const isLost = random.chance(lostReply) || this.isSilentAbout(key);
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
    const isSilent = random.chance(SILENT);
    return { decision, when, isSilent, advised: random.chance(0.3) ? { advice: 'authenticate' } : ISSUER_DECLINE };
  }

  /** Whether the provider never answers about a key, and reports nothing about it: people have to look at its books. */
  isSilentAbout(key: string): boolean {
    return this.#scriptOf(key).isSilent;
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
        return { kind: 'declined', providerPaymentId, code: 'CARD_DECLINED', ...this.#scriptOf(key).advised };
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

  /**
   * Charges a key of which it has said that nothing was charged, as no provider may.
   * @returns its report; null where there is no such key
   */
  chargeAfterAll(captureMethod: CaptureMethod): ProviderEvent | null {
    const { random } = this.#options;
    const ended = [...this.ledger.values()].filter(({ status }) => ENDED_UNCHARGED.includes(status));
    if (ended.length === 0) return null;
    const entry = random.pick(ended);
    this.#captureMethods.set(entry.key, captureMethod);
    this.#decide(entry, 'approve');
    return this.#eventOf(entry);
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

  /** A lax provider: it refunds whatever it is asked for, also more than it has captured. */
  #refund({ attemptId, refundId, amountMinor, currency }: AskedRefund): RefundOutcome {
    const entry = this.ledger.get(attemptId);
    if (entry?.status !== 'captured') return { kind: 'refused', providerRefundId: null };
    const known = entry.refunds.get(refundId);
    if (known?.status === 'closed') return { kind: 'unrecognised', providerResponse: { reason: 'the key is closed' } };
    if (known !== undefined) return this.#refundOutcomeOf(refundId, known, currency) as RefundOutcome;
    const { decision, when } = this.#scriptOf(refundId);
    const refund: RefundEntry = { amountMinor, status: 'pending' };
    entry.refunds.set(refundId, refund);
    const end = decision === 'fail' ? 'refused' : 'refunded';
    if (when === 'at_once') refund.status = end;
    else this.#endRefundLater(refundId, refund, end, currency);
    return this.#refundOutcomeOf(refundId, refund, currency) as RefundOutcome;
  }

  #endRefundLater(refundId: string, refund: RefundEntry, end: 'refused' | 'refunded', currency: string): void {
    const { time, random, name, onRefundWebhook } = this.#options;
    time.outside(random.between(1_000, 180_000), () => {
      refund.status = end;
      if (this.isSilentAbout(refundId)) return;
      const refundOutcome = this.#refundOutcomeOf(refundId, refund, currency);
      const event = { provider: name, eventId: this.#nextEventId(), refundId, refundOutcome };
      this.#send(() => onRefundWebhook(event));
    });
  }

  #refundOutcomeOf(refundId: string, { status, amountMinor }: RefundEntry, currency: string): RefundInquiryOutcome {
    const providerRefundId = `${this.#options.name}_${refundId}`;
    switch (status) {
      case 'closed':
        return { kind: 'not_refunded' };
      case 'refused':
        return { kind: 'refused', providerRefundId };
      case 'pending':
      case 'refunded':
        return { kind: status, providerRefundId, amountMinor, currency };
    }
  }

  /** Of a key that it does not know it says "not refunded", and closes it. */
  #inquireRefund({ attemptId, refundId, currency }: AskedRefund): RefundInquiryOutcome {
    const entry = this.ledger.get(attemptId);
    const known = entry?.refunds.get(refundId) ?? { amountMinor: 0, status: 'closed' };
    entry?.refunds.set(refundId, known);
    return this.#refundOutcomeOf(refundId, known, currency);
  }

  #report(entry: LedgerEntry): void {
    if (this.isSilentAbout(entry.key)) return;
    const event = this.#eventOf(entry);
    this.#send(() => this.#options.onWebhook(event));
  }

  #eventOf(entry: LedgerEntry): ProviderEvent {
    const { name } = this.#options;
    return { provider: name, eventId: this.#nextEventId(), attemptId: entry.key, outcome: this.#outcomeOf(entry) };
  }

  #nextEventId(): string {
    return `${this.#options.name}_evt_${(this.#events += 1)}`;
  }

  /** Sends a webhook, perhaps twice or never. */
  #send(deliver: () => void): void {
    const { time, random } = this.#options;
    if (random.chance(this.faults.lostWebhook)) return;
    const times = random.chance(this.faults.repeatedWebhook) ? 2 : 1;
    for (let sent = 0; sent < times; sent += 1) time.outside(random.between(10, 3_000), deliver);
  }
}

function describe(reply: object): string {
  return 'kind' in reply ? String(reply.kind) : 'answered';
}
