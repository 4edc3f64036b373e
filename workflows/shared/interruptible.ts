import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

/** How work that may be interrupted came out. */
export type WorkResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'interrupted' };

/**
 * Does some work until it is done or `interrupted()` holds; then the work is canceled. Work that gets done all the same,
 * because it was canceled too late, is done.
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
