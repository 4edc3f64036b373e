import type { SettlementImportProgress } from '../../domain/settlement.ts';
import { createSettlementImports } from '../../workflow-client/settlement-imports.ts';
import { getStack } from './stack.ts';
import { withTemporal } from './temporal-view.ts';

/** Has the running engine import the settlements of a provider. */
export function importSettlementsNow(provider: string): Promise<SettlementImportProgress> {
  return withTemporal(async (client) => {
    const { result } = await createSettlementImports(client).start(provider);
    return result();
  });
}

/** Has a simulator pay out, as `POST /simulate/settlements` does. */
export async function simulateSettlements(provider: string, body: object): Promise<void> {
  const simulator = getStack().sandbox.simulators.find(({ name }) => name === provider);
  const answer = await fetch(`${simulator?.url}/simulate/settlements`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
}
