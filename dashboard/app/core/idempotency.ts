import { useRef } from 'react';

/** The idempotency key for what is sent. */
export type KeyFor = (content: unknown) => string;

/** Keys of one form or confirmation: whatever is tried again with the same content has the same key. */
export function useIdempotencyKeys(): KeyFor {
  const keys = useRef(new Map<string, string>());
  return (content) => {
    const text = JSON.stringify(content);
    const key = keys.current.get(text) ?? crypto.randomUUID();
    keys.current.set(text, key);
    return key;
  };
}
