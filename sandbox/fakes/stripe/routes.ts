import { type Form, textAt } from './form.ts';
import type { Disputes } from './disputes.ts';
import { type Intent, newId } from './objects.ts';
import type { Payments } from './payments.ts';
import { pageOf, type Presenter } from './presenter.ts';
import { invalidRequest, StripeRefusal } from './refusals.ts';
import type { StoredEvent } from './webhooks.ts';

/** The account that requests are made to. */
export interface FakeAccount {
  readonly payments: Payments;
  readonly disputes: Disputes;
  readonly presenter: Presenter;
  /** The newest first. */
  readonly events: () => readonly StoredEvent[];
  /** Whether Stripe lets the account send card numbers. */
  acceptsCardNumbers: boolean;
  /** Whether the key may read events. */
  mayReadEvents: boolean;
}

interface RouteCall {
  /** The id in the path; empty without one. */
  readonly id: string;
  readonly form: Form;
}

type Route = (account: FakeAccount, call: RouteCall) => object;

/** By method and path; the values of `:id` are in the call. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['POST payment_methods', createMethod],
  ['GET payment_methods/:id', ({ payments }, { id }) => payments.findMethod(id)],
  ['POST payment_methods/:id/detach', ({ payments }, { id }) => payments.detachMethod(id)],
  ['POST customers', ({ payments }, { form }) => payments.createCustomer(form)],
  ['POST tokens', ({ payments }) => payments.createCvcToken()],
  ['POST payment_intents', (account, { form }) => present(account, account.payments.createIntent(form), form)],
  [
    'GET payment_intents',
    (account, { form }) => pageOf(account.payments.list(form), form, (intent) => present(account, intent, form)),
  ],
  ['GET payment_intents/:id', (account, { id, form }) => present(account, account.payments.find(id), form)],
  [
    'POST payment_intents/:id/confirm',
    (account, { id, form }) => present(account, account.payments.confirm(id, form), form),
  ],
  [
    'POST payment_intents/:id/capture',
    (account, { id, form }) => present(account, account.payments.capture(id, form), form),
  ],
  ['POST payment_intents/:id/cancel', (account, { id, form }) => present(account, account.payments.cancel(id), form)],
  ['GET events', (account, { form }) => pageOf(eventsIn(account, form), form, (event) => event)],
  ['GET disputes/:id', ({ disputes }, { id }) => disputes.find(id)],
  ['GET disputes', ({ disputes }, { form }) => pageOf(disputes.list(form), form, (dispute) => dispute)],
  ['POST disputes/:id', ({ disputes }, { id, form }) => disputes.update(id, form)],
  ['POST disputes/:id/close', ({ disputes }, { id }) => disputes.close(id)],
  // The fake pays nothing out.
  ['GET payouts', (_, { form }) => pageOf([], form, (payout) => payout)],
  ['GET balance_transactions', (_, { form }) => pageOf([], form, (transaction) => transaction)],
  ['POST files', (_, { form }) => createFile(form)],
  ['POST refunds', ({ payments }, { form }) => payments.createRefund(form)],
  [
    'GET refunds',
    ({ payments }, { form }) => pageOf(payments.refundsOf(textAt(form, 'payment_intent')), form, (refund) => refund),
  ],
]);

/** Does what a request asks for. @throws StripeRefusal */
export function callRoute(account: FakeAccount, method: string, path: string, form: Form): object {
  const [, , resource = '', id = '', action = ''] = path.split('/');
  const name = `${method} ${resource}${id === '' ? '' : '/:id'}${action === '' ? '' : `/${action}`}`;
  const route = ROUTES.get(name);
  if (route === undefined)
    throw new StripeRefusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${name})` });
  return route(account, { id, form });
}

function eventsIn({ events, mayReadEvents }: FakeAccount, form: Form): readonly StoredEvent[] {
  if (!mayReadEvents)
    throw new StripeRefusal(403, { type: 'invalid_request_error', message: 'No right to read events.' });
  const [from, to] = [Number(textAt(form, 'created', 'gte') ?? 0), Number(textAt(form, 'created', 'lte') ?? Infinity)];
  const isAsked = (type: string) => textAt(form, 'types', '0') === undefined || hasType(form, type);
  return events().filter(({ created, type }) => created >= from && created <= to && isAsked(type));
}

/** Stripe takes up to twenty types. */
const MAXIMUM_TYPES = 20;

function hasType(form: Form, type: string): boolean {
  return Array.from({ length: MAXIMUM_TYPES }, (_, place) => textAt(form, 'types', String(place))).includes(type);
}

function createFile(form: Form): object {
  if (textAt(form, 'purpose') !== 'dispute_evidence' || textAt(form, 'file') === undefined)
    throw invalidRequest('parameter_missing', 400, 'file');
  return { id: newId('file'), object: 'file', purpose: 'dispute_evidence' };
}

function createMethod({ payments, acceptsCardNumbers }: FakeAccount, { form }: RouteCall): object {
  if (acceptsCardNumbers) return payments.createMethod(form);
  throw new StripeRefusal(402, { type: 'invalid_request_error', message: 'Sending card numbers is unsafe.' });
}

function present({ presenter, payments }: FakeAccount, intent: Intent, form: Form): object {
  return presenter.forResponse(intent, form, payments);
}
