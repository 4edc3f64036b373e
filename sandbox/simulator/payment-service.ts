import { SECOND_MS } from '../../domain/time.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Ledger } from './ledger.ts';
import { newId } from './new-id.ts';
import { paymentEvent } from './outgoing-events.ts';
import {
  capturePayment,
  closePayment,
  concealPayment,
  isConcealed,
  isOpen,
  openPayment,
  settleManually,
  settlePayment,
} from './payment-state-machine.ts';
import { createPaymentWriter, type PaymentWriter, type PaymentWriterDependencies } from './payment-writer.ts';
import type { PaymentRequest, Settlement, SettlementInstruction } from './protocol.ts';
import type { LedgerEntry, Payment, PaymentRecord, StoredCard } from './records.ts';
import { isMisreported, reportedPayment } from './reported-payment.ts';
import { scenarioFor, type Scenario, testCardOf } from './scenarios.ts';

/** What a payment request leads to. Only `payment` and `lost` are written to the ledger as payments. */
export type PaymentResult =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'lost' | 'server_error' | 'unknown_shape' | 'key_closed' | 'idempotency_conflict' };

export type CaptureResult =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'not_found' | 'not_authorized' | 'amount_exceeded' };

type SettlementResult =
  | { readonly kind: 'settled'; readonly payment: Payment }
  | { readonly kind: 'not_found' | 'not_open' };

/**
 * Creates, looks up, closes, captures and settles payments. Each method reads, decides and writes without waiting in between,
 * so that concurrent requests cannot charge twice.
 */
export interface PaymentService {
  create(key: string, request: PaymentRequest): PaymentResult;
  /** The payment of a key, or null; then the key is closed and can never be charged. */
  inquire(key: string): Payment | null;
  /** Voids the payment of a key where it can still be voided, and returns it, or null; then the key is closed. */
  close(key: string): Payment | null;
  /** Captures an authorized payment once; a captured or voided payment is returned as it is. */
  capture(key: string, amountMinor: number): CaptureResult;
  /** Carries out a settlement instruction for an open payment; `approved` also ends a misreport. */
  settle(instruction: SettlementInstruction): SettlementResult;
  /** Settles a payment as its customer decided on the 3-D Secure page; false when it is no longer open. */
  decide(paymentId: string, settlement: Settlement): boolean;
  /** The card that the approved payment of a key has stored; null where there is none, or its token is not issued yet. */
  storedCard(key: string): StoredCard | null;
  /** Removes a token; false where there is no such token any more. */
  removeToken(token: string): boolean;
  /** Schedules the steps of payments that an earlier run left open. */
  resume(): void;
  stop(): void;
}

export interface PaymentServiceDependencies extends PaymentWriterDependencies {
  readonly instanceName: string;
  /** Keys the fingerprints of requests. */
  readonly secret: string;
  /** Where customers reach this simulator. */
  readonly publicUrl: string;
  /** Whether keys are charged although they were closed. */
  readonly ignoresClosures: () => boolean;
}

interface ServiceContext extends PaymentServiceDependencies {
  readonly writer: PaymentWriter;
}

export function createPaymentService(dependencies: PaymentServiceDependencies): PaymentService {
  const writer = createPaymentWriter(dependencies);
  const { ledger } = dependencies;
  const context = { ...dependencies, writer };
  return {
    create: (key, request) => create(context, key, request),

    inquire(key) {
      const entry = ledger.find(key);
      if (entry?.record == null || isConcealed(entry.record)) return closeKey(context, key, entry);
      return reportedPayment(entry.record);
    },

    close: (key) => close(context, key),

    capture: (key, amountMinor) => capture(context, key, amountMinor),

    settle(instruction) {
      const entries = entriesOf(ledger, instruction).filter(({ record }) => record !== null);
      const entry = entries.findLast(({ record }) => record !== null && canSettle(record, instruction.outcome));
      if (entry?.record == null) return { kind: entries.length === 0 ? 'not_found' : 'not_open' };
      const settled = settleManually(entry.record, instruction.outcome, now());
      return { kind: 'settled', payment: writer.saveChange(entry, settled) };
    },

    decide(paymentId, settlement) {
      const entry = ledger.findPayment(paymentId);
      if (entry?.record == null || !isOpen(entry.record)) return false;
      writer.saveChange(entry, settlePayment(entry.record, settlement, now()));
      return true;
    },

    storedCard(key) {
      const record = ledger.find(key)?.record;
      if (record?.storedCard == null || !isApproved(record)) return null;
      const { isRemoved, issuedAt } = record.storedCard;
      return isRemoved || issuedAt > now() ? null : record.storedCard;
    },

    removeToken(token) {
      const entries = ledger.ofToken(token).filter(({ record }) => record?.storedCard?.isRemoved === false);
      for (const entry of entries) writer.save(withoutToken(entry), null);
      return entries.length > 0;
    },

    resume: writer.resume,
    stop: writer.stop,
  };
}

function create(context: ServiceContext, key: string, request: PaymentRequest): PaymentResult {
  const { ledger, writer, instanceName, secret, ignoresClosures } = context;
  const known = ledger.find(key);
  const { reference, paymentIntentId } = request;
  const counted = {
    ...(known ?? { ...blankEntry(key), reference, paymentIntentId }),
    requests: (known?.requests ?? 0) + 1,
  };
  if (counted.record !== null) {
    writer.save(counted, null);
    const isRepeat = counted.record.fingerprint === fingerprintOf(request, secret);
    return isRepeat ? resultOf(counted.record, counted.closed) : { kind: 'idempotency_conflict' };
  }
  if (counted.closed && !ignoresClosures()) {
    writer.save({ ...counted, reference, paymentIntentId }, null);
    return { kind: 'key_closed' };
  }
  const initial = storedFor(ledger, request);
  const scenario = scenarioFor(request, instanceName, initial?.record?.storedCard ?? undefined);
  if (scenario.kind !== 'recorded') {
    writer.save(counted, null);
    return { kind: scenario.kind };
  }
  const credentialUse = useOf(request, initial);
  const record = { ...createRecord(context, request, scenario, counted.closed), credentialUse };
  writer.save({ ...counted, reference, paymentIntentId, record }, isOpen(record) ? null : paymentEvent(record));
  return resultOf(record, counted.closed);
}

/** The payment that has stored the card of a request, where the request names its token and it is still good. */
function storedFor(ledger: Ledger, { method }: PaymentRequest): LedgerEntry | undefined {
  if (method.type !== 'stored_card') return undefined;
  return ledger
    .ofToken(method.token)
    .find(({ record }) => record?.storedCard?.isRemoved === false && isApproved(record));
}

/** How a request uses a stored card; null where it uses none. */
function useOf({ credential }: PaymentRequest, initial: LedgerEntry | undefined): PaymentRecord['credentialUse'] {
  return credential === undefined ? null : { ...credential, initialReference: initial?.reference ?? null };
}

function isApproved({ payment }: PaymentRecord): boolean {
  return payment.status === 'authorized' || payment.status === 'captured';
}

function withoutToken(entry: LedgerEntry): LedgerEntry {
  if (entry.record?.storedCard == null) return entry;
  return { ...entry, record: { ...entry.record, storedCard: { ...entry.record.storedCard, isRemoved: true } } };
}

const LATE_TOKEN_MS = 3 * SECOND_MS;

/** The card that a request asks to store, with a token of its own. */
function storedCardOf({ storeFor, scenario, method }: PaymentRequest, at: Date): StoredCard | null {
  if (storeFor === undefined || method.type !== 'card') return null;
  const issuedAt = new Date(at.getTime() + (scenario === 'token_late' ? LATE_TOKEN_MS : 0)).toISOString();
  const networkTransactionId = newId('ntid');
  const testCard = testCardOf(method.number);
  return { ...storeFor, token: newId('tok_sim'), testCard, networkTransactionId, issuedAt, isRemoved: false };
}

function createRecord(
  { secret, publicUrl, delays }: ServiceContext,
  request: PaymentRequest,
  scenario: RecordedScenario,
  isClosed: boolean,
): PaymentRecord {
  const at = new Date();
  const blank = blankRecord(request, fingerprintOf(request, secret), scenario, at);
  const pageUrl = new URL(`/3ds/${blank.payment.id}`, publicUrl).href;
  const record = openPayment(blank, scenario.opening, { pageUrl, delays, at });
  return isClosed ? concealPayment(record, at) : record;
}

function close(context: ServiceContext, key: string): Payment | null {
  const entry = context.ledger.find(key);
  if (entry?.record == null || isConcealed(entry.record)) return closeKey(context, key, entry);
  const record = closePayment(entry.record, now());
  if (record === entry.record) return reportedPayment(record);
  if (isOpen(entry.record) && context.ignoresClosures()) return closeKey(context, key, entry);
  return context.writer.saveChange(entry, record);
}

/** Closes a key for good, since the caller is told that it has no payment. */
function closeKey({ writer }: ServiceContext, key: string, entry: LedgerEntry | undefined): null {
  const record = entry?.record == null ? null : concealPayment(entry.record, new Date());
  writer.save({ ...(entry ?? blankEntry(key)), closed: true, record }, null);
  return null;
}

function capture({ ledger, writer }: ServiceContext, key: string, amountMinor: number): CaptureResult {
  const entry = ledger.find(key);
  if (entry?.record == null || isConcealed(entry.record)) return { kind: 'not_found' };
  const { payment } = entry.record;
  if (payment.status === 'captured' || payment.status === 'voided') {
    return { kind: 'payment', payment: reportedPayment(entry.record) };
  }
  if (payment.status !== 'authorized') return { kind: 'not_authorized' };
  if (amountMinor > payment.amount) return { kind: 'amount_exceeded' };
  const record = capturePayment(entry.record, amountMinor, now());
  return { kind: 'payment', payment: writer.saveChange(entry, record) };
}

function entriesOf(ledger: Ledger, { reference, paymentIntentId }: SettlementInstruction): readonly LedgerEntry[] {
  return reference === undefined ? ledger.ofPaymentIntent(paymentIntentId ?? '') : ledger.ofReference(reference);
}

function now(): string {
  return new Date().toISOString();
}

type RecordedScenario = Extract<Scenario, { kind: 'recorded' }>;

function blankRecord(
  request: PaymentRequest,
  fingerprint: string,
  scenario: RecordedScenario,
  at: Date,
): PaymentRecord {
  const { reference, merchantReference, amount, currency, capture, returnUrl, method } = request;
  const id = newId('sim');
  return {
    payment: {
      id,
      reference,
      merchantReference,
      status: 'pending',
      amount,
      currency,
      amountCaptured: 0,
      amountVoided: 0,
      amountRefunded: 0,
      createdAt: at.toISOString(),
    },
    charges: [],
    fingerprint,
    // A deposit moves the money at once: there is nothing to authorize.
    capture: capture || method.type === 'crypto',
    returnUrl,
    methodType: method.type === 'card_token' || method.type === 'stored_card' ? 'card' : method.type,
    reply: scenario.reply,
    refundScenario: scenario.refundScenario,
    misreport: scenario.misreport ?? null,
    disputePlan: scenario.disputePlan ?? null,
    concealed: false,
    lateChargeDelayMs: null,
    deposit: null,
    storedCard: storedCardOf(request, at),
    credentialUse: null,
    settlesAt: null,
  };
}

function blankEntry(key: string): LedgerEntry {
  return { key, reference: null, paymentIntentId: null, requests: 0, closed: false, record: null };
}

/** Whether a settlement instruction can change a payment, or what is reported of it. */
function canSettle(record: PaymentRecord, settlement: Settlement): boolean {
  return isOpen(record) || (settlement === 'approved' && isMisreported(record));
}

function resultOf(record: PaymentRecord, isClosed: boolean): PaymentResult {
  if (isConcealed(record)) return { kind: isClosed ? 'key_closed' : 'lost' };
  return record.reply === 'lost' ? { kind: 'lost' } : { kind: 'payment', payment: reportedPayment(record) };
}
