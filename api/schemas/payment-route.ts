import { z } from 'zod';
import { SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';
import { ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { SKIP_REASONS } from '../../domain/routing.ts';
import {
  amount,
  COUNTRIES,
  country,
  currency,
  customerId,
  deletedResource,
  nullableCountry,
  pageQuery,
  refinement,
  responseTime,
  text,
} from './common.ts';

const MAXIMUM_PRIORITY = 1_000_000;
const MAXIMUM_WEIGHT = 1_000;

const provider = text(64).min(1);
const paymentMethod = z.enum(PAYMENT_METHOD_TYPES);
const currencies = z.array(currency).max(SUPPORTED_CURRENCIES.length);
const countries = z.array(country).max(COUNTRIES.length);
/** Lower goes first. */
const priority = z.number().int().min(0).max(MAXIMUM_PRIORITY);
/** Share among routes of equal priority. */
const weight = z.number().int().min(1).max(MAXIMUM_WEIGHT);

/** POST /payment-routes; empty lists mean "any". */
export const createPaymentRouteBody = z.strictObject({
  provider,
  paymentMethod,
  currencies: currencies.default([]),
  countries: countries.default([]),
  excludedCountries: countries.default([]),
  priority: priority.default(100),
  weight: weight.default(1),
  active: z.boolean().default(true),
});

export type CreatePaymentRoute = z.output<typeof createPaymentRouteBody>;

/** PATCH /payment-routes/{id}: omitted fields stay unchanged; lists are replaced as a whole. */
export const updatePaymentRouteBody = z.strictObject({
  provider: provider.optional(),
  paymentMethod: paymentMethod.optional(),
  currencies: currencies.optional(),
  countries: countries.optional(),
  excludedCountries: countries.optional(),
  priority: priority.optional(),
  weight: weight.optional(),
  active: z.boolean().optional(),
});

export type UpdatePaymentRoute = z.output<typeof updatePaymentRouteBody>;

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
  provider: provider.optional(),
  paymentMethod: paymentMethod.optional(),
  currency: currency.optional(),
  country: country.optional(),
  active: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});

export type ListPaymentRoutes = z.output<typeof listPaymentRoutesQuery>;

/** The payment route in every response. */
export const paymentRouteResource = z.object({
  id: z.string(),
  object: z.literal('payment_route'),
  environment: z.enum(ENVIRONMENTS),
  provider: z.string(),
  paymentMethod,
  currencies: z.array(z.string()),
  countries: z.array(z.string()),
  excludedCountries: z.array(z.string()),
  priority: z.number(),
  weight: z.number(),
  active: z.boolean(),
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type PaymentRouteResource = z.infer<typeof paymentRouteResource>;

export const deletedPaymentRoute = deletedResource('payment_route');

/** POST /payment-routes/simulate: the payment to simulate. */
export const simulatePaymentRoutesBody = z.strictObject({
  amount,
  currency,
  paymentMethod,
  country: nullableCountry.optional(),
  customerId: customerId.nullish(),
});

export type SimulatePaymentRoutes = z.output<typeof simulatePaymentRoutesBody>;

const REFUSALS = [
  'CHANNEL_LIMIT_MIN_EXCEEDED',
  'CHANNEL_LIMIT_MAX_EXCEEDED',
  'NO_TSP_AVAILABLE',
  'UNSUPPORTED_REGION',
] as const;

/** The result of a simulation. */
export const paymentRouteSimulationResource = z.object({
  object: z.literal('payment_route_simulation'),
  amount: z.number(),
  currency: z.string(),
  paymentMethod,
  /** The country that was compared with the routes: the payment's own, else its customer's. */
  country: z.string().nullable(),
  /** The routes in the order in which they would be tried. */
  routes: z.array(
    z.object({
      routeId: z.string(),
      provider: z.string(),
      priority: z.number(),
      weight: z.number(),
      /** Whether the provider's circuit is open, so that it is tried last. */
      circuitOpen: z.boolean(),
    }),
  ),
  passedOver: z.array(z.object({ routeId: z.string(), provider: z.string(), reason: z.enum(SKIP_REASONS) })),
  /** The error with which a confirm would be refused, or null. */
  refusal: z
    .object({
      code: z.enum(REFUSALS),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .nullable(),
});

export type PaymentRouteSimulation = z.infer<typeof paymentRouteSimulationResource>;
