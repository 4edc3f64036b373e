import { codeSpan } from './code-span.ts';

/** The merchant's own identifier for support staff, as a line of a markdown list; no line where there is none. */
export function referenceLine(reference: string | null | undefined): readonly string[] {
  return reference == null ? [] : [`- Reference: ${codeSpan(reference)}.`];
}
