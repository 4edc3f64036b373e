import express from 'express';
import { bodyTooLarge } from './errors.ts';
import { ApiError } from '../domain/api-error.ts';
import type { ApiHandler, ApiRequest } from './request-context.ts';

const KIB = 1_024;
const MAXIMUM_BODY_BYTES = 1_024 * KIB;
/** A file for the answer to a dispute, in Base64, with what names it. */
const MAXIMUM_UPLOAD_BYTES = 3 * MAXIMUM_BODY_BYTES;
const UPLOAD_PATH = /\/disputes\/[^/?]+\/files(?:\?|$)/;
/** The most that a request without a valid key can make the API hold in memory. */
const UNAUTHENTICATED_BODY_BYTES = 256 * KIB;
/** A body that is too large is read to its end before it is rejected, so that clients see the response; up to this size. */
const MAXIMUM_DRAINED_BYTES = 16 * MAXIMUM_BODY_BYTES;

/** Stores the raw bytes of a body that anybody may have sent. */
export const readBody = createBodyReader(UNAUTHENTICATED_BODY_BYTES);

const readLargeBody = createBodyReader(MAXIMUM_BODY_BYTES);
const readUpload = createBodyReader(MAXIMUM_UPLOAD_BYTES);

/** Whether a request may have a body as large as a file needs. */
function isUpload({ method = '', originalUrl = '' }: Pick<ApiRequest, 'method' | 'originalUrl'>): boolean {
  return method === 'POST' && UPLOAD_PATH.test(originalUrl);
}

/**
 * Stores the raw bytes of a signed body. The signature is over the whole body, so the body has to be read before the request
 * is authenticated; but a large one is read only for callers whose key exists. Others get the error that they would get anyway.
 * @param isExistingCaller whether the request names a key that exists
 * @throws ApiError `INVALID_REQUEST`, `UNAUTHORIZED`
 */
export function readBodyOfCaller(isExistingCaller: (request: ApiRequest) => Promise<boolean>): ApiHandler {
  return async (request, response, next) => {
    const lengthBytes = lengthOf(request);
    if (lengthBytes <= UNAUTHENTICATED_BODY_BYTES) return readBody(request, response, next);
    const [maximumBytes, read] = isUpload(request)
      ? [MAXIMUM_UPLOAD_BYTES, readUpload]
      : [MAXIMUM_BODY_BYTES, readLargeBody];
    const isTooLarge = lengthBytes > maximumBytes && lengthBytes !== Infinity;
    if (isTooLarge || (await isExistingCaller(request))) return read(request, response, next);
    // Clients see the response only if the server reads what they still send.
    request.resume();
    throw new ApiError('UNAUTHORIZED');
  };
}

function createBodyReader(maximumBytes: number): ApiHandler {
  const parse = express.raw({ type: () => true, limit: maximumBytes, inflate: false });
  return (request, response, next) => {
    const lengthBytes = lengthOf(request);
    if (lengthBytes === 0) return next();
    if (lengthBytes > MAXIMUM_DRAINED_BYTES && lengthBytes !== Infinity) {
      response.set('Connection', 'close');
      throw new ApiError('INVALID_REQUEST', {
        message: bodyTooLarge(maximumBytes, lengthBytes),
        details: { reason: 'body_too_large' },
      });
    }
    parse(request, response, (error?: unknown) => {
      const { body } = request;
      if (Buffer.isBuffer(body)) response.locals.rawBody = body;
      next(error);
    });
  };
}

/** The length of the body in bytes; 0 without a body, infinite if only its end will tell. */
function lengthOf({ headers }: ApiRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined) return Infinity;
  return Number(length ?? 0);
}
