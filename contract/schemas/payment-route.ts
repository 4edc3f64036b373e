import { z } from 'zod';
import { CRYPTO_ASSET_CODES, CRYPTO_NETWORKS } from '../../domain/crypto-assets.ts';
import { SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';
import { CAPTURE_METHODS, ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { INITIATORS, ROUTED_CARD_BRANDS } from '../../domain/route-conditions.ts';
import { SKIP_REASONS } from '../../domain/routing.ts';
import {
  amount,
  COUNTRIES,
  country,
  currency,
  customerId,
  deletedResource,
  metadata,
  nullableCountry,
  pageQuery,
  refinement,
  responseTime,
  text,
} from './common.ts';
import { createdBy } from './created-by.ts';
import { COMMON_MEMBERS, CREATED_BY, described, withValues } from './descriptions.ts';

/** Pairs of metadata that a route may ask for. */
const MAXIMUM_ROUTED_PAIRS = 5;
/** Groups of cards that a route may ask for. */
const MAXIMUM_ROUTED_GROUPS = 20;
const MAXIMUM_PRIORITY = 1_000_000;
const MAXIMUM_WEIGHT = 1_000;

const provider = text(64).min(1);
const paymentMethod = z.enum(PAYMENT_METHOD_TYPES);
const captureMethod = z.enum(CAPTURE_METHODS);
const currencies = z.array(currency).max(SUPPORTED_CURRENCIES.length);
const countries = z.array(country).max(COUNTRIES.length);
const priority = z.int().min(0).max(MAXIMUM_PRIORITY);
const weight = z.int().min(1).max(MAXIMUM_WEIGHT);

const cardBrands = z.array(z.enum(ROUTED_CARD_BRANDS)).max(ROUTED_CARD_BRANDS.length);
const cardGroups = z.array(text(100).min(1)).max(MAXIMUM_ROUTED_GROUPS);
const routedMetadata = metadata.refine(
  (pairs) => Object.keys(pairs).length <= MAXIMUM_ROUTED_PAIRS,
  refinement({
    fieldCode: 'too_long',
    message: `Expected at most ${MAXIMUM_ROUTED_PAIRS} pairs; got more. Leave some out, or use several routes.`,
  }),
);
const captureMethods = z.array(captureMethod).max(CAPTURE_METHODS.length);
const initiators = z.array(z.enum(INITIATORS)).max(INITIATORS.length);

const CONDITION_MEMBERS = {
  amountMin:
    "The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.",
  amountMax:
    "The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.",
  cardBrands:
    'The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.',
  cardGroups:
    'The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its ' +
    'number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.',
  metadata:
    'Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.',
  captureMethods: 'The capture methods that the route accepts, `automatic` or `manual`; empty for both.',
  initiators: withValues<(typeof INITIATORS)[number]>(
    'Who initiates the payments that the route accepts; empty for both.',
    {
      customer: 'the customer, who is present',
      merchant: 'the merchant, without the customer (off-session)',
    },
  ),
};

const MEMBERS = {
  ...COMMON_MEMBERS,
  ...CONDITION_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the payment route, which begins with `rt_`.',
  provider:
    'The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).',
  paymentMethod: 'The payment method that takes the route: `card`, `upi` or `crypto`.',
  currencies: 'The currencies that the route accepts, as ISO 4217 codes; empty for every currency.',
  countries: "The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.",
  excludedCountries: "Customers' countries that the route does not accept, although `countries` would.",
  priority: `The place of the route: lower numbers are tried first; 0 to 1,000,000.`,
  weight:
    'Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.',
  sharePercent:
    'The share of payments that try the route first, in percent: among the active routes of the method with equal `priority`, of the payments that ' +
    'all of them take; null while the route is not active. It follows from the weights; set it with `/route-sets`.',
  active: 'Whether payments may take the route.',
};

const SET_MEMBERS = {
  weight: `${MEMBERS.weight} 1 if neither it nor \`sharePercent\` is given.`,
  sharePercent:
    'Instead of `weight`: the share of payments that try the route first, in percent, 1 to 100. If one active route of a method has it, all ' +
    'active ones with equal `priority` need it, and together they have 100.',
};

const SIMULATION_MEMBERS = {
  object: COMMON_MEMBERS.object,
  amount: "The amount of the payment that is simulated, in the currency's minor unit.",
  currency: 'The currency of the payment that is simulated, as its ISO 4217 code.',
  paymentMethod: 'The payment method that is simulated: `card`, `upi` or `crypto`.',
  captureMethod: 'How the payment that is simulated would be captured: `automatic` or `manual`.',
  country:
    "The country that was compared with the routes: the payment's own, else its customer's; null if neither is known.",
  customerId: 'The id of a customer (`cus_…`), whose country is used if `country` is left out.',
  tokenProvider:
    "The provider that issued the token, of a payment by a provider's token; null or left out for every other payment.",
  deposited:
    'The asset that would be deposited, and its network, of a payment by `crypto`; null or left out for every other payment, or if every asset is meant.',
  cardBrand: 'The brand of the card, such as `visa`; null or left out where it is not known, as that of a token.',
  cardGroups: 'The ids of the groups of cards that the card belongs to; left out for none.',
  metadata: "The payment's metadata; left out for none.",
  offSession: 'Whether you would initiate the payment without the customer; false if left out.',
  routes: 'The routes in the order in which they would be tried.',
  passedOver: 'The routes that would not be tried, with the reason.',
  refusal: 'The error with which a confirm would be refused; null if it would not be.',
};
const STEP_MEMBERS = {
  routeId: 'The id of the payment route (`rt_…`).',
  provider: 'The provider that the route leads to.',
  priority: 'The place of the route: lower numbers are tried first.',
  weight: 'The share of the route among those of equal priority.',
  place:
    'Why the route has its place among those of equal priority, where `/routing-settings` orders them by approval rate; else left out.',
  circuitOpen: 'Whether the provider has failed repeatedly of late, so that its routes are tried last.',
  reason: withValues<(typeof SKIP_REASONS)[number]>('The first reason for which the route is not tried.', {
    inactive: 'it is not active',
    method: 'it is for another payment method',
    currency: 'it does not accept the currency',
    amount: 'it does not accept the amount',
    card_brand: 'it does not accept the brand of the card',
    card_group: 'it accepts cards of other groups',
    metadata: 'it accepts payments with other metadata',
    capture_method: 'it does not accept the capture method',
    initiator: 'it does not accept payments of this initiator',
    other_provider_token: 'it does not lead to the provider whose token the payment method is',
    provider_not_configured: 'its provider takes no payments of this environment',
    other_merchant_account: "it leads to another merchant account's account at its provider",
    provider_account_disabled: 'it leads to an account at its provider that is disabled',
    method_not_offered: 'its provider does not take the payment method',
    provider_token_not_offered: 'its provider takes no tokens',
    capture_method_not_offered: 'its provider does not take the capture method',
    currency_not_offered: 'its provider does not take the currency',
    amount_not_offered: 'its provider has no unit for the amount',
    asset_not_offered: 'its provider does not take the asset on its network',
    amount_outside_limits: 'its provider takes no such amount',
    no_stored_credential: 'its provider has nothing by which a saved card is charged without the customer',
    country: 'it does not accept the country',
  }),
  takes: 'What the provider takes instead, in English; left out where the provider is not the reason.',
};
const PLACE_MEMBERS = {
  by: withValues<'approval_rate' | 'exploration' | 'weight'>('What decided the place.', {
    approval_rate: 'the approval rates of the providers',
    exploration: 'it was drawn to keep the rates of the other providers known',
    weight: 'it was drawn by weight, because its provider has too few attempts for a rate',
  }),
  approvalRate: 'The approval rate of the provider, from 0 to 1; null below the minimum of attempts.',
  attempts: 'How many attempts of the provider were measured.',
};
const REFUSAL_MEMBERS = {
  code: 'The error code of the confirm.',
  message: 'A message for people, in English.',
  details: 'What else is known of the error, such as the limit that is exceeded.',
};

const CREATED = described(MEMBERS, {
  provider,
  paymentMethod,
  currencies: currencies.default([]),
  countries: countries.default([]),
  excludedCountries: countries.default([]),
  amountMin: amount.nullable().default(null),
  amountMax: amount.nullable().default(null),
  cardBrands: cardBrands.default([]),
  cardGroups: cardGroups.default([]),
  metadata: routedMetadata.default({}),
  captureMethods: captureMethods.default([]),
  initiators: initiators.default([]),
  priority: priority.default(100),
  weight: weight.default(1),
  active: z.boolean().default(true),
});

/** POST /payment-routes; empty lists mean "any". */
export const createPaymentRouteBody = z.strictObject(CREATED).describe('A payment route to create.');

export type CreatePaymentRoute = z.output<typeof createPaymentRouteBody>;

/** PATCH /payment-routes/{id}: omitted fields stay unchanged; lists are replaced as a whole. */
const UPDATED = described(MEMBERS, {
  provider: provider.optional(),
  paymentMethod: paymentMethod.optional(),
  currencies: currencies.optional(),
  countries: countries.optional(),
  excludedCountries: countries.optional(),
  amountMin: amount.nullable().optional(),
  amountMax: amount.nullable().optional(),
  cardBrands: cardBrands.optional(),
  cardGroups: cardGroups.optional(),
  metadata: routedMetadata.optional(),
  captureMethods: captureMethods.optional(),
  initiators: initiators.optional(),
  priority: priority.optional(),
  weight: weight.optional(),
  active: z.boolean().optional(),
});

export const updatePaymentRouteBody = z
  .strictObject(UPDATED)
  .describe('What to change. Members that are left out stay unchanged; lists are replaced as a whole.');

export type UpdatePaymentRoute = z.output<typeof updatePaymentRouteBody>;

const sharePercent = z.int().min(1).max(100).optional();

/** The members of a route to create, and of one to change, in a set of routes; their share can be given in percent. */
export const ROUTES_OF_SET = {
  created: { ...CREATED, ...described(SET_MEMBERS, { weight: weight.optional(), sharePercent }) },
  updated: { id: z.string().describe(MEMBERS.id), ...UPDATED, ...described(SET_MEMBERS, { sharePercent }) },
};

/** The same where only these providers can be had. */
export function createPaymentRouteBodyAmong(providers: readonly string[]) {
  return createPaymentRouteBody.extend({ provider: oneOf(providers) });
}

/** The same where only these providers can be had. */
export function updatePaymentRouteBodyAmong(providers: readonly string[]) {
  return updatePaymentRouteBody.extend({ provider: oneOf(providers).optional() });
}

function oneOf(providers: readonly string[]) {
  return provider.refine(
    (name) => providers.includes(name),
    refinement({ fieldCode: 'invalid', message: unusableProvider(providers) }),
  );
}

/** The message for a provider that takes no payments of the environment; it lists those that do. */
export function unusableProvider(providers: readonly string[]): string {
  return providers.length === 0
    ? 'No provider takes payments of this environment.'
    : `The provider must be one that takes payments of this environment: ${providers.join(', ')}.`;
}

/** GET /payment-routes; currency and country select the routes that accept them. */
export const listPaymentRoutesQuery = z.strictObject({
  ...pageQuery,
  provider: provider.optional().describe('Selects the routes to this provider.'),
  paymentMethod: paymentMethod.optional().describe('Selects the routes of this payment method.'),
  currency: currency.optional().describe('Selects the routes that accept this currency.'),
  country: country.optional().describe('Selects the routes that accept this country.'),
  active: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Selects the routes that are active (`true`) or not (`false`).'),
});

export type ListPaymentRoutes = z.output<typeof listPaymentRoutesQuery>;

/** What a route is, apart from who made it and when. */
export const routeContents = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      provider: z.string(),
      paymentMethod,
      currencies: z.array(z.string()),
      countries: z.array(z.string()),
      excludedCountries: z.array(z.string()),
      amountMin: z.int().nullable(),
      amountMax: z.int().nullable(),
      cardBrands: z.array(z.enum(ROUTED_CARD_BRANDS)),
      cardGroups: z.array(z.string()),
      metadata: z.record(z.string(), z.string()),
      captureMethods: z.array(captureMethod),
      initiators: z.array(z.enum(INITIATORS)),
      priority: z.int(),
      weight: z.int(),
      active: z.boolean(),
    }),
  )
  .describe('A route, apart from who made it and when.');

export type RouteContents = z.infer<typeof routeContents>;

/** A route with its share. */
export const sharedRouteContents = routeContents
  .extend(described(MEMBERS, { sharePercent: z.number().nullable() }))
  .describe('A route as a set of routes has it.');

/** The payment route in every response. */
export const paymentRouteResource = sharedRouteContents
  .extend(
    described(MEMBERS, {
      object: z.literal('payment_route'),
      environment: z.enum(ENVIRONMENTS),
      createdBy,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('A way for payments to a provider, and which payments may take it.');

export type PaymentRouteResource = z.infer<typeof paymentRouteResource>;

export const deletedPaymentRoute = deletedResource('payment_route');

const depositedAsset = z
  .strictObject({
    asset: z.enum(CRYPTO_ASSET_CODES).describe('The asset, such as `USDC`.'),
    network: z.enum(CRYPTO_NETWORKS).describe('The network, such as `ethereum`.'),
  })
  .meta({ id: 'DepositedAsset', description: 'An asset on the network on which it is deposited.' });

/** POST /payment-routes/simulate: the payment to simulate. */
export const simulatePaymentRoutesBody = z
  .strictObject(
    described(SIMULATION_MEMBERS, {
      amount,
      currency,
      paymentMethod,
      captureMethod: captureMethod.default('automatic'),
      country: nullableCountry.optional(),
      customerId: customerId.nullish(),
      tokenProvider: provider.nullish(),
      deposited: depositedAsset.nullish(),
      cardBrand: z.enum(ROUTED_CARD_BRANDS).nullish(),
      cardGroups: cardGroups.optional(),
      metadata: metadata.optional(),
      offSession: z.boolean().optional(),
    }),
  )
  .describe('A payment to simulate.');

export type SimulatePaymentRoutes = z.output<typeof simulatePaymentRoutesBody>;

const REFUSALS = [
  'CHANNEL_LIMIT_MIN_EXCEEDED',
  'CHANNEL_LIMIT_MAX_EXCEEDED',
  'NO_TSP_AVAILABLE',
  'UNSUPPORTED_REGION',
  'UNSUPPORTED_CURRENCY_PAIR',
  'LIMIT_EXCEEDED',
] as const;

/** The result of a simulation. */
export const paymentRouteSimulationResource = z
  .object(
    described(SIMULATION_MEMBERS, {
      object: z.literal('payment_route_simulation'),
      amount: z.int(),
      currency: z.string(),
      paymentMethod,
      captureMethod,
      country: z.string().nullable(),
      routes: z.array(
        z.object(
          described(STEP_MEMBERS, {
            routeId: z.string(),
            provider: z.string(),
            priority: z.int(),
            weight: z.int(),
            circuitOpen: z.boolean(),
            place: z
              .object(
                described(PLACE_MEMBERS, {
                  by: z.enum(['approval_rate', 'exploration', 'weight']),
                  approvalRate: z.number().nullable(),
                  attempts: z.int(),
                }),
              )
              .optional(),
          }),
        ),
      ),
      passedOver: z.array(
        z.object(
          described(STEP_MEMBERS, {
            routeId: z.string(),
            provider: z.string(),
            reason: z.enum(SKIP_REASONS),
            takes: z.string().optional(),
          }),
        ),
      ),
      refusal: z
        .object(
          described(REFUSAL_MEMBERS, {
            code: z.enum(REFUSALS),
            message: z.string(),
            details: z.record(z.string(), z.unknown()).optional(),
          }),
        )
        .nullable(),
    }),
  )
  .describe('Which routes a payment would take.');

export type PaymentRouteSimulation = z.infer<typeof paymentRouteSimulationResource>;
