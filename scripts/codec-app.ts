import { createHash, timingSafeEqual } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils.js';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { z } from 'zod';
import { SealBrokenError } from '../vault/envelope.ts';

export interface CodecAppOptions {
  readonly codec: PayloadCodec;
  /** Origins of the Temporal UIs that may ask. */
  readonly origins: readonly string[];
  /** What callers prove themselves with; null lets everybody ask who reaches the server. */
  readonly token: string | null;
}

/** Enough for a page of a history. */
const MAXIMUM_BODY = '10mb';
/** How long a browser remembers the answer to a preflight request. */
const PREFLIGHT_SECONDS = 600;

const base64 = z.base64();
const payloadsSchema = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() })),
});

/**
 * The protocol of Temporal's codec servers: `POST /decode` and `POST /encode` take and return `{ "payloads": [ … ] }`, at any
 * depth of the path. `GET /` lets a browser sign in, so that it can send its credentials along when the UI asks.
 */
export function createCodecApp({ codec, origins, token }: CodecAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.use(allowOrigins(origins));
  if (token !== null) app.use(requireToken(token));
  app.get('/', (_request, response) => {
    response.type('text/plain').send('Signed in. The Temporal UI can read payloads now.\n');
  });
  // Before the body is parsed, the caller has proved itself.
  app.use(express.json({ limit: MAXIMUM_BODY }));
  app.post(
    /\/decode$/,
    convert((payloads) => codec.decode(payloads)),
  );
  app.post(
    /\/encode$/,
    convert((payloads) => codec.encode(payloads)),
  );
  app.use((_request, response) => void response.status(404).json({ error: 'POST to /decode or /encode.' }));
  app.use(sendError);
  return app;
}

/** Browsers name the page's origin in each request to another one; a page of any other origin is refused. */
function allowOrigins(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    response.vary('Origin');
    if (origin === undefined) return next();
    if (!origins.includes(origin)) {
      return void response.status(403).json({ error: 'CODEC_SERVER_ORIGINS does not have this origin.' });
    }
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
    if (request.method !== 'OPTIONS') return next();
    response.set({
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Namespace',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
    response.status(204).end();
  };
}

/** Takes the token as a bearer token, which the CLI sends, or as the password of a browser's sign-in, with any user name. */
function requireToken(token: string): RequestHandler {
  const expected = digestOf(token);
  return (request, response, next) => {
    const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ');
    if (timingSafeEqual(digestOf(presentedToken(scheme.toLowerCase(), credentials)), expected)) return next();
    response.set('WWW-Authenticate', 'Basic realm="codec server", charset="UTF-8"');
    response.status(401).json({ error: 'The Authorization header must have the token of CODEC_SERVER_TOKEN.' });
  };
}

function presentedToken(scheme: string, credentials: string): string {
  if (scheme !== 'basic') return scheme === 'bearer' ? credentials : '';
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8');
  return userAndPassword.slice(userAndPassword.indexOf(':') + 1);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function convert(change: (payloads: Payload[]) => Promise<Payload[]>): RequestHandler {
  return async (request, response) => {
    const { success, data } = payloadsSchema.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: 'The body must be {"payloads": [ … ]}.' });
    const payloads = data.payloads.map(({ metadata = {}, data: bytes = '' }) =>
      JSONToPayload({ metadata, data: bytes }),
    );
    response.json({ payloads: (await change(payloads)).map(payloadToJSON) });
  };
}

/** What is wrong with the request; nothing of its content. */
const sendError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof SealBrokenError) return void response.status(400).json({ error: error.message });
  const status = z.object({ status: z.number().int().min(400).max(499) }).safeParse(error);
  if (!status.success) return next(error);
  response.status(status.data.status).json({ error: 'The body cannot be read.' });
};
