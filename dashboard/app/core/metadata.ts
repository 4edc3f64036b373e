/** `order=1042&channel=web` as pairs; a name without a value looks for an empty one. */
export function pairsIn(text: string): Readonly<Record<string, string>> {
  const parts = text.split('&').map((part) => part.trim());
  return Object.fromEntries(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.indexOf('=');
        return at === -1 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      }),
  );
}
