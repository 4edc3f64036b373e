import { CancellationScope, condition } from '@temporalio/workflow';

/** How work that may be interrupted came out. */
export type WorkResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'interrupted' };

/** Does some work until it is done or `interrupted()` holds; then the work is canceled and its result ignored. */
export async function interruptible<T>(work: () => Promise<T>, interrupted: () => boolean): Promise<WorkResult<T>> {
  if (interrupted()) return { kind: 'interrupted' };
  const scope = new CancellationScope();
  const working = scope.run(work).then(
    (value): WorkResult<T> => ({ kind: 'done', value }),
    (error: unknown): WorkResult<T> => ({ kind: 'failed', error }),
  );
  const watching = scope
    .run(() => condition(interrupted))
    .then(
      (): WorkResult<T> => ({ kind: 'interrupted' }),
      (): WorkResult<T> => ({ kind: 'interrupted' }),
    );
  const result = await Promise.race([working, watching]);
  scope.cancel();
  return result;
}
