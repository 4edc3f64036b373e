import { z } from 'zod';

/** A credential that is sent in an HTTP header: visible ASCII characters, which every client can send. */
export function headerText(maximumLength: number) {
  const message = `Expected 1 to ${maximumLength} visible ASCII characters, without spaces; got another text.`;
  return z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${maximumLength}}$`), message);
}
