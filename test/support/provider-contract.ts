import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { describeCaptures } from './provider-contract/capture-cases.ts';
import { describeDeposits } from './provider-contract/deposit-cases.ts';
import { describeDisputes } from './provider-contract/dispute-cases.ts';
import { describeFaults } from './provider-contract/fault-cases.ts';
import { describePayments } from './provider-contract/payment-cases.ts';
import { describeRefunds } from './provider-contract/refund-cases.ts';
import { describeRefusals } from './provider-contract/refusal-cases.ts';
import type { ContractContext, ContractSettings, ProviderUnderContract } from './provider-contract/subject.ts';
import { describeStoredCredentials } from './provider-contract/stored-credential-cases.ts';
import { describeTokens } from './provider-contract/token-cases.ts';
import { describeWebhooks } from './provider-contract/webhook-cases.ts';

export { startFaultProxy } from './provider-contract/fault-proxy.ts';
export { cardOf, newSignal, requestWith } from './provider-contract/requests.ts';
export type { ContractSettings, ProviderUnderContract, SignedWebhook } from './provider-contract/subject.ts';

/** What takes longer waits for something that never comes. */
const LONGEST_WAIT_MS = 15 * SECOND_MS;

/** The contract that every provider adapter must meet. Cases are varied by the adapter's capabilities. */
export function describeProviderContract({
  name,
  capabilities,
  lacks = [],
  currency = 'USD',
  tokenKinds = [],
  longestWaitMs = LONGEST_WAIT_MS,
  start,
}: ContractSettings): void {
  describe(`${name} implements the contract of payment providers`, function () {
    // A case may make dozens of payments, one for each fault of each call.
    this.timeout(3 * MINUTE_MS);
    let running: ProviderUnderContract | undefined;
    before(async () => {
      running = await start();
    });
    after(() => running?.stop());

    const context: ContractContext = {
      capabilities,
      currency,
      longestWaitMs,
      can: (scenario) => !lacks.includes(scenario),
      subject() {
        if (running === undefined) throw new Error('only a running case has a subject');
        return running;
      },
    };
    describePayments(context);
    describeCaptures(context);
    describeRefunds(context);
    describeFaults(context);
    describeRefusals(context);
    describeWebhooks(context);
    describeDeposits(context);
    for (const kind of tokenKinds) describeTokens(context, kind);
    describeStoredCredentials(context);
    describeDisputes(context);

    it('has kinds of tokens where it takes tokens', () => {
      assert.equal(tokenKinds.length > 0, capabilities.providerTokens);
    });
  });
}
