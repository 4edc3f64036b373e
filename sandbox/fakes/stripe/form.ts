/** A form as Stripe nests it. */
export interface Form {
  readonly [name: string]: string | Form;
}

/** Reads `card[number]=4242&expand[0]=latest_charge`. */
export function decodeForm(text: string): Form {
  const form: MutableForm = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop() ?? '';
    let target = form;
    for (const part of path) target = descend(target, part);
    target[last] = value;
  }
  return form;
}

interface MutableForm {
  [name: string]: string | MutableForm;
}

function descend(form: MutableForm, part: string): MutableForm {
  const known = form[part];
  if (typeof known === 'object') return known;
  const created: MutableForm = {};
  form[part] = created;
  return created;
}

/** The text at a path; undefined where there is none. */
export function textAt(form: Form, ...path: readonly string[]): string | undefined {
  let value: string | Form | undefined = form;
  for (const part of path) value = typeof value === 'object' ? value[part] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** A flat member, such as the metadata. */
export function recordAt(form: Form, name: string): Record<string, string> {
  const value = form[name];
  const entries = typeof value === 'object' ? Object.entries(value) : [];
  return Object.fromEntries(entries.flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : [])));
}
