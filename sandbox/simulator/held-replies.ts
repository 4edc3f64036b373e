import type { Response } from 'express';

/** Replies that are never sent: the client waits until one side loses patience. */
export interface HeldReplies {
  hold(response: Response): void;
  /** Cuts every connection that is held. */
  releaseAll(): void;
}

/** @param holdMs how long the connection is held at most */
export function createHeldReplies(holdMs: number): HeldReplies {
  const held = new Set<Response>();
  return {
    hold(response) {
      held.add(response);
      const timer = setTimeout(() => {
        response.destroy();
      }, holdMs);
      response.once('close', () => {
        clearTimeout(timer);
        held.delete(response);
      });
    },
    releaseAll() {
      for (const response of held) response.destroy();
    },
  };
}
