import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import { CancelledFailure, defaultFailureConverter, defaultPayloadConverter, type Logger } from '@temporalio/common';
import type { ActivityExecutor, ActivityTry, TryResult } from './temporal-model.ts';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

const SILENT: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Executes the engine's activities with the context that a worker gives them; arguments and results pass through JSON. */
export function createExecutor(activities: object): ActivityExecutor {
  const byName = activities as Activities;
  return (activityTry) => execute(byName, activityTry);
}

async function execute(activities: Activities, activityTry: ActivityTry): Promise<TryResult> {
  const { type, args } = activityTry;
  const activity = activities[type];
  if (activity === undefined) throw new Error(`the simulation has no activity ${type}`);
  const cancellation = new AbortController();
  try {
    const context = contextOf(activityTry, cancellation);
    const input = args.map((payload) => defaultPayloadConverter.fromPayload<never>(payload));
    const result = await asyncLocalStorage.run(context, () => activity(...input));
    return { kind: 'completed', result: defaultPayloadConverter.toPayload(result) ?? {} };
  } catch (error) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if ((error instanceof CancelledFailure || isAbort) && cancellation.signal.aborted) return { kind: 'canceled' };
    return { kind: 'failed', failure: defaultFailureConverter.errorToFailure(error, defaultPayloadConverter) };
  }
}

function contextOf(activityTry: ActivityTry, cancellation: AbortController): Context {
  const { workflowId, runId, workflowType, activityId, type, attempt, heartbeat } = activityTry;
  const info = {
    workflowExecution: { workflowId, runId },
    workflowType,
    activityId,
    activityType: type,
    attempt,
  } as unknown as Info;
  const canceled = new Promise<never>((_, reject) => {
    cancellation.signal.addEventListener('abort', () => reject(new CancelledFailure('CANCELLED')), { once: true });
  });
  canceled.catch(() => undefined);
  const onHeartbeat = (): void => {
    if (heartbeat() && !cancellation.signal.aborted) cancellation.abort(new CancelledFailure('CANCELLED'));
  };
  return new Context(info, canceled, cancellation.signal, onHeartbeat, undefined, SILENT, undefined as never, {});
}
