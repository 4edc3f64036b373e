import { isOnNetwork } from '../../domain/crypto-assets.ts';
import { confirmationsRequiredOn, depositAddressOf, transactionHashOf } from './deposit-network.ts';
import { formatUnits, quoteUnits } from './deposit-quote.ts';
import type { PaymentRequest } from './protocol.ts';
import {
  DEPOSIT_SCENARIOS,
  type PaymentRecord,
  type Deposit,
  type DepositPlan,
  type DepositScenario,
  type Payment,
} from './records.ts';

/** The outcomes of crypto deposits: pure functions. */

interface DepositFailure {
  readonly reason: string;
  /** What arrives at the quoted address, of the quoted asset, and stays there. */
  readonly receivedUnits: (expectedUnits: bigint) => bigint;
}

const nothing = () => 0n;

const REORGANISED: DepositFailure = { reason: 'chain_reorganization', receivedUnits: nothing };

const FAILURE_BY_SCENARIO: Readonly<Partial<Record<DepositScenario, DepositFailure>>> = {
  reorg: REORGANISED,
  mismatch: { reason: 'address_mismatch', receivedUnits: nothing },
  wrong_asset: { reason: 'wrong_asset', receivedUnits: nothing },
  underpaid: { reason: 'underpaid', receivedUnits: (expected) => (expected * 9n) / 10n },
  overpaid: { reason: 'overpaid', receivedUnits: (expected) => (expected * 11n) / 10n + 1n },
};

/** The deposit scenario of this name; `confirmed` for any other name. */
export function depositScenarioOf(name: PaymentRequest['scenario']): DepositScenario {
  return DEPOSIT_SCENARIOS.find((scenario) => scenario === name) ?? 'confirmed';
}

/** What a customer is asked to deposit, or null where that asset cannot be had on that network for that currency. */
export function planDeposit(request: PaymentRequest): DepositPlan | null {
  const { method, amount, currency } = request;
  const scenario = depositScenarioOf(request.scenario);
  if (method.type !== 'crypto' || scenario === 'unsupported_pair') return null;
  const { asset, network } = method;
  const expectedUnits = isOnNetwork(asset, network) ? quoteUnits(asset, currency, amount) : null;
  return expectedUnits === null ? null : { scenario, asset, network, expectedUnits: expectedUnits.toString() };
}

/** Shows the customer where to deposit how much. */
export function depositAction(paymentId: string, plan: DepositPlan): NonNullable<Payment['action']> {
  const { asset, network } = plan;
  return {
    type: 'crypto_deposit',
    asset,
    network,
    address: depositAddressOf(network, paymentId),
    amount: formatUnits(BigInt(plan.expectedUnits), asset),
    confirmationsRequired: confirmationsRequiredOn(network),
  };
}

/** Whether a deposit appeared on its network and waits for its confirmations; it can no longer be canceled. */
export function isDepositSeen({ deposit, payment }: PaymentRecord): boolean {
  return deposit !== null && payment.status === 'pending';
}

/** The failure that the scenario plans for a deposit, or null where it succeeds. */
export function plannedDepositFailure({ deposit, payment }: PaymentRecord): Deposit | null {
  const failure = deposit === null ? undefined : FAILURE_BY_SCENARIO[deposit.scenario];
  return deposit === null || failure === undefined ? null : describeDeposit(payment.id, deposit, failure);
}

/** How a deposit fails where its scenario plans no failure. */
export function reorganisedDeposit(paymentId: string, plan: DepositPlan): Deposit {
  return describeDeposit(paymentId, plan, REORGANISED);
}

function describeDeposit(paymentId: string, plan: DepositPlan, { reason, receivedUnits }: DepositFailure): Deposit {
  const { asset, network } = plan;
  const expectedUnits = BigInt(plan.expectedUnits);
  return {
    reason,
    transactionHash: transactionHashOf(network, paymentId),
    asset,
    network,
    expectedAmount: formatUnits(expectedUnits, asset),
    receivedAmount: formatUnits(receivedUnits(expectedUnits), asset),
  };
}
