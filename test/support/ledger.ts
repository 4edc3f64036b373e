import assert from 'node:assert/strict';
import { z } from 'zod';
import { getStack } from './stack.ts';

const ledgerSchema = z.object({
  data: z.array(
    z.object({
      idempotencyKey: z.string(),
      requests: z.int(),
      payment: z
        .object({
          id: z.string(),
          merchantReference: z.string().nullable(),
          status: z.string(),
          amount: z.int(),
          currency: z.string(),
        })
        .nullable(),
      charges: z.array(z.object({ type: z.string(), amount: z.int() })),
      refunds: z.array(
        z.object({ refund: z.object({ id: z.string(), merchantReference: z.string().nullable() }).nullable() }),
      ),
    }),
  ),
});

export type LedgerEntry = z.infer<typeof ledgerSchema>['data'][number];

export type SimulatorName = 'alpha' | 'beta';

/** The entries of a simulator's ledger for a payment, oldest first. */
export async function readLedger(name: SimulatorName, paymentIntentId: string): Promise<readonly LedgerEntry[]> {
  const response = await fetch(`${urlOf(name)}/ledger?paymentIntentId=${paymentIntentId}`);
  assert.equal(response.status, 200);
  return ledgerSchema.parse(await response.json()).data.toReversed();
}

/** All ledger entries of both simulators for a payment: `alpha capture 1999`. */
export async function chargesOf(paymentIntentId: string): Promise<readonly string[]> {
  const names = ['alpha', 'beta'] as const;
  const ledgers = await Promise.all(
    names.map(async (name) => ({ name, entries: await readLedger(name, paymentIntentId) })),
  );
  return ledgers.flatMap(({ name, entries }) =>
    entries.flatMap(({ charges }) => charges.map(({ type, amount }) => `${name} ${type} ${amount}`)),
  );
}

/** Sends the simulator a settlement instruction for a pending payment. */
export async function settle(
  name: SimulatorName,
  paymentIntentId: string,
  outcome: 'approved' | 'declined' | 'failed',
): Promise<void> {
  await send(name, 'POST', '/simulate/settle', { paymentIntentId, outcome });
}

/** Sends the simulator a settlement instruction for a pending refund. */
export async function settleRefund(
  name: SimulatorName,
  refundReference: string,
  outcome: 'approved' | 'declined' | 'failed',
): Promise<void> {
  await send(name, 'POST', '/simulate/settle', { refundReference, outcome });
}

/** Sets the simulator's faults; omitted ones are reset to zero or false, and `operations` to all. */
export async function setFaults(
  name: SimulatorName,
  faults: Readonly<Record<string, number | boolean | readonly string[]>>,
): Promise<void> {
  await send(name, 'PUT', '/simulate/faults', faults);
}

async function send(name: SimulatorName, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${urlOf(name)}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.text());
}

function urlOf(name: SimulatorName): string {
  const simulator = getStack().sandbox.simulators.find((each) => each.name === name);
  assert.ok(simulator);
  return simulator.url;
}
