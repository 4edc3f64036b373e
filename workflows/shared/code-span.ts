/** A text of others as a code span of markdown. */
export function codeSpan(text: string): string {
  // A backtick would end the code span, and the text would become markdown.
  return `\`${text.replaceAll('`', "'")}\``;
}
