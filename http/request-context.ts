import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { ParamsDictionary } from 'express-serve-static-core';
import type { Actor } from '../domain/audit.ts';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import type { Environment } from '../domain/payment.ts';
import type { TraceContext } from '../domain/trace-context.ts';
import type { Signer } from './request-log.ts';

/** How an API key may be used, besides its scopes. A key that it makes or changes gets no wider limits. */
export interface KeyLimits {
  /** Whether it may act for its own account only, instead of any account of the merchant. */
  readonly accountBound: boolean;
  /** Whether only the addresses of the list may use it. */
  readonly ipRestricted: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  /** The only version of the signature that it takes; a key on version 2 makes no key on version 1. */
  readonly signatureVersion: number;
}

/** The authenticated sender of a request. */
export interface Principal {
  /** The API key; of a person or a checkout page, the id that stands for one. */
  readonly apiKeyId: string;
  /** Set for a person who is signed in to the dashboard. */
  readonly personId?: string;
  /** Set for the platform's staff, who act for no merchant: the person's e-mail address. */
  readonly staffEmail?: string;
  /** The sender as the audit log names it. */
  readonly actor: Actor;
  readonly merchantId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  /** Attempts that new intents of this account may make. */
  readonly attemptBudget: number;
  /** Whether refunds and captures of this account need an idempotency key. */
  readonly requiresIdempotencyKeys: boolean;
  readonly scopes: readonly string[];
  readonly keyLimits: KeyLimits;
  /** The only intent that a checkout page may read and confirm; absent for merchants' keys, which have scopes instead. */
  readonly onlyPaymentIntentId?: string;
  /** Whether that intent has ended, so that the page may only read it. */
  readonly isReadOnly?: boolean;
  /** Where that page is. */
  readonly pageAddress?: string;
}

/** State that the middleware of one request shares. */
type RequestLocals = {
  requestId: string;
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
