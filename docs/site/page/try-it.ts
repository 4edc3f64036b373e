import { element } from './dom.ts';
import { askForKey, type SandboxKey, sandboxKey } from './sandbox-key.ts';
import { newNonce, sign, signedHeaders, type SignedParts, timestampNow } from './sign.ts';

const TIMEOUT_MS = 60_000;

interface Draft {
  readonly method: string;
  readonly target: string;
  /** Headers that the reader filled in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Connects the forms of the page that send requests. */
export function startTryIt(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>('.try form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form);
    });
    form.querySelector<HTMLSelectElement>('[data-examples]')?.addEventListener('change', ({ currentTarget }) => {
      const body = form.querySelector<HTMLTextAreaElement>('[data-body]');
      if (body !== null && currentTarget instanceof HTMLSelectElement) body.value = currentTarget.value;
    });
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const missing = [...form.querySelectorAll<HTMLInputElement>('input[required]')].find(({ value }) => value === '');
  for (const input of form.querySelectorAll('input')) input.setAttribute('aria-invalid', String(input === missing));
  if (missing !== undefined) return missing.focus();
  const isSigned = form.dataset.signed !== undefined;
  const key = sandboxKey();
  if (isSigned && key === undefined) return askForKey();
  const button = form.querySelector('button');
  // A second request would show its answer before or after that of the first.
  if (button?.getAttribute('aria-busy') === 'true') return;
  button?.setAttribute('aria-busy', 'true');
  showResult(form, 'Waiting for the response …', '');
  try {
    const draft = readDraft(form);
    const headers = isSigned && key !== undefined ? await authenticate(draft, key) : draft.headers;
    await request(form, draft, headers);
  } catch (error) {
    showResult(form, `No response: ${String(error)}`, '');
  } finally {
    button?.removeAttribute('aria-busy');
  }
}

function readDraft(form: HTMLFormElement): Draft {
  const filled = [...form.querySelectorAll<HTMLInputElement>('input[data-in]')].filter(({ value }) => value !== '');
  const valuesIn = (place: string): [string, string][] =>
    filled
      .filter(({ dataset }) => dataset.in === place)
      .flatMap(({ name, value, dataset }) => (dataset.pairs === undefined ? [[name, value]] : pairsOf(name, value)));
  const path = valuesIn('path').reduce(
    (made, [name, value]) => made.replace(`{${name}}`, encodeURIComponent(value)),
    form.dataset.path ?? '',
  );
  const query = new URLSearchParams(valuesIn('query')).toString();
  return {
    method: form.dataset.method ?? 'GET',
    target: query === '' ? path : `${path}?${query}`,
    headers: Object.fromEntries(valuesIn('header')),
    body: form.querySelector<HTMLTextAreaElement>('[data-body]')?.value ?? '',
  };
}

/** `order=1042&channel=web` as one parameter for each pair: `metadata[order]=1042`. */
function pairsOf(name: string, text: string): [string, string][] {
  return text.split('&').map((pair) => {
    const [key = '', ...value] = pair.split('=');
    return [`${name}[${key.trim()}]`, value.join('=').trim()];
  });
}

async function authenticate(
  { method, target, headers, body }: Draft,
  key: SandboxKey,
): Promise<Record<string, string>> {
  const { apiKey, salt, version } = key;
  const parts: SignedParts = {
    version,
    method,
    target,
    timestamp: timestampNow(),
    nonce: newNonce(),
    account: headers['X-Merchant-ID'] ?? '',
    idempotencyKey: headers['X-Idempotency-Key'] ?? '',
    body,
    salt,
  };
  const { signature } = await sign(parts);
  return { ...headers, ...signedHeaders(parts, apiKey, signature) };
}

async function request(
  form: HTMLFormElement,
  { method, target, body }: Draft,
  headers: Record<string, string>,
): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...(body === '' ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === '' ? {} : { body }),
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const elapsedMs = Math.round(performance.now() - startedAt);
  showResult(form, `${response.status} ${response.statusText}, ${elapsedMs} ms`, indented(text));
  if (response.ok) offerId(form, text);
}

function showResult(form: HTMLFormElement, summary: string, text: string): void {
  const result = form.querySelector('.result');
  if (result === null) return;
  const parts: Element[] = [element('p', { text: summary, className: 'caption' })];
  if (text !== '') {
    const block = element('pre');
    block.tabIndex = 0;
    block.append(element('code', { text }));
    parts.push(block);
  }
  result.replaceChildren(...parts);
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Puts the id of what was created or read into the empty id fields of the page, to go on with it. */
function offerId(form: HTMLFormElement, text: string): void {
  const id = idOf(text);
  if (id === undefined) return;
  for (const input of form.ownerDocument.querySelectorAll<HTMLInputElement>('input[data-in="path"][name="id"]')) {
    if (input.value === '') input.value = id;
  }
}

function idOf(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed) || !isObject(parsed.data)) return undefined;
    return typeof parsed.data.id === 'string' ? parsed.data.id : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
