import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** The ids by which a log line names what an activity works on. */
const LOGGED_IDS = ['paymentIntentId', 'merchantAccountId', 'refundId', 'deliveryId'] as const;

type LoggedIds = Partial<Record<(typeof LOGGED_IDS)[number], string>>;

/** Adds to the log lines of an activity the ids in its request. */
export const nameInLogs: ActivityInterceptorsFactory = () => {
  let ids: LoggedIds = {};
  return {
    inbound: {
      execute(input, next) {
        ids = idsIn(input.args[0]);
        return next(input);
      },
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...ids, ...attributes }) },
  };
};

/** The ids that are members of a request; nothing else of it. */
export function idsIn(request: unknown): LoggedIds {
  if (typeof request !== 'object' || request === null) return {};
  const found = Object.entries(request).filter(
    ([name, value]) => LOGGED_IDS.some((logged) => logged === name) && typeof value === 'string',
  );
  return Object.fromEntries(found);
}
