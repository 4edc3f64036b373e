/** The merchant's own identifier for support staff, as a line of a markdown list; no line where there is none. */
export function referenceLine(reference: string | null | undefined): readonly string[] {
  // A backtick would end the code span, and the merchant's text would become markdown.
  return reference == null ? [] : [`- Reference: \`${reference.replaceAll('`', "'")}\`.`];
}
