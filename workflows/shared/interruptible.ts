import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

/** The result of interruptible work. */
export type WorkResult<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'interrupted' };

/**
 * Runs work until it is done or `interrupted()` becomes true, which cancels the work. Work that completes in spite of the
 * cancellation counts as done, and work that fails after it as interrupted.
 * @throws what the work throws otherwise
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
    if (isCancellation(error) || interrupted()) return { kind: 'interrupted' };
    throw error;
  } finally {
    watching.cancel();
  }
}
