/** The element of that class with the id, or undefined where the page has none. */
export function find<Kind extends Element>(id: string, kind: new () => Kind): Kind | undefined {
  const found = document.getElementById(id);
  return found instanceof kind ? found : undefined;
}

/** A new element with a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { text = '', className = '' }: { readonly text?: string; readonly className?: string } = {},
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}

/** The value of a form's field. */
export function valueOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
