import { ApiError } from '../../domain/api-error.ts';
import type { ApiHandler } from '../../http/request-context.ts';
import { CACHE_IMMUTABLE } from '../../http/server/serve-static.ts';
import type { Database } from '../../prisma/connection/client.ts';

const NAME = /^([0-9a-f]{64})\.png$/;

/**
 * Serves the logo of an account to anybody who has its digest, which nobody can guess. A browser that is led there takes it for nothing
 * but an image, and runs nothing in it.
 */
export function serveLogo({ accountLogo }: Database): ApiHandler {
  return async ({ params }, response) => {
    const digest = NAME.exec(String(params.name))?.[1];
    const found =
      digest === undefined ? null : await accountLogo.findFirst({ where: { digest }, select: { png: true } });
    if (found === null) throw new ApiError('RESOURCE_NOT_FOUND');
    response.set({
      'Cache-Control': CACHE_IMMUTABLE,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    });
    response.type('image/png').send(Buffer.from(found.png));
  };
}
