import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const MAKER = {
  type: withValues('What made it.', { person: 'a person, in the dashboard', api_key: 'a request with an API key' }),
  id: 'The id of the person (`per_…`) or of the key (`key_…`).',
};

/** Who made a resource. */
export const createdBy = z.object(described(MAKER, { type: z.enum(['person', 'api_key']), id: z.string() })).nullable();

export type CreatedBy = NonNullable<z.infer<typeof createdBy>>;

/** The kinds of resources that go on working when their maker is gone. */
export const LASTING_RESOURCES = [
  'api_key',
  'webhook_endpoint',
  'provider_account',
  'payment_route',
  'payment_link',
] as const;

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The id of the resource.',
  type: withValues<(typeof LASTING_RESOURCES)[number]>('What it is.', {
    api_key: 'a live API key; revoking ends it',
    webhook_endpoint: 'an endpoint that is enabled; `active: false` disables it',
    provider_account: "an account at a provider that is active; `status: 'disabled'` disables it",
    payment_route: 'an active route; `active: false` disables it',
    payment_link: 'an active payment link; `active: false` disables it',
  }),
  name: 'What people know it by: the name, the address of an endpoint, the provider of a route, the description or amount of a link.',
  merchantId:
    'The merchant account (`mer_…`) that it belongs to; null for a route, which belongs to the whole merchant.',
  environment: 'The environment that it works in.',
};

/** GET …/created-resources */
export const listCreatedResourcesQuery = z.strictObject(pageQuery);

/** A resource that a person or a key has made, and that still stands. */
export const createdResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('created_resource'),
      type: z.enum(LASTING_RESOURCES),
      name: z.string(),
      merchantId: z.string().nullable(),
      environment: z.enum(ENVIRONMENTS),
      createdAt: responseTime,
    }),
  )
  .describe('Something that goes on working when the person or the key that made it is gone.');

export type CreatedResource = z.infer<typeof createdResource>;
