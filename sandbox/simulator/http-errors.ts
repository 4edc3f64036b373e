import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LedgerFullError } from './ledger.ts';

/** Answers with the simulator's own form of an error. */
export function sendError(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ error: { code, message } });
}

export const answerNotFound: RequestHandler = (_request, response) => {
  sendError(response, 404, 'not_found', 'There is nothing here.');
};

/** Answers whatever a handler throws, without internal details. */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    if (error instanceof z.ZodError) {
      const fields = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
      response.status(400).json({ error: { code: 'invalid_request', message: 'The request is not valid.', fields } });
      return;
    }
    if (error instanceof LedgerFullError) {
      sendError(response, 503, 'unavailable', 'The ledger is full.');
      return;
    }
    const status = clientErrorStatus(error);
    if (status !== undefined) {
      sendError(response, status, 'invalid_request', 'The request cannot be read.');
      return;
    }
    logger.error({ err: error }, 'request failed');
    sendError(response, 500, 'internal_error', 'The simulator failed.');
  };
}

/** The status that Express's own parsers give to bad requests. */
function clientErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  return error.status >= 400 && error.status < 500 ? error.status : undefined;
}
