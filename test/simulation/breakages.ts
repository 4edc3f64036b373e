import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { ProviderCallDependencies } from '../../activities/provider-calls.ts';
import { recordStep, stepIdentity } from '../../activities/record-step.ts';
import type { PaymentStore } from '../../prisma/stores/payment-store.ts';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import type { Breakage } from './simulation.ts';

/** Ways to break the engine on purpose. The simulation must find each of them. */
export const BREAKAGES = {
  'opens attempts at any time': {
    dependencies: (dependencies) => ({ ...dependencies, payments: opensAlways(dependencies.payments) }),
  },
  'fails over without an inquiry': {
    activities: (activities) => ({
      ...activities,
      inquirePayment: async (attempt) => ({
        outcome: { kind: 'not_charged' },
        payment: await activities.readPayment(attempt),
      }),
    }),
  },
  'another key for each try': {
    dependencies: (dependencies) =>
      withProvider(dependencies, (provider) => ({
        ...provider,
        authorize: (request, signal) =>
          provider.authorize({ ...request, attemptId: keyOfTry(request.attemptId) }, signal),
      })),
  },
  'another key for each try of a refund': {
    dependencies: (dependencies) =>
      withProvider(dependencies, (provider) => ({
        ...provider,
        refund: (request, signal) => provider.refund({ ...request, refundId: keyOfTry(request.refundId) }, signal),
      })),
  },
  'gives up a refund without an answer': {
    activities: (activities) => ({
      ...activities,
      refundPayment: (request) =>
        activities.refundPayment(request).catch((error: unknown) => {
          if (error instanceof ApplicationFailure && error.type === 'TSP_TIMEOUT')
            return { outcome: { kind: 'not_refunded' }, unrecognised: null, tries: 1 };
          throw error;
        }),
    }),
  },
  'leaves a stray charge': {
    activities: (activities) => ({ ...activities, inquireStrayCharge: () => Promise.resolve({ kind: 'nothing' }) }),
  },
  'a local activity that writes': {
    activities: (activities, { payments }) => ({
      ...activities,
      planPayment: async (request) => {
        const step = { timeline: [{ kind: 'decision', summary: 'Routes are planned' }] } as const;
        const { paymentIntentId } = request;
        await recordStep(
          payments,
          { paymentIntentId, knownVersion: 0, step, at: new Date().toISOString() },
          stepIdentity('planned'),
        );
        return activities.planPayment(request);
      },
    }),
  },
  'answers before the row is written': {
    dependencies: (dependencies) => ({ ...dependencies, payments: writesLater(dependencies.payments) }),
  },
} as const satisfies Readonly<Record<string, Breakage>>;

export type BreakageName = keyof typeof BREAKAGES;

function keyOfTry(key: string): string {
  const { attempt } = activityInfo();
  return attempt === 1 ? key : `${key}_${attempt}`;
}

function withProvider(
  dependencies: ProviderCallDependencies,
  change: (provider: PaymentProvider) => PaymentProvider,
): ProviderCallDependencies {
  const { registry } = dependencies;
  const find = async (name: string): Promise<PaymentProvider | undefined> => {
    const provider = await registry.find(name);
    return provider === undefined ? undefined : change(provider);
  };
  return { ...dependencies, registry: { ...registry, find } };
}

const LATER_MS = 1_000;

/** Says that an outcome is written, and writes it a second later. */
function writesLater(payments: PaymentStore): PaymentStore {
  const read: PaymentStore['read'] = (query) => payments.read(query);
  return {
    read,
    write: (write) => {
      if (!write.stepId.endsWith(':outcome')) return payments.write(write);
      setTimeout(() => void payments.write(write).catch(() => undefined), LATER_MS);
      return Promise.resolve(true);
    },
    openingRefusal: (paymentIntentId, opening) => payments.openingRefusal(paymentIntentId, opening),
    hasLapsed: (paymentIntentId) => payments.hasLapsed(paymentIntentId),
    applyUpdate: (write) => payments.applyUpdate(write),
    noteStrayCharge: (charge) => payments.noteStrayCharge(charge),
    testClockLag: (paymentIntentId) => payments.testClockLag(paymentIntentId),
  };
}

/** Neither the statement that opens an attempt nor a later try cares whether the attempt may begin. */
function opensAlways(payments: PaymentStore): PaymentStore {
  return {
    read: (query) => payments.read(query),
    write: ({ opens, ...write }) =>
      payments.write(opens === undefined ? write : { ...write, opens: { ...opens, opening: null } }),
    openingRefusal: async (paymentIntentId, opening) => {
      await payments.openingRefusal(paymentIntentId, opening);
      return null;
    },
    hasLapsed: (paymentIntentId) => payments.hasLapsed(paymentIntentId),
    applyUpdate: (write) => payments.applyUpdate(write),
    noteStrayCharge: (charge) => payments.noteStrayCharge(charge),
    testClockLag: (paymentIntentId) => payments.testClockLag(paymentIntentId),
  };
}
