/** The text in lines of at most `width` characters, each of which begins with `prefix`. */
export function wrapped(text: string, width: number, prefix = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(`${prefix}${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
