import { find, valueOf } from './dom.ts';
import { newNonce, sign, type SignatureSteps, signedHeaders, type SignedParts, timestampNow } from './sign.ts';

/** Fills the steps of the calculator, now and at each input. Does nothing on other pages. */
export function startCalculator(): void {
  const form = find('calculator', HTMLFormElement);
  if (form === undefined) return;
  let latest = 0;
  const update = async () => {
    const run = ++latest;
    const parts = readParts(form);
    const steps = await sign(parts).catch(() => null);
    if (run !== latest) return;
    if (steps === null)
      return show({ string: 'This browser signs only on pages that come by HTTPS or from this machine.' });
    show(describe(parts, valueOf(form, 'apiKey'), steps));
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => void update());
  find('calculator-now', HTMLButtonElement)?.addEventListener('click', () => {
    set('timestamp', timestampNow());
    set('nonce', newNonce());
    void update();
  });
  void update();
}

function set(name: string, value: string): void {
  const input = find(`calculator-${name}`, HTMLInputElement);
  if (input !== undefined) input.value = value;
}

function readParts(form: HTMLFormElement): SignedParts {
  const value = (name: string) => valueOf(form, name);
  return {
    version: value('version') === '1' ? 1 : 2,
    method: value('method'),
    target: value('target'),
    timestamp: value('timestamp'),
    nonce: value('nonce'),
    account: value('account'),
    idempotencyKey: value('idempotencyKey'),
    // Forms send line ends as CR LF; a request has what was typed.
    body: value('body').replaceAll('\r\n', '\n'),
    salt: value('salt'),
  };
}

function describe(parts: SignedParts, apiKey: string, steps: SignatureSteps): Record<string, string> {
  const headers = Object.entries(signedHeaders(parts, apiKey, steps.signature));
  return {
    'body-hash': steps.bodyHash,
    string: steps.stringToSign.replaceAll('\n', '↵\n'),
    'string-hash': steps.stringHash,
    signature: steps.signature,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    curl: curlOf(parts, headers),
  };
}

function curlOf({ method, target, body }: SignedParts, headers: readonly (readonly [string, string])[]): string {
  const sent = body === '' ? headers : [...headers, ['Content-Type', 'application/json'] as const];
  return [
    `curl -X ${method} ${quoted(location.origin + target)}`,
    ...sent.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`  --data-binary ${quoted(body)}`]),
  ].join(' \\\n');
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function show(texts: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(texts)) {
    const target = document.getElementById(`calculator-${id}`);
    if (target !== null) target.textContent = text;
  }
}
