import { createHash } from 'node:crypto';
import { formatMoney } from '../../domain/money.ts';
import type { Payment } from './records.ts';
import { escapeHtml } from '../escape-html.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #eef1f6; color: #17202e; }
main { box-sizing: border-box; width: min(26rem, 100% - 2rem); margin: 1rem; padding: 2rem; border-radius: 1rem;
  background: #fff; box-shadow: 0 .5rem 2rem rgb(20 30 60 / .12); }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; }
.amount { margin: 0 0 1rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button { min-height: 3rem; padding: .5rem 1rem; border: 2px solid #1d4ed8; border-radius: .5rem; font: inherit;
  font-weight: 600; cursor: pointer; background: #1d4ed8; color: #fff; }
button.second { background: transparent; color: #1e40af; }
button:focus-visible { outline: 3px solid #b45309; outline-offset: 3px; }
.hint { margin: 1.5rem 0 0; font-size: .875rem; color: #4a5568; }
@media (prefers-color-scheme: dark) {
  body { background: #10151f; color: #e8edf5; }
  main { background: #1a2230; box-shadow: none; }
  button.second { border-color: #93b4ff; color: #b9ceff; }
  button:focus-visible { outline-color: #fbbf24; }
  .hint { color: #aab6c8; }
}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Allows the pages their own style and their own form. Browsers apply `form-action` to the redirect after a form as well,
 * so the return URL's origin is included.
 */
export function contentSecurityPolicy(returnUrl: URL | null): string {
  const formTargets = returnUrl === null ? "'self'" : `'self' ${returnUrl.origin}`;
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Asks the customer of the sandbox to approve or refuse. */
export function challengePage(payment: Payment): string {
  return page(
    'Confirm your payment',
    `<p class="amount">${escapeHtml(formatMoney(payment.amount, payment.currency))}</p>
      <p>Your bank asks you to confirm this card payment.</p>
      <form method="post">
        <button type="submit" name="decision" value="approve">Approve</button>
        <button type="submit" name="decision" value="refuse" class="second">Refuse</button>
      </form>
      <p class="hint">This is a test page. No real money moves.</p>`,
  );
}

/** A page without a form, for a payment that is unknown or already decided. */
export function closingPage(heading: string, text: string): string {
  return page(heading, `<p role="status">${escapeHtml(text)}</p>`);
}

function page(heading: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(heading)}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(heading)}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}
