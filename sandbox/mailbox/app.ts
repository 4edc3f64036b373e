import express, { type Express } from 'express';
import { requireLocalHost } from '../require-local-host.ts';
import type { Mailbox, ReceivedMail } from './mailbox.ts';
import { escapeHtml } from '../escape-html.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; }
article { border: 1px solid #8888; border-radius: .5rem; margin: 1rem 0; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
h2 { font-size: 1.1rem; } p { opacity: .8; }`;

/** The page with the mails, newest first, and the same as JSON: `GET /mails?to=address`. */
export function createMailboxApp(mailbox: Mailbox, host: string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(
    requireLocalHost({
      hosts: [host],
      refuse: (response, status, message) => void response.status(status).json({ message }),
    }),
  );
  app.use((_request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  });
  app.get('/', (_request, response) => void response.type('html').send(pageOf(mailbox.list())));
  app.get('/mails', (request, response) => {
    const { to } = request.query;
    response.json({ data: mailbox.list().filter((mail) => typeof to !== 'string' || mail.to.includes(to)) });
  });
  return app;
}

function pageOf(mails: readonly ReceivedMail[]): string {
  const list =
    mails.length === 0 ? '<p>No mail yet. Reload the page after a sign-up.</p>' : mails.map(articleOf).join('');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Mailbox of the sandbox</title><style>${STYLE}</style></head><body><main><h1>Mailbox of the sandbox</h1>` +
    `<p>What the engine would send by e-mail. Nothing leaves this machine.</p>${list}</main></body></html>`
  );
}

function articleOf({ subject, to, receivedAt, text }: ReceivedMail): string {
  const about = `To ${to.join(', ')}, ${receivedAt}`;
  return `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(about)}</p><pre>${withLinks(text)}</pre></article>`;
}

function withLinks(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`);
}
