import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { Faults } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { sendError } from './http-errors.ts';
import type { Operation } from './protocol.ts';

/** Answers to engines, as reliable as the knobs say. */
export interface Replies {
  /** Is slow and fails, before anything is done: a slow request may come after its own inquiry. */
  misbehave(operation: Operation): RequestHandler;
  /** Answers, or not. */
  answer(operation: Operation, response: Response, status: number, body: object): void;
  answerError(operation: Operation, response: Response, status: number, code: string, message: string): void;
  /** Never answers. */
  withhold(response: Response): void;
}

export function createReplies(faults: Faults, heldReplies: HeldReplies): Replies {
  const answer = (operation: Operation, response: Response, status: number, body: object) => {
    if (faults.drawLostReply(operation)) heldReplies.hold(response);
    else response.status(status).json(body);
  };

  return {
    misbehave: (operation) => async (_request, response, next) => {
      const latencyMs = faults.drawLatencyMs(operation);
      if (latencyMs > 0) await sleep(latencyMs);
      const { errorStatus } = faults.settings();
      if (faults.drawError(operation)) sendError(response, errorStatus, 'server_error', 'A fault was asked for.');
      else next();
    },
    answer,
    answerError(operation, response, status, code, message) {
      answer(operation, response, status, { error: { code, message } });
    },
    withhold(response) {
      heldReplies.hold(response);
    },
  };
}
