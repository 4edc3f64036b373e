/** The page of the sign-in, which loads neither React nor the rest of the dashboard before somebody can sign in. */
import { nextAddress } from '../core/addresses.ts';
import { auth, type SignInOptions } from '../core/auth.ts';
import { checkFactor, explainSignIn, SECOND_FACTORS, type SecondFactor, signInByPassword } from '../core/sign-in.ts';

const CONFIRMED = 'Your e-mail address is confirmed. Sign in now.';
const NOT_VERIFIED_ELSEWHERE =
  'That did not work: where you signed in, your e-mail address is not confirmed. Confirm it there, then try again.';
const LINK_ENDED = 'That did not work: the link has expired, or was used already. Sign in, and a new one is sent.';
/** What people read for the error codes of the sign-in with another service, and of links in mails. */
const REASONS: Readonly<Record<string, string>> = {
  email_not_verified: NOT_VERIFIED_ELSEWHERE,
  account_not_linked: NOT_VERIFIED_ELSEWHERE,
  access_denied: 'That did not work: the other service did not let you in.',
  invalid_token: LINK_ENDED,
  token_expired: LINK_ENDED,
};
const NOT_SIGNED_IN = 'That did not work. Try again.';

const query = new URLSearchParams(location.search);
const passwordForm = element('password-form', HTMLFormElement);
const codeForm = element('code-form', HTMLFormElement);
const code = element('code', HTMLInputElement);
const otherFactor = element('other-factor', HTMLButtonElement);
let factor: SecondFactor = 'totp';

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.querySelector(`#${id}`);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

function say(id: 'title' | 'intro' | 'success' | 'failure', text: string): void {
  const place = element(id, HTMLElement);
  place.textContent = text;
  place.hidden = text === '';
}

/** Sends one form at a time, and says what went wrong. */
function onSubmit(form: HTMLFormElement, submit: () => Promise<void>): void {
  const button = form.querySelector('button');
  if (button !== null) button.disabled = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button === null || button.disabled) return;
    button.disabled = true;
    say('failure', '');
    submit()
      .catch((error: unknown) => say('failure', explainSignIn(error)))
      .finally(() => {
        button.disabled = false;
      });
  });
}

function showFactor(shown: SecondFactor): void {
  factor = shown;
  const { title, intro, field, other } = SECOND_FACTORS[shown];
  document.title = `${title} – Payment engine`;
  say('title', title);
  say('intro', intro);
  say('success', '');
  for (const id of ['password-form', 'elsewhere', 'forgot', 'sign-up']) element(id, HTMLElement).hidden = true;
  codeForm.hidden = false;
  otherFactor.hidden = false;
  otherFactor.textContent = other;
  element('code-label', HTMLElement).textContent = field.label;
  code.value = '';
  code.setAttribute('autocomplete', field.autoComplete);
  code.inputMode = field.isNumeric ? 'numeric' : '';
  code.focus();
}

function enter(): void {
  location.replace(nextAddress(query, location.origin));
}

function showOptions({ openIdProvider, signUp }: SignInOptions): void {
  if (!codeForm.hidden) return;
  const elsewhere = element('elsewhere', HTMLButtonElement);
  elsewhere.hidden = openIdProvider === null;
  elsewhere.textContent = `Sign in with ${openIdProvider ?? ''}`;
  element('sign-up', HTMLElement).hidden = signUp !== 'open';
}

async function signInElsewhere(): Promise<void> {
  const { url } = await auth.signInElsewhere(nextAddress(query, location.origin));
  if (url !== undefined) location.assign(url);
}

/** Loads what every page after the sign-in needs, while the person types. The build names the files. */
function loadTheRest(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name="after-sign-in"]')?.content.split(' ') ?? [];
  for (const href of files) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', fetchPriority: 'low', href });
    document.head.append(link);
  }
}

if (query.get('verified') !== null) say('success', CONFIRMED);
const error = query.get('error');
if (error !== null) say('failure', REASONS[error.toLowerCase()] ?? NOT_SIGNED_IN);

function textIn(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}

onSubmit(passwordForm, async () => {
  const values = new FormData(passwordForm);
  // A password stays as it was typed: its blanks count wherever else it is asked for.
  const asked = await signInByPassword(textIn(values, 'email').trim(), textIn(values, 'password'));
  if (asked === null) enter();
  else showFactor(asked);
});
onSubmit(codeForm, async () => {
  await checkFactor(factor, code.value);
  enter();
});
otherFactor.addEventListener('click', () => showFactor(SECOND_FACTORS[factor].otherFactor));
element('elsewhere', HTMLButtonElement).addEventListener('click', () => {
  signInElsewhere().catch((failure: unknown) => say('failure', explainSignIn(failure)));
});
auth
  .options()
  .then(showOptions, () => undefined)
  .finally(loadTheRest);
