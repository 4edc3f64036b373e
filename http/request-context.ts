import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ParamsDictionary } from 'express-serve-static-core';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import type { Principal } from '../domain/principal.ts';
import type { TraceContext } from '../domain/trace-context.ts';
import type { Signer } from './request-log.ts';

/** State that the middleware of one request shares. */
type RequestLocals = {
  /** The client's own, where it sent one. */
  requestId: string;
  /** The engine's, which no other request has. */
  ownRequestId: string;
  startedAtMs: number;
  /** Whether some limit has counted the request already. */
  counted: boolean;
  /** The code of the error that is the response. */
  errorCode?: ErrorCode;
  rawBody?: Buffer;
  principal?: Principal;
  /** The nonce that styles of this response must carry, in pages of the dashboard. */
  nonce?: string;
  /** Who signed the request, whether or not it may do what it asks for. */
  signer?: Signer;
  /** The id of what the request creates, if it creates something. */
  resourceId?: string;
  /** The span of the request, where requests are traced. */
  trace?: TraceContext | null;
  /** Ends the turn that a read has, see `inTurn`. */
  endReadTurn?: () => void;
  /** Called with each response, after it is sent. */
  onSent?: (status: number, body: string) => void;
};

export type ApiRequest = Request<ParamsDictionary, unknown, unknown, unknown, RequestLocals>;
export type ApiResponse = Response<unknown, RequestLocals>;
export type ApiHandler = RequestHandler<ParamsDictionary, unknown, unknown, unknown, RequestLocals>;
export type ApiErrorHandler = ErrorRequestHandler<ParamsDictionary, unknown, unknown, unknown, RequestLocals>;

const NO_BODY = Buffer.alloc(0);

/** The bytes of the body as they were received; empty when there was none. */
export function rawBodyOf(response: ApiResponse): Buffer {
  return response.locals.rawBody ?? NO_BODY;
}

/** The sender of the request. @throws Error when the route was mounted outside authentication */
export function principalOf(response: ApiResponse): Principal {
  const { principal } = response.locals;
  if (principal === undefined) throw new Error('this route is not behind authentication');
  return principal;
}
