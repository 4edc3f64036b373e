/** A text of others as a code span of markdown, which a backtick or an empty line would end. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}
