import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiHandler } from '../request-context.ts';

export interface StaticContent {
  /** The media type, with its charset. */
  readonly type: string;
  /** Made at the first request. */
  readonly content: () => Buffer;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For content whose name changes with it: clients never need to revalidate. */
export const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';

const DIGEST_LENGTH = 16;
const compress = promisify(gzip);

/** A short digest of the content, for its URL. */
export function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Serves content that never changes while the process runs: compressed, with an ETag for revalidation. */
export function serveStatic({ type, content, cacheControl, headers = {} }: StaticContent): ApiHandler {
  const isText = /^text\/|json/.test(type);
  let made: { readonly plain: Buffer; readonly tag: string } | undefined;
  let compressed: Promise<Buffer> | undefined;
  const make = () => {
    const plain = content();
    return { plain, tag: `"${digestOf(plain)}"` };
  };
  return async (request, response) => {
    const { plain, tag } = (made ??= make());
    response.set({ ...headers, 'Cache-Control': cacheControl, ETag: tag });
    if (isText) response.vary('Accept-Encoding');
    if (request.get('if-none-match') === tag) return void response.status(304).end();
    response.type(type);
    if (!isText || request.acceptsEncodings('gzip') !== 'gzip') return void response.send(plain);
    compressed ??= compress(plain, { level: 9 });
    response.set('Content-Encoding', 'gzip').send(await compressed);
  };
}
