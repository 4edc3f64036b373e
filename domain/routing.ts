import type { CaptureMethod, PaymentMethodType } from './payment.ts';

/** A configured route to a provider. An empty list means "any". */
export interface Route {
  readonly id: string;
  readonly provider: string;
  readonly method: PaymentMethodType;
  readonly currencies: readonly string[];
  readonly countries: readonly string[];
  readonly excludedCountries: readonly string[];
  /** Lower goes first. */
  readonly priority: number;
  /** Share among routes of equal priority, 1 or more. */
  readonly weight: number;
  readonly active: boolean;
}

export interface RoutingRequest {
  readonly method: PaymentMethodType;
  readonly captureMethod: CaptureMethod;
  readonly currency: string;
  readonly country: string | null;
  /** The provider whose token stands for the card, which no other provider takes; null or absent where the method is no token. */
  readonly tokenProvider?: string | null;
  /** Decides the weighted order; the same seed gives the same order. */
  readonly seed: string;
}

/** What a provider can do for payments. */
export interface ProviderOffer {
  readonly methods: readonly PaymentMethodType[];
  readonly captureMethods: readonly CaptureMethod[];
  /** Whether it takes its own tokens that stand for cards. */
  readonly providerTokens: boolean;
}

/** Why an account at a provider takes no payments of the merchant account. */
export type AccountProblem = 'provider_account_disabled' | 'other_merchant_account';

/** What providers offer, and which have an open circuit. */
export interface ProviderAvailability {
  /** What each provider offers, or why it takes no payments; one that is not in the map is not configured. */
  readonly providers: ReadonlyMap<string, ProviderOffer | AccountProblem>;
  /** Providers with an open circuit, which are tried last. */
  readonly circuitOpen: readonly string[];
}

export interface RouteChoice {
  readonly routeId: string;
  readonly provider: string;
}

/** Why a route is skipped, in the order in which the reasons are checked. */
export const SKIP_REASONS = [
  'inactive',
  'method',
  'currency',
  'other_provider_token',
  'provider_not_configured',
  'other_merchant_account',
  'provider_account_disabled',
  'method_not_offered',
  'provider_token_not_offered',
  'capture_method_not_offered',
  'country',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface RoutingDecision {
  /** Routes to try, best first; empty when `refusal` is set. */
  readonly routes: readonly RouteChoice[];
  /** Every other route, with the first reason for which it was skipped. */
  readonly skippedRoutes: readonly (RouteChoice & { readonly reason: SkipReason })[];
  readonly refusal: 'NO_TSP_AVAILABLE' | 'UNSUPPORTED_REGION' | null;
}

/**
 * Decides which routes a payment takes: those that fit, by priority, weighted among equals, providers with an open
 * circuit last. A payment without a country ignores the routes' countries.
 */
export function decideRoutes(
  routes: readonly Route[],
  request: RoutingRequest,
  availability: ProviderAvailability,
): RoutingDecision {
  const candidates = routes.map((route) => ({ route, reason: reasonToSkip(route, request, availability) }));
  const fitting = candidates.filter(({ reason }) => reason === null).map(({ route }) => route);
  const skippedRoutes = candidates.flatMap(({ route, reason }) =>
    reason === null ? [] : [{ ...choiceOf(route), reason }],
  );
  const refusal =
    fitting.length > 0
      ? null
      : skippedRoutes.some(({ reason }) => reason === 'country')
        ? 'UNSUPPORTED_REGION'
        : 'NO_TSP_AVAILABLE';
  return { routes: inOrder(fitting, request.seed, availability).map(choiceOf), skippedRoutes, refusal };
}

function choiceOf(route: Route): RouteChoice {
  return { routeId: route.id, provider: route.provider };
}

/** The country comes last, so that "country" means: everything else would have fitted. */
function reasonToSkip(route: Route, request: RoutingRequest, availability: ProviderAvailability): SkipReason | null {
  if (!route.active) return 'inactive';
  if (route.method !== request.method) return 'method';
  if (route.currencies.length > 0 && !route.currencies.includes(request.currency)) return 'currency';
  const { tokenProvider = null } = request;
  if (tokenProvider !== null && tokenProvider !== route.provider) return 'other_provider_token';
  const offer = availability.providers.get(route.provider) ?? 'provider_not_configured';
  if (typeof offer === 'string') return offer;
  if (!offer.methods.includes(request.method)) return 'method_not_offered';
  if (tokenProvider !== null && !offer.providerTokens) return 'provider_token_not_offered';
  if (!offer.captureMethods.includes(request.captureMethod)) return 'capture_method_not_offered';
  if (!acceptsCountry(route, request.country)) return 'country';
  return null;
}

function acceptsCountry(route: Route, country: string | null): boolean {
  if (country === null) return true;
  if (route.excludedCountries.includes(country)) return false;
  return route.countries.length === 0 || route.countries.includes(country);
}

function inOrder(routes: readonly Route[], seed: string, availability: ProviderAvailability): Route[] {
  return routes
    .map((route) => ({
      route,
      circuit: availability.circuitOpen.includes(route.provider) ? 1 : 0,
      draw: weightedDraw(`${seed}:${route.id}`, route.weight),
    }))
    .sort(
      (a, b) =>
        a.circuit - b.circuit ||
        a.route.priority - b.route.priority ||
        a.draw - b.draw ||
        (a.route.id < b.route.id ? -1 : 1),
    )
    .map(({ route }) => route);
}

/**
 * An exponential draw with the weight as its rate: the smallest of several such draws belongs to each of them in
 * proportion to its weight (Efraimidis and Spirakis, weighted random sampling, 2006).
 */
function weightedDraw(seed: string, weight: number): number {
  return -Math.log((hash32(seed) + 1) / 2 ** 32) / Math.max(weight, Number.MIN_VALUE);
}

/** FNV-1a over the UTF-16 code units, then MurmurHash3's finaliser to spread short, similar seeds. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 0xffffffff;
}
