import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { FaultInjector } from './faults.ts';
import type { HeldReplies } from './held-replies.ts';
import { sendError } from './http-errors.ts';
import type { Operation } from './protocol.ts';

/** Answers engines, subject to the injected faults. */
export interface Replies {
  /** Delays and fails requests before they have any effect: a slow request may take effect after its own inquiry. */
  injectFaults(operation: Operation): RequestHandler;
  /** Answers, unless a fault drops the reply. */
  answer(operation: Operation, response: Response, status: number, body: object): void;
  /** Never answers. */
  withhold(response: Response): void;
}

export function createReplies(faults: FaultInjector, heldReplies: HeldReplies): Replies {
  return {
    injectFaults: (operation) => async (_request, response, next) => {
      const latencyMs = faults.drawLatencyMs(operation);
      if (latencyMs > 0) await sleep(latencyMs);
      const { errorStatus } = faults.settings();
      if (faults.drawError(operation)) sendError(response, errorStatus, 'server_error', 'A fault was asked for.');
      else next();
    },
    answer(operation, response, status, body) {
      if (faults.drawLostReply(operation)) heldReplies.hold(response);
      else response.status(status).json(body);
    },
    withhold(response) {
      heldReplies.hold(response);
    },
  };
}
