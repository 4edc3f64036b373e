import path from 'node:path';
import { z } from 'zod';
import { Webhook } from 'standardwebhooks';
import type { AuthorizationRequest } from '../../../../providers/payment-provider.ts';
import { disputeStepsSchema } from '../../../../providers/simulator/messages.ts';
import { SIMULATOR_CAPABILITIES } from '../../../../providers/simulator/simulator-provider.ts';
import {
  cardOf,
  type ContractSettings,
  type SignedWebhook,
  startFaultProxy,
} from '../../../support/provider-contract.ts';
import { EVIDENCE } from '../../../support/provider-contract/dispute-cases.ts';
import { countCaptures, keptMinor, postToSimulator, settle } from '../../../support/simulator-client.ts';
import {
  adapterTo,
  makeTemporaryFolder,
  type ReceivedRequest,
  SIMULATOR_WEBHOOK_SECRET,
  startScriptedServer,
  startTestSimulator,
  UNREACHABLE_URL,
} from '../../../support/simulator-harness.ts';

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const SCENARIOS = {
  approved: { method: cardOf('4242424242424242') },
  declined: { method: cardOf('4000000000000002') },
  authentication_demanded: { method: cardOf('4000000000003188'), returnUrl: 'https://shop.example/return' },
  waiting: { method: cardOf('4000000000003220') },
  other_amount: { metadata: { scenario: 'other_amount' } },
  other_currency: { metadata: { scenario: 'other_currency' } },
  refund_refused: { method: cardOf('4000000000005126') },
  refund_waiting: { method: cardOf('4000000000003063') },
  capture_refused: {},
} as const satisfies Record<string, Partial<AuthorizationRequest>>;

const disputeSchema = z.object({ id: z.string() });

/** The simulator under the contract. */
export const SIMULATOR_CONTRACT: ContractSettings = {
  name: 'the simulator adapter',
  capabilities: SIMULATOR_CAPABILITIES,
  // Its ledger, and the tests of whole payments, show which cards it keeps and how they are charged.
  lacks: ['stored credentials'],
  tokenKinds: ['of a test card'],
  async start() {
    const { folder, remove } = await makeTemporaryFolder();
    const receiver = await startScriptedServer(() => ({ status: 200 }));
    const simulator = await startTestSimulator({
      dataFile: path.join(folder, 'journal.jsonl'),
      webhookUrl: receiver.url,
    });
    const faults = await startFaultProxy(simulator.url);
    const decided = new Set<string>();
    return {
      provider: adapterTo(faults.url),
      impatient: adapterTo(faults.url, 200),
      unreachable: adapterTo(UNREACHABLE_URL),
      faults,
      webhooks: {
        sent: () => receiver.received.map(webhookOf),
        forged: ({ body }) => sign(body, { secret: OTHER_SECRET }),
        tampered: ({ body, headers }) => ({ headers, body: withOtherAmount(body) }),
        foreign: () => sign(Buffer.from(JSON.stringify({ id: 'evt_1', type: 'account.updated', data: {} }))),
        sentAt: ({ body }, at) => sign(body, { at }),
      },
      disputes: {
        evidence: EVIDENCE,
        async open({ attemptId, amountMinor: amount }) {
          const request = { reference: attemptId, amount, reason: 'fraudulent', stage: 'chargeback' };
          const { body } = await postToSimulator(simulator.url, '/simulate/disputes', request);
          return disputeSchema.parse(body).id;
        },
        async decide(id, to) {
          decided.add(id);
          await postToSimulator(simulator.url, `/simulate/disputes/${id}/advance`, { to });
        },
        async answersTo(disputeId) {
          const { body } = await postToSimulator(simulator.url, '/v1/dispute-inquiries', { disputeId });
          const steps = disputeStepsSchema.parse(body).steps.map(({ step }) => step);
          const submitted = steps.filter((step) => step === 'under_review').length;
          return { submitted, accepted: decided.has(disputeId) ? 0 : steps.filter((step) => step === 'lost').length };
        },
      },
      newToken: () => 'tok_4242',
      prepare: (scenario, request) => ({ ...request, ...SCENARIOS[scenario] }),
      async customerActs({ attemptId }, decision) {
        await settle(simulator.url, attemptId, decision === 'approve' ? 'approved' : 'declined');
      },
      async settleRefund(refundReference, end) {
        const outcome = end === 'refunded' ? 'approved' : 'failed';
        await postToSimulator(simulator.url, '/simulate/settle', { refundReference, outcome });
      },
      countCharges: (attemptId) => countCaptures(simulator.url, attemptId),
      keptMinor: (attemptId) => keptMinor(simulator.url, attemptId),
      async stop() {
        await faults.close();
        await simulator.close();
        await receiver.close();
        await remove();
      },
    };
  },
};

function webhookOf({ body, headers }: ReceivedRequest): SignedWebhook {
  const signed = SIGNED_HEADERS.map((name) => [name, String(headers[name])] as const);
  return { body, headers: Object.fromEntries(signed) };
}

function sign(body: Buffer, { secret = SIMULATOR_WEBHOOK_SECRET, at = new Date() } = {}): SignedWebhook {
  const id = 'evt_of_a_test';
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body.toString('utf8')),
  };
  return { body, headers };
}

function withOtherAmount(body: Buffer): Buffer {
  return Buffer.from(body.toString('utf8').replace('1234', '9999'));
}
