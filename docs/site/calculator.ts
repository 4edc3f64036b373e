import { html, type Markup } from './html.ts';

/** The request that docs/api.md signs as its example. */
const EXAMPLE = {
  method: 'POST',
  target: '/api/v1/refunds',
  timestamp: '2026-11-22T12:00:00Z',
  nonce: '7f1d3c526b0e4c839a512f0e8d4b6a97',
  idempotencyKey: 'refund-1042',
  salt: 'salt-of-the-example',
  body: '{"paymentIntentId": "pi_0197f3c29a4b7d1e8c5f60718293a4b5", "amount": 500}',
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The form of the calculator. The page's script fills the steps. */
export function renderCalculator(): Markup {
  return html`
    <p>
      Your browser computes everything on this page. Nothing is sent, nothing is stored, and the values are gone when
      you leave the site. Use a sandbox key all the same: a production salt belongs on your server alone.
    </p>
    <p class="note needs-no-script">The calculator needs JavaScript.</p>
    <form id="calculator" class="calculator" novalidate>
      <fieldset class="choice">
        <legend>Signature version</legend>
        <label><input type="radio" name="version" value="1" /> Version 1</label>
        <label><input type="radio" name="version" value="2" checked /> Version 2</label>
      </fieldset>
      <div class="fields">
        ${field('salt', 'Secret salt', EXAMPLE.salt)} ${field('apiKey', 'API key (for the headers)', 'svc_test_…')}
        <div class="field">
          <label for="calculator-method">Method</label>
          <select id="calculator-method" name="method">
            ${METHODS.map((method) => html`<option${method === EXAMPLE.method && html` selected`}>${method}</option>`)}
          </select>
        </div>
        ${field('target', 'Path and query', EXAMPLE.target)} ${field('timestamp', 'X-Timestamp', EXAMPLE.timestamp)}
        ${field('nonce', 'X-Nonce (version 2)', EXAMPLE.nonce)} ${field('account', 'X-Merchant-ID (optional)', '')}
        ${field('idempotencyKey', 'X-Idempotency-Key (optional)', EXAMPLE.idempotencyKey)}
      </div>
      <div class="field">
        <label for="calculator-body">Body, exactly as it is sent</label>
        <textarea id="calculator-body" name="body" rows="4" spellcheck="false">${EXAMPLE.body}</textarea>
      </div>
      <button type="button" id="calculator-now" class="secondary">Use the time now and a new nonce</button>
    </form>
    <div id="calculator-steps" class="steps needs-script">
      ${step('body-hash', 'SHA-256 of the body, in hex', 'Line 8 of the string to sign. Version 1 does not need it.')}
      ${step('string', 'The string to sign', '↵ marks a line feed. There is none at the end.')}
      ${step('string-hash', 'SHA-256 of the string to sign', 'It is not sent. Compare it with that of your own string: if they differ, the strings do.')}
      ${step('signature', 'HMAC-SHA256 of the string, keyed with the salt, in hex', 'This is the signature.')}
      ${step('headers', 'The headers', '')}
      ${step('curl', 'The request, ready to send', 'The server takes it for 5 minutes from X-Timestamp.')}
    </div>
  `;
}

function field(name: keyof typeof EXAMPLE | 'apiKey' | 'account', label: string, value: string): Markup {
  return html`<div class="field">
    <label for="calculator-${name}">${label}</label>
    <input id="calculator-${name}" name="${name}" value="${value}" autocomplete="off" spellcheck="false" />
  </div>`;
}

function step(id: string, title: string, note: string): Markup {
  return html`<section aria-labelledby="step-${id}">
    <h2 id="step-${id}">${title}</h2>
    ${note !== '' && html`<p>${note}</p>`}
    <pre tabindex="0"><code id="calculator-${id}"></code></pre>
  </section>`;
}
