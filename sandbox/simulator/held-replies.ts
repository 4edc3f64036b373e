import type { ServerResponse } from 'node:http';

/** Replies that are never sent: the client waits until one side closes the connection. */
export interface HeldReplies {
  hold(response: ServerResponse): void;
  /** Closes every held connection. */
  releaseAll(): void;
}

/** @param holdMs the longest time a connection is held */
export function createHeldReplies(holdMs: number): HeldReplies {
  const held = new Set<ServerResponse>();
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
