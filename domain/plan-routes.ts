import { type ChannelLimit, checkChannelLimit } from './channel-limit.ts';
import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { Environment, PaymentError, PaymentMethodType, PaymentTerms } from './payment.ts';
import { decideRoutes, type Route, type RoutingDecision } from './routing.ts';

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
  return { refusal: errorOf(refusal), routes, skippedRoutes };
}

const STRAY_CHARGE: PaymentError = {
  code: 'STATE_CONFLICT',
  message: 'A provider has charged an attempt that had ended; confirm again once that charge has been reversed.',
};

function errorOf(refusal: RoutingDecision['refusal']): PaymentError | null {
  return refusal === null ? null : { code: refusal, message: ERROR_CATALOGUE[refusal].message };
}
