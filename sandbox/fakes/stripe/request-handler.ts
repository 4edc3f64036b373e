import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer as readBuffer } from 'node:stream/consumers';
import { decodeForm, type Form } from './form.ts';
import { StripeRefusal } from './refusals.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface StoredAnswer extends Answer {
  readonly fingerprint: string;
}

/** A failure that a test asks for. */
interface PlannedFailure {
  readonly pathEnd: string;
  readonly work: 'done' | 'not_done';
}

/** Answers HTTP requests: checks the key, keeps the answers to idempotency keys, and fails where a test asks for it. */
export class RequestHandler {
  readonly #secretKey: string;
  readonly #call: (method: string, path: string, form: Form) => object;
  readonly #stored = new Map<string, StoredAnswer>();
  readonly #failures: PlannedFailure[] = [];

  /** @param call does what a request asks for, and throws a `StripeRefusal` where Stripe would refuse it */
  constructor(secretKey: string, call: (method: string, path: string, form: Form) => object) {
    this.#secretKey = secretKey;
    this.#call = call;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const form =
      method === 'GET' ? decodeForm(searchParams.toString()) : await readForm(headers, await readBuffer(request));
    if (headers.authorization !== `Bearer ${this.#secretKey}`) {
      send(response, { status: 401, body: JSON.stringify({ error: { type: 'invalid_request_error' } }) });
      return;
    }
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    const fingerprint = createHash('sha256')
      .update(`${pathname}?${JSON.stringify(form)}`)
      .digest('hex');
    const known = typeof key === 'string' ? this.#stored.get(key) : undefined;
    if (known !== undefined) {
      if (known.fingerprint === fingerprint) send(response, known, { 'idempotent-replayed': 'true' });
      else send(response, { status: 400, body: JSON.stringify({ error: { type: 'idempotency_error' } }) });
      return;
    }
    const answer = this.#perform(method, pathname, form);
    // Stripe keeps the answer of every request that it began to carry out, also of one that failed on its side.
    if (typeof key === 'string') this.#stored.set(key, { ...answer, fingerprint });
    send(response, answer);
  }

  /** Forgets all idempotency keys, as Stripe may after 24 hours. */
  forgetKeys(): void {
    this.#stored.clear();
  }

  /** Answers the next POST to a path that ends so with a status 500, which is stored under its key; the work is done or not. */
  failNext(pathEnd: string, work: 'done' | 'not_done'): void {
    this.#failures.push({ pathEnd, work });
  }

  /** Does the work, or fails as planned. */
  #perform(method: string, path: string, form: Form): Answer {
    const failure = method === 'POST' ? this.#failures.findIndex(({ pathEnd }) => path.endsWith(pathEnd)) : -1;
    const [failed] = failure < 0 ? [] : this.#failures.splice(failure, 1);
    if (failed?.work === 'not_done') return serverError();
    const answer = answerOf(() => this.#call(method, path, form));
    return failed === undefined ? answer : serverError();
  }
}

/** The members of a form; a file is its digest. */
async function readForm(headers: IncomingHttpHeaders, body: Buffer): Promise<Form> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return decodeForm(body.toString('utf8'));
  const sent = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const members = [...sent].map(async ([name, value]): Promise<[string, string]> => {
    if (typeof value === 'string') return [name, value];
    const content = new Uint8Array(await value.arrayBuffer());
    return [name, createHash('sha256').update(content).digest('hex')];
  });
  return Object.fromEntries(await Promise.all(members));
}

function answerOf(act: () => object): Answer {
  try {
    return { status: 200, body: JSON.stringify(act()) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: JSON.stringify({ error: error.error }) };
  }
}

function serverError(): Answer {
  return { status: 500, body: JSON.stringify({ error: { type: 'api_error', message: 'A fault was asked for.' } }) };
}

function send(
  response: ServerResponse,
  { status, body }: Answer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
