import { type ApprovalOrdering, orderByApproval, type PlaceReason } from './approval-order.ts';
import { type FutureUsage, isOffSession, type SavedMethodUse } from './saved-payment-method.ts';
import type { CaptureMethod, PaymentMethodType } from './payment.ts';
import {
  CONDITION_REASONS,
  type ConditionedPayment,
  type RouteConditions,
  unmetCondition,
} from './route-conditions.ts';

/** A configured route to a provider. An empty list means "any". */
export interface Route {
  readonly id: string;
  readonly provider: string;
  readonly method: PaymentMethodType;
  readonly currencies: readonly string[];
  readonly countries: readonly string[];
  readonly excludedCountries: readonly string[];
  /** Absent for none. */
  readonly conditions?: RouteConditions;
  /** Lower goes first. */
  readonly priority: number;
  /** Share among routes of equal priority, 1 or more. */
  readonly weight: number;
  readonly active: boolean;
}

/** The part of a payment that a provider takes or does not take, whoever pays. */
export interface PaymentToTake {
  readonly method: PaymentMethodType;
  readonly captureMethod: CaptureMethod;
  readonly amountMinor: number;
  readonly currency: string;
  /** The asset to deposit, of a payment by crypto; null or absent where the method is another, or the asset is not known. */
  readonly deposited?: CryptoAsset | null;
}

/** An asset on the network on which it is deposited. */
export interface CryptoAsset {
  readonly asset: string;
  readonly network: string;
}

export interface RoutingRequest extends PaymentToTake, ConditionedPayment {
  readonly country: string | null;
  /** The provider whose token stands for the card, which no other provider takes; null or absent where the method is no token. */
  readonly tokenProvider?: string | null;
  /** The saved card to charge; null or absent where the method is none. */
  readonly savedCard?: SavedCardFacts | null;
  /** Decides the weighted order; the same seed gives the same order. */
  readonly seed: string;
}

/** What routes depend on of a saved card. */
export interface SavedCardFacts {
  readonly use: SavedMethodUse;
  readonly usage: FutureUsage;
  /** Whether it is active, and the payment's customer's. */
  readonly isUsable: boolean;
  /** Whether its number is stored. */
  readonly hasNumber: boolean;
  /** The providers that have issued a token for it. */
  readonly tokenProviders: readonly string[];
  readonly hasNetworkTransactionId: boolean;
}

/** What a provider can do for payments. */
export interface ProviderOffer {
  readonly methods: readonly PaymentMethodType[];
  readonly captureMethods: readonly CaptureMethod[];
  /** Whether it takes its own tokens that stand for cards (`card_token`). */
  readonly providerTokens: boolean;
  /** What it does with saved cards besides charging their numbers while the customer is present; absent for nothing. */
  readonly storedCredentials?: StoredCredentialOffer;
  /**
   * Why it does not take such a payment, as far as that is known before any call; null where it may take it. Absent where methods and
   * capture methods say all of it.
   */
  readonly problemWith?: (payment: PaymentToTake) => PaymentProblem | null;
}

/** What a provider does with saved cards. */
interface StoredCredentialOffer {
  /** Whether it issues tokens of its own for cards that it is asked to store, and takes them. */
  readonly tokens: boolean;
  /** Whether it charges without the customer. */
  readonly offSession: boolean;
  /** Whether it takes a card's number with the network transaction id of a payment that another provider has made. */
  readonly networkTransactionIds: boolean;
}

/** Why a provider does not take a payment, and what it takes instead. */
export interface PaymentProblem {
  readonly reason: Extract<
    SkipReason,
    | 'capture_method_not_offered'
    | 'asset_not_offered'
    | 'currency_not_offered'
    | 'amount_not_offered'
    | 'amount_outside_limits'
  >;
  /** Completes "It takes …". */
  readonly takes: string;
}

/** Why an account at a provider takes no payments of the merchant account. */
export type AccountProblem = 'provider_account_disabled' | 'other_merchant_account';

/** What providers offer, and which have an open circuit. */
export interface ProviderAvailability {
  /** What each provider offers, or why it takes no payments; one that is not in the map is not configured. */
  readonly providers: ReadonlyMap<string, ProviderOffer | AccountProblem>;
  /** Providers with an open circuit, which are tried last. */
  readonly circuitOpen: readonly string[];
  /** Null or absent where weights alone order routes of equal priority. */
  readonly ordering?: ApprovalOrdering | null;
}

export interface RouteChoice {
  readonly routeId: string;
  readonly provider: string;
  /** Why it has its place among routes of equal priority; absent where only weights decide. */
  readonly place?: PlaceReason;
}

/** Why a route is skipped, in the order in which the reasons are checked. */
export const SKIP_REASONS = [
  'inactive',
  'method',
  'currency',
  ...CONDITION_REASONS,
  'other_provider_token',
  'provider_not_configured',
  'other_merchant_account',
  'provider_account_disabled',
  'method_not_offered',
  'provider_token_not_offered',
  'capture_method_not_offered',
  'asset_not_offered',
  'currency_not_offered',
  'amount_not_offered',
  'amount_outside_limits',
  'no_stored_credential',
  'country',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface RoutingDecision {
  /** Routes to try, best first; empty when `refusal` is set. */
  readonly routes: readonly RouteChoice[];
  /** Every other route, with the first reason for which it was skipped. */
  readonly skippedRoutes: readonly SkippedRoute[];
  readonly refusal: 'NO_TSP_AVAILABLE' | 'UNSUPPORTED_REGION' | 'UNSUPPORTED_CURRENCY_PAIR' | 'LIMIT_EXCEEDED' | null;
}

/** A route that a payment does not take. */
interface SkippedRoute extends Pick<RouteChoice, 'routeId' | 'provider'> {
  readonly reason: SkipReason;
  /** What its provider takes instead; absent where the provider is not the reason. */
  readonly takes?: string;
}

/** What no route is left for, by the reason for which one was skipped: the first that applies. */
const REFUSALS = [
  ['country', 'UNSUPPORTED_REGION'],
  ['asset_not_offered', 'UNSUPPORTED_CURRENCY_PAIR'],
  ['currency_not_offered', 'UNSUPPORTED_CURRENCY_PAIR'],
  ['amount_not_offered', 'UNSUPPORTED_CURRENCY_PAIR'],
  ['amount_outside_limits', 'LIMIT_EXCEEDED'],
] as const satisfies readonly (readonly [SkipReason, NonNullable<RoutingDecision['refusal']>])[];

/**
 * Decides which routes a payment takes: those that fit, by priority, among equals by weight or approval rate, providers
 * with an open circuit last. A payment without a country ignores the routes' countries.
 */
export function decideRoutes(
  routes: readonly Route[],
  request: RoutingRequest,
  availability: ProviderAvailability,
): RoutingDecision {
  const candidates = routes.map((route) => ({ route, problem: problemOf(route, request, availability) }));
  const fitting = candidates.filter(({ problem }) => problem === null).map(({ route }) => route);
  const skippedRoutes = candidates.flatMap(({ route, problem }) =>
    problem === null ? [] : [{ ...choiceOf(route), ...problem }],
  );
  const refusal = fitting.length > 0 ? null : refusalOf(skippedRoutes);
  return { routes: inOrder(fitting, request.seed, availability), skippedRoutes, refusal };
}

function refusalOf(skippedRoutes: readonly SkippedRoute[]): NonNullable<RoutingDecision['refusal']> {
  const found = REFUSALS.find(([reason]) => skippedRoutes.some((skipped) => skipped.reason === reason));
  return found?.[1] ?? 'NO_TSP_AVAILABLE';
}

function choiceOf(route: Route): Pick<RouteChoice, 'routeId' | 'provider'> {
  return { routeId: route.id, provider: route.provider };
}

/** The country comes last, so that "country" means: everything else would have fitted. */
function problemOf(
  route: Route,
  request: RoutingRequest,
  availability: ProviderAvailability,
): Omit<SkippedRoute, 'routeId' | 'provider'> | null {
  const reason = reasonToSkip(route, request, availability);
  if (reason !== null) return { reason };
  const offer = availability.providers.get(route.provider);
  const problem = typeof offer === 'object' ? (offer.problemWith?.(request) ?? null) : null;
  if (problem !== null) return problem;
  return acceptsCountry(route, request.country) ? null : { reason: 'country' };
}

function reasonToSkip(route: Route, request: RoutingRequest, availability: ProviderAvailability): SkipReason | null {
  if (!route.active) return 'inactive';
  if (route.method !== request.method) return 'method';
  if (route.currencies.length > 0 && !route.currencies.includes(request.currency)) return 'currency';
  const unmet = unmetCondition(route.conditions ?? {}, request);
  if (unmet !== null) return unmet;
  const { tokenProvider = null } = request;
  if (tokenProvider !== null && tokenProvider !== route.provider) return 'other_provider_token';
  const offer = availability.providers.get(route.provider) ?? 'provider_not_configured';
  if (typeof offer === 'string') return offer;
  if (!offer.methods.includes(request.method)) return 'method_not_offered';
  if (tokenProvider !== null && !offer.providerTokens) return 'provider_token_not_offered';
  if (!offer.captureMethods.includes(request.captureMethod)) return 'capture_method_not_offered';
  return savedCardProblem(route.provider, offer, request.savedCard ?? null);
}

/**
 * Why a provider cannot charge a saved card. While the customer is present, its number is as good as a token. Without the customer, the
 * networks want to know the agreement: by the provider's own token, or by the network transaction id beside the number.
 */
function savedCardProblem(provider: string, offer: ProviderOffer, card: SavedCardFacts | null): SkipReason | null {
  if (card === null) return null;
  const { tokens = false, offSession = false, networkTransactionIds = false } = offer.storedCredentials ?? {};
  const hasToken = tokens && card.tokenProviders.includes(provider);
  if (!isOffSession(card.use)) return hasToken || card.hasNumber ? null : 'other_provider_token';
  const hasNetworkId = networkTransactionIds && card.hasNumber && card.hasNetworkTransactionId;
  return offSession && (hasToken || hasNetworkId) ? null : 'no_stored_credential';
}

function acceptsCountry(route: Route, country: string | null): boolean {
  if (country === null) return true;
  if (route.excludedCountries.includes(country)) return false;
  return route.countries.length === 0 || route.countries.includes(country);
}

function inOrder(routes: readonly Route[], seed: string, availability: ProviderAvailability): readonly RouteChoice[] {
  const { circuitOpen, ordering = null } = availability;
  const drawn = routes
    .map((route) => ({
      route,
      circuit: circuitOpen.includes(route.provider) ? 1 : 0,
      draw: weightedDraw(`${seed}:${route.id}`, route.weight),
    }))
    .sort(
      (a, b) =>
        a.circuit - b.circuit ||
        a.route.priority - b.route.priority ||
        a.draw - b.draw ||
        (a.route.id < b.route.id ? -1 : 1),
    );
  if (ordering === null) return drawn.map(({ route }) => choiceOf(route));
  const groupOf = ({ circuit, route: { priority } }: (typeof drawn)[number]) => `${circuit}:${priority}`;
  const groups = [...new Set(drawn.map(groupOf))];
  return groups.flatMap((group) =>
    orderByApproval(
      drawn.filter((each) => groupOf(each) === group).map(({ route }) => route),
      ordering,
      chanceOf(`${seed}:explore:${group}`),
    ).map(({ route, reason }) => ({ ...choiceOf(route), place: reason })),
  );
}

/** From 0 to 1, without 1; the same for the same seed. */
function chanceOf(seed: string): number {
  return hash32(seed) / 2 ** 32;
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
