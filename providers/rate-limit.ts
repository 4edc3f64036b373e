import PQueue from 'p-queue';
import { SECOND_MS } from '../domain/time.ts';
import { ProviderOutageError } from './provider-errors.ts';

/** How long a request may wait for its turn. If it had to wait longer, another provider is the better choice. */
const LONGEST_WAIT_SECONDS = 10;

/** Sends a request when the limit of its endpoint allows. @throws ProviderOutageError TSP_UNAVAILABLE where too many wait */
type RateLimit = <Answer>(endpoint: string, send: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>;

/** @param requestsPerSecond to each endpoint */
export function createRateLimit(requestsPerSecond: number): RateLimit {
  const queues = new Map<string, PQueue>();
  return (endpoint, send, signal) => {
    signal.throwIfAborted();
    const queue = queues.get(endpoint) ?? new PQueue({ intervalCap: requestsPerSecond, interval: SECOND_MS });
    queues.set(endpoint, queue);
    if (queue.size >= LONGEST_WAIT_SECONDS * requestsPerSecond) {
      throw new ProviderOutageError('TSP_UNAVAILABLE', 'too many requests wait for the limit of the provider');
    }
    return queue.add(send, { signal });
  };
}
