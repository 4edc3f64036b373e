import type { z } from 'zod';
import type { Environment } from '../../domain/payment.ts';

type Shape = Readonly<Record<string, z.ZodType>>;
type DescriptionsOf<Members extends Shape> = Readonly<Record<Extract<keyof Members, string>, string>>;

/**
 * Describes each member of an object by its name, so that requests and responses can share one table. A member without a
 * description does not compile. A member that is a component of the document keeps the component's own description.
 */
export function described<Members extends Shape>(
  descriptions: DescriptionsOf<NoInfer<Members>>,
  members: Members,
): Members {
  const texts: Readonly<Record<string, string>> = descriptions;
  const entries = Object.entries(members).map(([name, schema]) => {
    const description = texts[name];
    const isComponent = schema.meta()?.id !== undefined;
    return [name, isComponent || description === undefined ? schema : schema.describe(description)];
  });
  return Object.fromEntries(entries) as Members;
}

/** A description with a list of values and their meanings, in markdown. */
export function withValues<Value extends string>(text: string, meanings: Readonly<Record<Value, string>>): string {
  const lines = Object.entries<string>(meanings).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  return `${text}\n\n${lines.join('\n')}`;
}

const ENVIRONMENT_MEANINGS: Readonly<Record<Environment, string>> = {
  sandbox: 'simulated providers, no real money; keys begin with `svc_test_`',
  production: 'real providers and real money; keys begin with `svc_live_`',
};

/** Members that mean the same in every resource. */
export const COMMON_MEMBERS = {
  object: 'The type of the object; always this value.',
  merchantId: 'The id of the merchant account (`mer_…`) that owns it.',
  environment: withValues('The environment of the API key it was created with.', ENVIRONMENT_MEANINGS),
  createdAt: 'When it was created; ISO 8601 in UTC, with milliseconds.',
  updatedAt: 'When it last changed; ISO 8601 in UTC, with milliseconds.',
  workflowUrl:
    'The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.',
  deleted: 'Always true: it no longer exists.',
} as const;

/** The member of resources that go on working when their maker is gone. */
export const CREATED_BY =
  'Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.';

/** Members of the queries of lists. */
export const LIST_MEMBERS = {
  page:
    'The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to ' +
    'read a whole list, use `startingAfter` instead.',
  limit: 'How many elements a page has, from 1 to 100.',
  startingAfter:
    'The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole ' +
    'list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to ' +
    'other elements meanwhile makes none be left out or returned twice. Not together with `page`.',
  amountMin: "Selects amounts from this one on, in the currency's minor unit.",
  amountMax: "Selects amounts up to and including this one, in the currency's minor unit.",
  createdFrom:
    'Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO ' +
    '8601 with a zone, such as `2026-11-01T00:00:00Z`.',
  createdAfter:
    'Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.',
  createdBefore:
    'Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.',
} as const;

/** An identifier that merchants give to a resource. */
export const REFERENCE =
  'Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null ' +
  'without one. It need not be unique. Put no personal data in it; card numbers are refused.';

/** A list of pairs that merchants attach to a resource. */
export const METADATA =
  'Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to ' +
  '1,000. Card numbers are refused.';
