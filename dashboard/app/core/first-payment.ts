import { noResponse } from './request.ts';

/** Longer than the API waits for a payment's outcome. */
const TIMEOUT_MS = 60_000;

export interface SentPayment {
  readonly status: number;
  /** Indented JSON. */
  readonly text: string;
  readonly elapsedMs: number;
}

/** Sends a signed payment; the dashboard passes it on as it is, without the session. @throws RequestError without a response */
export async function sendFirstPayment({
  headers,
  body,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}): Promise<SentPayment> {
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch('/first-payment', { method: 'POST', headers, body, credentials: 'omit', signal });
    const text = indented(await response.text());
    return { status: response.status, text, elapsedMs: Math.round(performance.now() - startedAt) };
  } catch {
    throw noResponse('The server did not answer. Try again: a repeat pays nothing twice.');
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
