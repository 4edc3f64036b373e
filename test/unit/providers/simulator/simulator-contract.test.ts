import path from 'node:path';
import { cardOf, describeProviderContract } from '../../../support/provider-contract.ts';
import { countCaptures, keptMinor } from '../../../support/simulator-client.ts';
import {
  adapterTo,
  makeTemporaryFolder,
  startTestSimulator,
  UNREACHABLE_URL,
} from '../../../support/simulator-harness.ts';

describeProviderContract('the simulator adapter', async () => {
  const { folder, remove } = await makeTemporaryFolder();
  const simulator = await startTestSimulator({ dataFile: path.join(folder, 'journal.jsonl') });
  return {
    provider: adapterTo(simulator.url),
    impatient: adapterTo(simulator.url, 200),
    unreachable: adapterTo(UNREACHABLE_URL),
    methods: {
      approved: cardOf('4242424242424242'),
      declined: cardOf('4000000000000002'),
      waiting: cardOf('4000000000000259'),
      replyLost: cardOf('4000000000000341'),
      refundRefused: cardOf('4000000000005126'),
      refundReplyLost: cardOf('4000000000007726'),
      refundWaiting: cardOf('4000000000003063'),
    },
    misreporting: { amount: { scenario: 'other_amount' }, currency: { scenario: 'other_currency' } },
    countCharges: (attemptId) => countCaptures(simulator.url, attemptId),
    keptMinor: (attemptId) => keptMinor(simulator.url, attemptId),
    async stop() {
      await simulator.close();
      await remove();
    },
  };
});
