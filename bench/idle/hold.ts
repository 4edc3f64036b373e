import type { Stack, StackProcess } from '../../scripts/stack.ts';

/** PostgreSQL does nothing for whoever asks it nothing. */
const HELD: readonly StackProcess[] = ['api', 'worker', 'simulator-alpha', 'simulator-beta', 'temporal'];

/** Makes an engine stand still, as if its machine slept. */
export function hold(stack: Stack): void {
  signalAll(stack, 'SIGSTOP');
}

/** Lets it go on. */
export function letGo(stack: Stack): void {
  signalAll(stack, 'SIGCONT');
}

function signalAll(stack: Stack, signal: NodeJS.Signals): void {
  for (const name of HELD) {
    const pid = stack.pidOf(name);
    if (pid !== undefined) process.kill(pid, signal);
  }
}
