import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

/** The result of interruptible work. */
export type WorkResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'interrupted' };

/**
 * Runs work until it is done or `interrupted()` becomes true, which cancels the work. Work that completes in spite of the
 * cancellation counts as done.
 */
export async function interruptible<T>(work: () => Promise<T>, interrupted: () => boolean): Promise<WorkResult<T>> {
  if (interrupted()) return { kind: 'interrupted' };
  const working = new CancellationScope();
  const watching = new CancellationScope();
  watching
    .run(() => condition(interrupted))
    .then(
      () => working.cancel(),
      () => undefined,
    );
  try {
    return { kind: 'done', value: await working.run(work) };
  } catch (error) {
    return isCancellation(error) || interrupted() ? { kind: 'interrupted' } : { kind: 'failed', error };
  } finally {
    watching.cancel();
  }
}
