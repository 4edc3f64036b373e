/** Why the gateway closes a socket. Below 4000: the meanings the WebSocket registry gives them. */
export const CLOSE_CODES = {
  restarting: { code: 1012, reason: 'the service restarts, connect again' },
  tryAgainLater: { code: 1013, reason: 'try again later' },
  tooManyRejections: { code: 1013, reason: 'too many unknown secrets from here, try again later' },
  tooSlow: { code: 1013, reason: 'too slow, connect again and resume' },
  badFrame: { code: 4400, reason: 'bad frame' },
  notAuthenticated: { code: 4401, reason: 'not authenticated' },
  forbidden: { code: 4403, reason: 'forbidden' },
  noSubscription: { code: 4408, reason: 'no subscription in time' },
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;
