import { RequestError } from './request.ts';

/** Calls `send` with the idempotency key of a content. */
export type WithKey = <Result>(content: unknown, send: (key: string) => Promise<Result>) => Promise<Result>;

/** The API stores errors with these statuses and replays them for the same key, even if another try would succeed. */
const STORED_STATUSES = [400, 404, 409];

/** The keys of one form or confirmation. A retry with the same content has the same key, unless the API has refused the content. */
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

/** A duplicate request is no refusal: the first try may still be under way. */
function isStoredRefusal(error: unknown): boolean {
  return error instanceof RequestError && STORED_STATUSES.includes(error.status) && error.code !== 'DUPLICATE_REQUEST';
}
