import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, text } from './common.ts';
import { createdBy } from './created-by.ts';
import { COMMON_MEMBERS, CREATED_BY, described, withValues } from './descriptions.ts';
import {
  createPaymentRouteBodyAmong,
  routeContents,
  ROUTES_OF_SET,
  sharedRouteContents,
  updatePaymentRouteBodyAmong,
} from './payment-route.ts';

/** Routes that one set creates, changes or deletes: as many as a merchant has. */
const MAXIMUM_CHANGES = 500;

const CHANGES = ['created', 'updated', 'deleted'] as const;

const MEMBERS = {
  ...COMMON_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the set, which begins with `rset_`.',
  description: 'What people know the set by, such as `80 % to beta`; null for nothing.',
  create: `Routes that the set has besides yours, at most ${MAXIMUM_CHANGES}.`,
  update: 'Routes of yours that the set has in another form; members that are left out stay as they are now.',
  delete: 'The ids of routes of yours that the set does not have.',
  routeCount: 'How many routes the set has.',
  routesVersion: 'A name for exactly these routes: two sets with the same routes have the same.',
  isActive: 'Whether payments take exactly these routes now.',
  activatedAt: 'When the set was last activated; null if it never was.',
  replacedSetId:
    'The id of the set with the routes from before its last activation: activate that one to return to them. Null if it was never activated.',
  routes: 'All routes of the set, in the order in which they are tried.',
  currentRoutesVersion:
    'The `routesVersion` of the routes that payments take now, with which `changes` compares. Send it to `/activate`, so that the activation ' +
    'is refused if somebody has changed a route meanwhile.',
  changes: 'What its activation would change in the routes that payments take now; empty if nothing.',
  change: withValues<(typeof CHANGES)[number]>('What would become of the route.', {
    created: 'it would be added',
    updated: 'it would be changed',
    deleted: 'it would be taken away',
  }),
  routeId: 'The id of the payment route (`rt_…`).',
  before: 'The route as it is now; null if it would be added.',
  after: 'The route as the set has it; null if it would be taken away.',
};

const description = text(200).min(1).nullable().default(null);
const updated = z
  .strictObject(ROUTES_OF_SET.updated)
  .meta({ id: 'RouteSetUpdate', description: 'A route of yours, and what the set changes in it.' });
const created = z
  .strictObject(ROUTES_OF_SET.created)
  .meta({ id: 'RouteSetCreation', description: 'A route that the set adds.' });
const deleted = z.array(text(100).min(1)).max(MAXIMUM_CHANGES).default([]);

/** POST /route-sets */
export const createRouteSetBody = z
  .strictObject(
    described(MEMBERS, {
      description,
      create: z.array(created).max(MAXIMUM_CHANGES).default([]),
      update: z.array(updated).max(MAXIMUM_CHANGES).default([]),
      delete: deleted,
    }),
  )
  .describe('Changes of several routes, which apply together once the set is activated.');

export type CreateRouteSet = z.output<typeof createRouteSetBody>;

/** The same where only these providers can be had. */
export function createRouteSetBodyAmong(providers: readonly string[]) {
  return createRouteSetBody.extend({
    create: z
      .array(created.extend({ provider: createPaymentRouteBodyAmong(providers).shape.provider }))
      .max(MAXIMUM_CHANGES)
      .default([]),
    update: z
      .array(updated.extend({ provider: updatePaymentRouteBodyAmong(providers).shape.provider }))
      .max(MAXIMUM_CHANGES)
      .default([]),
  });
}

/** POST /route-sets/{id}/activate */
export const activateRouteSetBody = z
  .strictObject({
    currentRoutesVersion: text(100)
      .optional()
      .describe('The routes that you expect to replace, by the `currentRoutesVersion` of the set; left out for any.'),
  })
  .describe('Which routes you expect to replace.');

const BACK_TEST = { days: { default: 7, maximum: 30 }, payments: { default: 1_000, maximum: 2_000 } } as const;

const BACK_TEST_MEMBERS = {
  ...COMMON_MEMBERS,
  days: `The payments of how many days until now; 1 to ${BACK_TEST.days.maximum}.`,
  limit: `How many payments at most, the newest; 1 to ${BACK_TEST.payments.maximum.toLocaleString('en-US')}.`,
  routeSetId: 'The id of the set (`rset_…`).',
  from: 'The beginning of the range.',
  to: 'The end of the range.',
  payments: 'How many payments of the account were planned again.',
  isComplete:
    'Whether these are all attempted payments of the range: false where the limit, or 5 seconds, ended the test before.',
  approved: 'How many first attempts of these payments were approved.',
  expectedApproved:
    'How many would be expected under the set: a payment that stays at its provider counts as it ended, one that moves counts by the approval rate ' +
    'of its new provider.',
  unrated: 'Payments that would move to a provider whose rate is not known; they are not in `expectedApproved`.',
  providers: 'The providers of both, with the most payments under the set first.',
  provider: 'The provider.',
  actualPayments: 'How many payments went to it first.',
  proposedPayments: 'How many would go to it first.',
  approvalRate:
    'Of its first attempts among these payments, how many were approved, from 0 to 1, without declines for want of money or for wrong data; null below 10.',
  attempts: 'How many attempts were measured for it.',
  moves: 'Payments that would go elsewhere, the most first.',
  refusals: 'Payments that no route of the set would take, by the error of their confirm.',
  code: 'The error code.',
};

/** POST /route-sets/{id}/back-test */
export const backTestRouteSetBody = z
  .strictObject(
    described(BACK_TEST_MEMBERS, {
      days: z.int().min(1).max(BACK_TEST.days.maximum).default(BACK_TEST.days.default),
      limit: z.int().min(1).max(BACK_TEST.payments.maximum).default(BACK_TEST.payments.default),
    }),
  )
  .describe('Which payments to plan again.');

export type BackTestRouteSet = z.output<typeof backTestRouteSetBody>;

/** The result of a back-test. */
export const routeBackTestResource = z
  .object(
    described(BACK_TEST_MEMBERS, {
      object: z.literal('route_back_test'),
      routeSetId: z.string(),
      from: responseTime,
      to: responseTime,
      payments: z.int(),
      isComplete: z.boolean(),
      approved: z.int(),
      expectedApproved: z.number(),
      unrated: z.int(),
      providers: z.array(
        z.object(
          described(BACK_TEST_MEMBERS, {
            provider: z.string(),
            actualPayments: z.int(),
            proposedPayments: z.int(),
            approvalRate: z.number().nullable(),
            attempts: z.int(),
          }),
        ),
      ),
      moves: z.array(
        z.object({
          from: z.string().describe('The provider to which they went.'),
          to: z.string().describe('The provider to which they would go.'),
          payments: z.int().describe('How many payments would move so.'),
        }),
      ),
      refusals: z.array(
        z.object({
          code: z.string().describe(BACK_TEST_MEMBERS.code),
          payments: z.int().describe('How many payments that would be.'),
        }),
      ),
    }),
  )
  .describe('Where the payments of the last days would have gone under a set of routes.');

export type RouteBackTest = z.infer<typeof routeBackTestResource>;

/** GET /route-sets */
export const listRouteSetsQuery = z.strictObject(pageQuery);

export type ListRouteSets = z.output<typeof listRouteSetsQuery>;

/** The set in lists, without its routes. */
export const routeSetSummary = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('route_set'),
      environment: z.enum(ENVIRONMENTS),
      description: z.string().nullable(),
      routeCount: z.int(),
      routesVersion: z.string(),
      isActive: z.boolean(),
      activatedAt: responseTime.nullable(),
      replacedSetId: z.string().nullable(),
      createdBy,
      createdAt: responseTime,
    }),
  )
  .describe('All routes of a merchant at one time, without the routes themselves.');

export type RouteSetSummary = z.infer<typeof routeSetSummary>;

/** The set in every other response. */
export const routeSetResource = routeSetSummary
  .extend(
    described(MEMBERS, {
      routes: z.array(sharedRouteContents),
      currentRoutesVersion: z.string(),
      changes: z.array(
        z.object(
          described(MEMBERS, {
            routeId: z.string(),
            change: z.enum(CHANGES),
            before: routeContents.nullable(),
            after: routeContents.nullable(),
          }),
        ),
      ),
    }),
  )
  .describe('All routes of a merchant at one time.');

export type RouteSetResource = z.infer<typeof routeSetResource>;
export type RouteSetChange = RouteSetResource['changes'][number];
