import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FakePayment } from './payment.ts';
import type { FakeAdyenStore } from './store.ts';

/** The issuer's page of a payment, whose reference follows. */
export const CHALLENGE_PATH = '/checkoutshopper/threeDS/redirect/';

/** Shows the issuer's page or, with the customer's decision, sends the customer back with a result that nobody can guess. */
export function answerChallenge(store: FakeAdyenStore, url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://fake.invalid');
  const payment = store.payments.get(pathname.slice(CHALLENGE_PATH.length));
  const decision = searchParams.get('decision');
  if (payment === undefined) return void response.writeHead(404).end();
  if (decision !== 'approve' && decision !== 'refuse') {
    const links = ['approve', 'refuse'].map((each) => `<p><a href="?decision=${each}">${each}</a></p>`);
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>3-D Secure</h1>${links.join('')}`);
  }
  response.writeHead(302, { location: returnUrlWith(store, payment, decision === 'approve') }).end();
}

function returnUrlWith(store: FakeAdyenStore, payment: FakePayment, isAuthenticated: boolean): string {
  const redirectResult = `X6Xtf${randomUUID()}`;
  store.redirectResults.set(redirectResult, { payment, isAuthenticated });
  const url = new URL(payment.returnUrl);
  url.searchParams.set('redirectResult', redirectResult);
  return url.href;
}
