import { z } from 'zod';
import { SIMULATOR_API_KEY } from './simulator-harness.ts';

const paymentSchema = z.looseObject({ id: z.string(), status: z.string() });

const refundEntrySchema = z.object({
  idempotencyKey: z.string(),
  paymentKey: z.string().nullable(),
  requests: z.number(),
  closed: z.boolean(),
  refund: z.looseObject({ id: z.string(), status: z.string(), amount: z.number() }).nullable(),
});

const ledgerSchema = z.object({
  data: z.array(
    z.object({
      idempotencyKey: z.string(),
      requests: z.number(),
      closed: z.boolean(),
      payment: paymentSchema.nullable(),
      charges: z.array(z.looseObject({ type: z.string(), amount: z.number(), at: z.string() })),
      refunds: z.array(refundEntrySchema),
    }),
  ),
  pagination: z.object({ page: z.number(), limit: z.number(), total: z.number(), totalPages: z.number() }),
});
export type Ledger = z.infer<typeof ledgerSchema>;

const SIGN_BY_CHARGE: Readonly<Record<string, number>> = { capture: 1, refund: -1 };

export interface SimulatorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends JSON to a simulator with its API key. */
export async function postToSimulator(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<SimulatorAnswer> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SIMULATOR_API_KEY}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Reads a simulator's ledger. */
export async function readLedger(url: string, query: Readonly<Record<string, string>> = {}): Promise<Ledger> {
  const response = await fetch(new URL(`/ledger?${new URLSearchParams(query).toString()}`, url));
  return ledgerSchema.parse(await response.json());
}

/** How often an attempt was captured, according to the ledger. */
export async function countCaptures(url: string, idempotencyKey: string): Promise<number> {
  const { data } = await readLedger(url, { idempotencyKey });
  return data.flatMap(({ charges }) => charges).filter(({ type }) => type === 'capture').length;
}

/** The captured less the refunded amount of an attempt in the ledger, in minor units. */
export async function keptMinor(url: string, idempotencyKey: string): Promise<number> {
  const { data } = await readLedger(url, { idempotencyKey });
  return data
    .flatMap(({ charges }) => charges)
    .reduce((sum, { type, amount }) => sum + (SIGN_BY_CHARGE[type] ?? 0) * amount, 0);
}

/** A payment request by card in the simulator's protocol. */
export function cardPayment(reference: string, number: string, changes: object = {}): object {
  return {
    reference,
    paymentIntentId: `pi_of_${reference}`,
    amount: 12_34,
    currency: 'USD',
    capture: true,
    returnUrl: null,
    method: { type: 'card', number, expiryMonth: 12, expiryYear: 2039, cvc: '123' },
    ...changes,
  };
}

/** A payment request by UPI in the simulator's protocol. */
export function upiPayment(reference: string, vpa: string): object {
  return cardPayment(reference, '', { currency: 'INR', method: { type: 'upi', vpa } });
}

/** A payment request by crypto deposit in the simulator's protocol. */
export function cryptoPayment(reference: string, asset: string, network: string, changes: object = {}): object {
  return cardPayment(reference, '', { method: { type: 'crypto', asset, network }, ...changes });
}

/** Sends a payment; the reference is the idempotency key. */
export function pay(url: string, payment: object, idempotencyKey: string): Promise<SimulatorAnswer> {
  return postToSimulator(url, '/v1/payments', payment, { 'idempotency-key': idempotencyKey });
}

/** Captures the hold under a key. */
export function capture(url: string, idempotencyKey: string, amount: number): Promise<SimulatorAnswer> {
  return postToSimulator(url, '/v1/captures', { idempotencyKey, amount });
}

/** Makes an inquiry about a key. */
export function inquire(url: string, idempotencyKey: string): Promise<SimulatorAnswer> {
  return postToSimulator(url, '/v1/inquiries', { idempotencyKey });
}

/** Closes a key. */
export function close(url: string, idempotencyKey: string): Promise<SimulatorAnswer> {
  return postToSimulator(url, '/v1/closures', { idempotencyKey });
}

/** Sends a settlement instruction for a payment. */
export function settle(url: string, reference: string, outcome: string): Promise<SimulatorAnswer> {
  return postToSimulator(url, '/simulate/settle', { reference, outcome });
}

/** Sets the faults; omitted ones are reset to zero or false. */
export async function setFaults(url: string, faults: object): Promise<void> {
  const response = await fetch(new URL('/simulate/faults', url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(`the simulator refused its faults with ${response.status}`);
}

/** Refunds the payment with a key; the reference is the refund's idempotency key. */
export function refund(url: string, reference: string, paymentKey: string, amount: number): Promise<SimulatorAnswer> {
  const body = { reference, paymentKey, amount, currency: 'USD' };
  return postToSimulator(url, '/v1/refunds', body, { 'idempotency-key': reference });
}
