import { RequestError } from './request.ts';

/** Sends something with the idempotency key for its content. */
export type WithKey = <Result>(content: unknown, send: (key: string) => Promise<Result>) => Promise<Result>;

/** The statuses of refusals that the API stores, and would replay for the same key, though another try may now succeed. */
const STORED_STATUSES = [400, 404, 409];

/** The keys of one form or confirmation: whatever is tried again with the same content has the same key, unless the API has refused it. */
export function createIdempotencyKeys(): WithKey {
  const keys = new Map<string, string>();
  return async (content, send) => {
    const text = JSON.stringify(content);
    const key = keys.get(text) ?? crypto.randomUUID();
    keys.set(text, key);
    try {
      return await send(key);
    } catch (error) {
      if (isStoredRefusal(error)) keys.delete(text);
      throw error;
    }
  };
}

/** A duplicate is none: the first try may still be under way. */
function isStoredRefusal(error: unknown): boolean {
  return error instanceof RequestError && STORED_STATUSES.includes(error.status) && error.code !== 'DUPLICATE_REQUEST';
}
