import assert from 'node:assert/strict';
import Mocha, { describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import type { PaymentProvider } from '../../../providers/payment-provider.ts';
import { CredentialsRefusedError } from '../../../providers/provider-errors.ts';
import { type ContractSettings, describeProviderContract } from '../../support/provider-contract.ts';
import { newUnique } from '../../support/provider-contract/requests.ts';
import { ADYEN_CONTRACT } from './adyen/adyen-contract.ts';
import { CASHFREE_CARD_CONTRACT, CASHFREE_UPI_CONTRACT } from './cashfree/cashfree-contract.ts';
import { SIMULATOR_CONTRACT } from './simulator/simulator-contract.ts';
import { STRIPE_CONTRACT } from './stripe/stripe-contract.ts';

/** Far more than the webhook of a fake takes. An adapter with a fault waits in vain for as long in each case. */
const LONGEST_WAIT_MS = 2 * SECOND_MS;

/** An adapter with one fault. */
type Mutate = (provider: PaymentProvider) => PaymentProvider;

class Silent extends Mocha.reporters.Base {}

/** Runs the cases of the contract whose title contains the words. @returns the titles of those that failed */
async function failuresOf(settings: ContractSettings, words: string, mutate: Mutate): Promise<readonly string[]> {
  const mocha = new Mocha({ reporter: Silent });
  // From here on the cases are registered with the new instance.
  mocha.suite.emit('pre-require', {}, '', mocha);
  describeProviderContract({
    ...settings,
    longestWaitMs: LONGEST_WAIT_MS,
    async start() {
      const subject = await settings.start();
      return { ...subject, provider: mutate(subject.provider) };
    },
  });
  mocha.grep(words);
  const failed: string[] = [];
  const ran = await new Promise<number>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats?.tests ?? 0));
    runner.on('fail', ({ title }) => failed.push(title));
  });
  assert.ok(ran > 0, `no case of the contract has ${words} in its title`);
  return failed;
}

interface Mutation {
  readonly fault: string;
  readonly words: string;
  readonly mutate: Mutate;
  /** The adapters that have the fault in turn. */
  readonly adapters: readonly ContractSettings[];
}

const WITH_WEBHOOKS = [SIMULATOR_CONTRACT, STRIPE_CONTRACT, ADYEN_CONTRACT, CASHFREE_UPI_CONTRACT];
const WITH_DISPUTES = [SIMULATOR_CONTRACT, STRIPE_CONTRACT, ADYEN_CONTRACT, CASHFREE_UPI_CONTRACT];
const ALL = [...WITH_WEBHOOKS, CASHFREE_CARD_CONTRACT];

const DECLINED = { kind: 'declined', providerPaymentId: null, code: 'PAYMENT_DECLINED' } as const;

function declineIfRefused(error: unknown): typeof DECLINED {
  if (error instanceof CredentialsRefusedError) return DECLINED;
  throw error;
}

type Events = ReturnType<PaymentProvider['parseWebhook']>['events'];

function withEvents(provider: PaymentProvider, change: (events: Events) => Events): PaymentProvider['parseWebhook'] {
  return (body, headers) => {
    const received = provider.parseWebhook(body, headers);
    return { ...received, events: change(received.events) };
  };
}

const MUTATIONS: readonly Mutation[] = [
  {
    fault: 'takes 401 for a refusal of the payment',
    words: 'never takes a refused repeat or inquiry',
    adapters: ALL,
    mutate: (provider) => ({
      ...provider,
      inquire: (request, signal) => provider.inquire(request, signal).catch(declineIfRefused),
    }),
  },
  {
    fault: 'takes 401 to its first call for a decline',
    words: 'says that the credentials are refused',
    adapters: ALL,
    mutate: (provider) => ({
      ...provider,
      authorize: (request, signal) => provider.authorize(request, signal).catch(declineIfRefused),
    }),
  },
  {
    fault: 'reports another amount of a refund to an inquiry',
    words: 'refunds once, however often',
    adapters: ALL,
    mutate: (provider) => ({
      ...provider,
      async inquireRefund(request, signal) {
        const outcome = await provider.inquireRefund(request, signal);
        return outcome.kind === 'refunded' ? { ...outcome, amountMinor: outcome.amountMinor + 1 } : outcome;
      },
    }),
  },
  {
    fault: 'reports another amount of a refund in a webhook',
    words: 'reports a refund under its own id',
    adapters: WITH_WEBHOOKS,
    mutate: (provider) => ({
      ...provider,
      parseWebhook: withEvents(provider, (events) =>
        events.map((event) =>
          'refundOutcome' in event && event.refundOutcome.kind === 'refunded'
            ? { ...event, refundOutcome: { ...event.refundOutcome, amountMinor: 1 } }
            : event,
        ),
      ),
    }),
  },
  {
    fault: 'drops webhooks about refunds that nobody requested here',
    words: 'reports a refund that nobody requested here',
    adapters: [STRIPE_CONTRACT, ADYEN_CONTRACT, CASHFREE_UPI_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      parseWebhook: withEvents(provider, (events) =>
        events.filter((event) => !('unknownRefund' in ('report' in event ? event.report : event))),
      ),
    }),
  },
  {
    fault: 'never reports a refused capture',
    words: 'reports a capture that it had accepted',
    adapters: [ADYEN_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      parseWebhook: withEvents(provider, (events) => events.filter((event) => !('captureRefusal' in event))),
    }),
  },
  {
    fault: 'says "unrecognised" for a capture of a voided hold',
    words: 'reports a voided payment as not held',
    adapters: [SIMULATOR_CONTRACT, STRIPE_CONTRACT, CASHFREE_CARD_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      async capture(request, signal) {
        const outcome = await provider.capture(request, signal);
        return outcome.kind === 'not_held' ? { kind: 'unrecognised', providerResponse: {} } : outcome;
      },
    }),
  },
  {
    fault: 'does not ask for the authentication that an issuer demands',
    words: 'asks for authentication where it has to',
    adapters: [SIMULATOR_CONTRACT, STRIPE_CONTRACT, ADYEN_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      authorize: ({ mustAuthenticate: _, ...request }, signal) => provider.authorize(request, signal),
    }),
  },
  {
    fault: 'drops webhooks about disputes',
    words: 'reports a dispute with its payment',
    adapters: WITH_DISPUTES,
    mutate: (provider) => ({
      ...provider,
      parseWebhook: withEvents(provider, (events) =>
        events.filter((event) => !('dispute' in ('report' in event ? event.report : event))),
      ),
    }),
  },
  {
    fault: 'says nothing to an inquiry of the money that was taken',
    words: 'says the same to an inquiry',
    adapters: [SIMULATOR_CONTRACT, STRIPE_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      inquireDispute: async (reference, signal) => {
        const reports = (await provider.inquireDispute?.(reference, signal)) ?? [];
        return reports.map((report) => ({ ...report, funds: null }));
      },
    }),
  },
  {
    fault: 'lists no dispute',
    words: 'finds a dispute whose webhooks were lost',
    adapters: [SIMULATOR_CONTRACT, STRIPE_CONTRACT],
    mutate: (provider) => ({ ...provider, listDisputes: () => Promise.resolve({ disputes: [], nextCursor: null }) }),
  },
  {
    fault: 'gives a dispute up before that is noted',
    words: 'does nothing that cannot be taken back before it is noted',
    adapters: WITH_DISPUTES,
    mutate: (provider) => ({
      ...provider,
      acceptDispute: async (answer, signal) => {
        const outcome = await provider.acceptDispute?.({ ...answer, begin: () => Promise.resolve() }, signal);
        await answer.begin();
        return outcome ?? assert.fail();
      },
    }),
  },
  {
    fault: 'takes an outage for a refusal of the evidence',
    words: 'takes the answer once',
    adapters: WITH_DISPUTES,
    mutate: (provider) => ({
      ...provider,
      submitEvidence: async (answer, signal) => {
        try {
          return (await provider.submitEvidence?.(answer, signal)) ?? assert.fail();
        } catch {
          return { kind: 'refused', providerResponse: {} };
        }
      },
    }),
  },
  {
    fault: 'sends refunds without an idempotency key',
    words: 'refund',
    // The cases wait in vain, and so take seconds.
    adapters: [SIMULATOR_CONTRACT],
    mutate: (provider) => ({
      ...provider,
      refund: (request, signal) => provider.refund({ ...request, refundId: `re_${newUnique()}` }, signal),
    }),
  },
];

describe('the contract of payment providers', function () {
  this.timeout(3 * MINUTE_MS);

  for (const { fault, words, mutate, adapters } of MUTATIONS) {
    for (const settings of adapters) {
      it(`finds within a minute where ${settings.name} ${fault}`, async () => {
        const startedAt = performance.now();
        const failed = await failuresOf(settings, words, mutate);
        assert.ok(failed.length > 0, 'every case has passed');
        assert.ok(performance.now() - startedAt < MINUTE_MS);
      });
    }
  }

  const same: Mutate = (provider) => provider;
  // All cases about refunds take long where none of them fails; the contract itself runs them.
  for (const { words, adapters } of MUTATIONS.filter((each) => each.words !== 'refund')) {
    const [settings = SIMULATOR_CONTRACT] = adapters;
    it(`finds nothing in an adapter that is changed in nothing: ${settings.name} ${words}`, async () => {
      assert.deepEqual(await failuresOf(settings, words, same), []);
    });
  }
});
