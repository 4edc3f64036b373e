import { type ChannelLimit, checkChannelLimit } from './channel-limit.ts';
import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { Environment, PaymentError, PaymentMethodType, PaymentTerms } from './payment.ts';
import { decideRoutes, type Route, type RoutingDecision, SKIP_REASONS, type SkipReason } from './routing.ts';

/** The stored data that a route decision depends on. */
export interface RoutingFacts {
  /** All routes of the merchant in the environment. */
  readonly routes: readonly Route[];
  readonly limit: ChannelLimit | null;
  /** Providers with an open circuit, which are tried last. */
  readonly circuitOpen: readonly string[];
  /** Whether a stray charge of the intent is not reversed yet. */
  readonly hasStrayCharge: boolean;
}

/** The providers that can be called in an environment. */
export interface ConfiguredProviders {
  namesFor(environment: Environment): readonly string[];
}

/** The payment to plan. */
export interface PlannedPayment {
  /** Together with `attemptsMade` it is the seed of the order among routes of equal priority. */
  readonly paymentIntentId: string;
  /** Attempts already made, so that each confirm draws its own weighted order. */
  readonly attemptsMade: number;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly terms: Pick<PaymentTerms, 'amountMinor' | 'currency' | 'country'>;
}

/** The routes to try, best first, or the error if the payment must not be attempted. */
export interface RoutePlan {
  readonly refusal: PaymentError | null;
  readonly routes: RoutingDecision['routes'];
  readonly skippedRoutes: RoutingDecision['skippedRoutes'];
}

/** Plans the routes of a payment: of a real one for its workflow, or of one that a merchant simulates. */
export function planRoutes(
  facts: RoutingFacts,
  { paymentIntentId, attemptsMade, environment, method, terms }: PlannedPayment,
  providers: ConfiguredProviders,
): RoutePlan {
  if (facts.hasStrayCharge) return { refusal: STRAY_CHARGE, routes: [], skippedRoutes: [] };
  const outsideLimits = checkChannelLimit({ ...terms, method }, facts.limit);
  if (outsideLimits !== null) return { refusal: outsideLimits, routes: [], skippedRoutes: [] };
  const { routes, skippedRoutes, refusal } = decideRoutes(
    facts.routes,
    { method, currency: terms.currency, country: terms.country, seed: `${paymentIntentId}:${attemptsMade}` },
    { configured: providers.namesFor(environment), circuitOpen: facts.circuitOpen },
  );
  return { refusal: errorOf(refusal, { method, ...terms }, skippedRoutes), routes, skippedRoutes };
}

const STRAY_CHARGE: PaymentError = {
  code: 'STATE_CONFLICT',
  message: 'A provider has charged an attempt that had ended; confirm again once that charge has been reversed.',
};

/** Far more routes than an account usually has; the error becomes part of the workflow's history. */
const MAXIMUM_LISTED_ROUTES = 20;

const REASONS: Readonly<Record<SkipReason, string>> = {
  inactive: 'is not active',
  method: 'takes another payment method',
  currency: 'does not take the currency',
  provider_not_configured: 'belongs to a provider that is not configured',
  country: 'does not take the country',
};

/** The refusal with the reason for which each route was skipped, as a simulation lists them. */
function errorOf(
  code: RoutingDecision['refusal'],
  { method, currency, country }: Pick<PlannedPayment, 'method'> & PlannedPayment['terms'],
  skippedRoutes: RoutingDecision['skippedRoutes'],
): PaymentError | null {
  if (code === null) return null;
  const counts = SKIP_REASONS.map(
    (reason) => [reason, skippedRoutes.filter((route) => route.reason === reason).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${REASONS[reason]}`);
  const payment = `${method} in ${currency}${country === null ? '' : ` from ${country}`}`;
  const reasons = counts.length === 0 ? 'there is none' : counts.join(', ');
  return {
    code,
    message: `${ERROR_CATALOGUE[code].message} Expected a route for ${payment}; of ${skippedRoutes.length} routes: ${reasons}.`,
    details: { passedOver: skippedRoutes.slice(0, MAXIMUM_LISTED_ROUTES).map((route) => ({ ...route })) },
  };
}
