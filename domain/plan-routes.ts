import { type ChannelLimit, checkChannelLimit } from './channel-limit.ts';
import { ERROR_CATALOGUE } from './error-catalogue.ts';
import type { Environment, PaymentError, PaymentMethodType, PaymentTerms } from './payment.ts';
import { decideRoutes, type Route, type RoutingDecision } from './routing.ts';

/** Everything that is stored and that the choice of routes goes by. */
export interface RoutingFacts {
  /** The merchant's routes in the environment, whatever they are for. */
  readonly routes: readonly Route[];
  readonly limit: ChannelLimit | null;
  /** Providers that failed so often of late that they are tried last. */
  readonly circuitOpen: readonly string[];
  /** Whether a provider still has money that it took for an attempt of the intent which had ended without a charge. */
  readonly hasStrayCharge: boolean;
}

/** The providers that can be called in an environment. */
export interface ConfiguredProviders {
  namesFor(environment: Environment): readonly string[];
}

/** The payment whose routes are asked for. */
export interface PlannedPayment {
  /** With `attemptsMade` it decides the order among routes of equal priority. */
  readonly paymentIntentId: string;
  /** Attempts already made, so that each confirm draws its own weighted order. */
  readonly attemptsMade: number;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly terms: Pick<PaymentTerms, 'amountMinor' | 'currency' | 'country'>;
}

/** The routes to try, best first, or why the payment may not be tried at all. */
export interface RoutePlan {
  readonly refusal: PaymentError | null;
  readonly routes: RoutingDecision['routes'];
  readonly passedOver: RoutingDecision['passedOver'];
}

/** Decides along which routes a payment goes: that of a workflow, and the one that a merchant imagines. */
export function planRoutes(
  facts: RoutingFacts,
  { paymentIntentId, attemptsMade, environment, method, terms }: PlannedPayment,
  providers: ConfiguredProviders,
): RoutePlan {
  if (facts.hasStrayCharge) return { refusal: STRAY_CHARGE, routes: [], passedOver: [] };
  const outsideLimits = checkChannelLimit({ ...terms, method }, facts.limit);
  if (outsideLimits !== null) return { refusal: outsideLimits, routes: [], passedOver: [] };
  const { routes, passedOver, refusal } = decideRoutes(
    facts.routes,
    { method, currency: terms.currency, country: terms.country, seed: `${paymentIntentId}:${attemptsMade}` },
    { configured: providers.namesFor(environment), circuitOpen: facts.circuitOpen },
  );
  return { refusal: errorOf(refusal), routes, passedOver };
}

const STRAY_CHARGE: PaymentError = {
  code: 'STATE_CONFLICT',
  message: 'A provider has charged an attempt that had ended; confirm again once that charge has been reversed.',
};

function errorOf(refusal: RoutingDecision['refusal']): PaymentError | null {
  return refusal === null ? null : { code: refusal, message: ERROR_CATALOGUE[refusal].message };
}
