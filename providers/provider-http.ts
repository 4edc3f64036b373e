import { ProviderOutageError } from './provider-errors.ts';

const MAXIMUM_ANSWER_BYTES = 256 * 1024;

export interface ProviderCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Longest wait for the whole answer. */
  readonly timeoutMs: number;
}

/** An answer in full; `text` is not yet trusted in any way. */
export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * One HTTP call to a provider, bounded in time and in the size of its answer.
 * @throws ProviderOutageError TSP_TIMEOUT when the time is up, TSP_UNAVAILABLE when the connection fails,
 *   TSP_ERROR when the answer is too large
 * @throws the signal's own reason when the caller gave up
 */
export async function callProvider(call: ProviderCall, signal: AbortSignal): Promise<ProviderAnswer> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(call.timeoutMs);
  const abort = new AbortController();
  const forward = () => {
    abort.abort();
  };
  signal.addEventListener('abort', forward, { once: true });
  deadline.addEventListener('abort', forward, { once: true });
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: call.headers,
      body: call.body,
      redirect: 'manual',
      signal: abort.signal,
    });
    return { status: response.status, text: await readBounded(response) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderOutageError) throw error;
    if (deadline.aborted) throw new ProviderOutageError('TSP_TIMEOUT', `no answer within ${call.timeoutMs} ms`);
    throw new ProviderOutageError('TSP_UNAVAILABLE', `the connection failed: ${reasonOf(error)}`);
  } finally {
    signal.removeEventListener('abort', forward);
    deadline.removeEventListener('abort', forward);
  }
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAXIMUM_ANSWER_BYTES) throw new ProviderOutageError('TSP_ERROR', 'the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` hides the reason (ECONNREFUSED, ECONNRESET) in the cause; its message may hold addresses, the code does not. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return 'no further reason';
}
