import type { Counter } from './counter.ts';

export interface LocalCounterOptions {
  /** Requests that a caller may make in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Callers that are told apart; those beyond are counted as one. */
  readonly maximumCallers: number;
  /** For tests; default: the real time. */
  readonly nowMs?: () => number;
}

interface Window {
  requests: number;
  readonly endsAtMs: number;
}

const THE_REST = '';

/** Counts in this process alone, in windows that begin with a caller's first request. Never throws. */
export function createLocalCounter({
  limit,
  windowMs,
  maximumCallers,
  nowMs = Date.now,
}: LocalCounterOptions): Counter {
  const windows = new Map<string, Window>();

  const windowOf = (caller: string, atMs: number): Window => {
    const current = windows.get(caller);
    if (current !== undefined && current.endsAtMs > atMs) return current;
    windows.delete(caller);
    if (windows.size >= maximumCallers) removeEnded(windows, atMs);
    if (windows.size >= maximumCallers && caller !== THE_REST) return windowOf(THE_REST, atMs);
    const window = { requests: 0, endsAtMs: atMs + windowMs };
    windows.set(caller, window);
    return window;
  };

  return async (caller) => {
    const atMs = nowMs();
    const window = windowOf(caller, atMs);
    window.requests += 1;
    return Promise.resolve({
      remaining: Math.max(limit - window.requests, 0),
      msBeforeReset: window.endsAtMs - atMs,
      exceeded: window.requests > limit,
    });
  };
}

/** Windows are kept in the order in which they end. */
function removeEnded(windows: Map<string, Window>, atMs: number): void {
  for (const [caller, { endsAtMs }] of windows) {
    if (endsAtMs > atMs) return;
    windows.delete(caller);
  }
}
