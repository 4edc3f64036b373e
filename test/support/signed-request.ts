import { type Credentials, sendSigned, type SignedRequest } from '../../sandbox/signed-request.ts';
import { getStack } from './stack.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed envelope. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a signed request to the engine of this run and reads the answer; other credentials may be given. */
export async function request(signedRequest: SignedRequest, credentials?: Credentials): Promise<Answer> {
  const response = await sendSigned(credentials ?? getStack().sandbox, signedRequest);
  const body: unknown = await response.json();
  if (!isRecord(body)) throw new TypeError(`not an envelope: ${JSON.stringify(body)}`);
  return { status: response.status, headers: response.headers, body };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
