/** The element of that id. @throws Error when the page has none, which is a mistake in it */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** A new element with text or elements in it; text is never read as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

/** Shows a button that does something when it is pressed. */
export function button(label: string, onPress: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', class: 'second' }, label);
  made.addEventListener('click', onPress);
  return made;
}

/** A list of names and values. */
export function factList(facts: readonly (readonly [name: string, value: string])[]): HTMLDListElement {
  return make(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}
