/** Markup that may go into a page as it is. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A template of markup: texts in it are escaped, markup is not, and lists are joined. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => `${part}${textOf(contents[index])}`).join(''));
}

/** A long code, which may be broken after its underscores. */
export function breakable(code: string): Content {
  return code.split('_').map((part, index) => [index > 0 && html`_<wbr />`, part]);
}

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escapeHtml(String(content));
}
