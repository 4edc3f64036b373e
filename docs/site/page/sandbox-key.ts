import { find, valueOf } from './dom.ts';

export interface SandboxKey {
  readonly apiKey: string;
  readonly salt: string;
  readonly version: 1 | 2;
}

/** In the memory of the page only: a reload forgets it. */
let current: SandboxKey | undefined;

export function sandboxKey(): SandboxKey | undefined {
  return current;
}

/** Opens the dialog that asks for the key. */
export function askForKey(): void {
  find('key', HTMLDialogElement)?.showModal();
}

/** Connects the dialog and its button. */
export function startKeyDialog(): void {
  const dialog = find('key', HTMLDialogElement);
  const form = find('key-form', HTMLFormElement);
  if (dialog === undefined || form === undefined) return;
  find('key-open', HTMLButtonElement)?.addEventListener('click', askForKey);
  find('key-close', HTMLButtonElement)?.addEventListener('click', () => dialog.close());
  find('key-forget', HTMLButtonElement)?.addEventListener('click', () => {
    current = undefined;
    form.reset();
    showState();
    dialog.close();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = readKey(form);
    const problem = problemOf(given);
    const message = document.getElementById('key-problem');
    if (message !== null) message.textContent = problem ?? '';
    if (problem !== undefined) return;
    current = given;
    showState();
    dialog.close();
  });
}

function readKey(form: HTMLFormElement): SandboxKey {
  return {
    apiKey: find('key-api-key', HTMLInputElement)?.value.trim() ?? '',
    salt: find('key-salt', HTMLInputElement)?.value.trim() ?? '',
    version: valueOf(form, 'key-version') === '2' ? 2 : 1,
  };
}

function problemOf({ apiKey, salt }: SandboxKey): string | undefined {
  if (apiKey.startsWith('svc_live_'))
    return 'This is a production key. Use it on your server only; try requests with a sandbox key.';
  if (!apiKey.startsWith('svc_test_')) return 'A sandbox key begins with svc_test_.';
  if (salt === '') return 'The secret salt is missing.';
  return globalThis.isSecureContext
    ? undefined
    : 'This browser signs only on pages that come by HTTPS or from this machine.';
}

function showState(): void {
  const button = find('key-open', HTMLButtonElement);
  if (button !== undefined) button.textContent = current === undefined ? 'Sandbox key' : 'Sandbox key ✓';
}
