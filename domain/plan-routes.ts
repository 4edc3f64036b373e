import type { ApprovalOrdering } from './approval-order.ts';
import { type ChannelLimit, checkChannelLimit } from './channel-limit.ts';
import {
  type CardRetries,
  cardRetriesOf,
  type CountedCard,
  type DeclineRetries,
  describeLimit,
  limitDetailsOf,
  reachedLimitOf,
} from './decline-retries.ts';
import { ERROR_CATALOGUE, isErrorCode } from './error-catalogue.ts';
import type { Environment, PaymentError, PaymentMethodType, PaymentTerms } from './payment.ts';
import { formatMoney } from './money.ts';
import { isOffSession } from './saved-payment-method.ts';
import type { KnownAccount, ProviderAccountStatus } from './provider-account.ts';
import type { ConditionedPayment } from './route-conditions.ts';
import {
  type AccountProblem,
  type CryptoAsset,
  decideRoutes,
  type ProviderOffer,
  type Route,
  type RoutingDecision,
  type SavedCardFacts,
  SKIP_REASONS,
  type SkipReason,
} from './routing.ts';

/** The stored data that a route decision depends on. */
export interface RoutingFacts {
  /** All routes of the merchant in the environment. */
  readonly routes: readonly Route[];
  /** The accounts of the merchant at providers that routes name. */
  readonly providerAccounts: readonly RoutedAccount[];
  readonly limit: ChannelLimit | null;
  /** Providers with an open circuit, which are tried last. */
  readonly circuitOpen: readonly string[];
  /** How routes of equal priority are ordered by approval rates; null where weights order them. */
  readonly ordering: ApprovalOrdering | null;
  /** Whether the merchant account is suspended, so that no attempt begins. */
  readonly isSuspended: boolean;
  /** Whether a stray charge of the intent is not reversed yet. */
  readonly hasStrayCharge: boolean;
  /** The provider whose token the payment method is; null where it is none. */
  readonly tokenProvider: string | null;
  /** The saved payment method that the payment method refers to; null where it refers to none. */
  readonly savedCard: SavedCardFacts | null;
  /** The asset to deposit; null where the payment method is no crypto. */
  readonly deposited: CryptoAsset | null;
  /** What conditions of routes look at besides the terms: of the stored card and payment, or of a simulated one. */
  readonly conditioned: Pick<ConditionedPayment, 'cardBrand' | 'cardGroups' | 'metadata'>;
  /** The code with which an earlier attempt of the intent with the same card ended, whose advice was `never`; null where none did. */
  readonly declinedForGood: string | null;
  readonly declineRetries: DeclineRetries;
  /** What is known of the card from its declines for the amount; null where it is not counted, or no method is stored. */
  readonly cardDeclines: CountedCard | null;
}

/** An account at a provider that a route names. */
export interface RoutedAccount extends KnownAccount {
  readonly id: string;
  readonly status: ProviderAccountStatus;
  /** Whether it belongs to the payment's own merchant account. */
  readonly isOwn: boolean;
}

/** The providers that can be called. */
export interface ConfiguredProviders {
  /** What the configured providers offer that take payments of an environment, by name. */
  offersFor(environment: Environment): ReadonlyMap<string, ProviderOffer>;
  /** What an account offers; undefined where the engine takes no accounts of its kind in the environment. */
  offerOfAccount(account: KnownAccount, environment: Environment): ProviderOffer | undefined;
}

/** The payment to plan. */
export interface PlannedPayment {
  /** Together with `attemptsMade` it is the seed of the order among routes of equal priority. */
  readonly paymentIntentId: string;
  /** Attempts that earlier confirms have made, so that each confirm draws its own weighted order, and keeps it. */
  readonly attemptsMade: number;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  readonly terms: Pick<PaymentTerms, 'amountMinor' | 'currency' | 'country' | 'captureMethod'>;
  /** Whether the merchant makes it without the customer, where no saved card says so: for simulated payments. */
  readonly offSession?: boolean;
}

/** The routes to try, best first, or the error if the payment must not be attempted. */
export interface RoutePlan {
  readonly refusal: PaymentError | null;
  readonly routes: RoutingDecision['routes'];
  readonly skippedRoutes: RoutingDecision['skippedRoutes'];
  /** What may follow declines in the confirm; absent where nothing may. */
  readonly retries?: CardRetries;
}

/** Plans the routes of a payment: of a real one for its workflow, or of one that a merchant simulates. */
export function planRoutes(
  facts: RoutingFacts,
  { paymentIntentId, attemptsMade, environment, method, terms, offSession = false }: PlannedPayment,
  providers: ConfiguredProviders,
): RoutePlan {
  if (facts.isSuspended) return { refusal: SUSPENDED, routes: [], skippedRoutes: [] };
  if (facts.hasStrayCharge) return { refusal: STRAY_CHARGE, routes: [], skippedRoutes: [] };
  if (facts.savedCard !== null && !mayUse(facts.savedCard))
    return { refusal: NOT_USABLE, routes: [], skippedRoutes: [] };
  if (facts.declinedForGood !== null) {
    return { refusal: declinedForGood(facts.declinedForGood), routes: [], skippedRoutes: [] };
  }
  const isMerchant = offSession || isOffSession(facts.savedCard?.use);
  const ofCard = isMerchant ? refusalOfCard(facts.cardDeclines) : null;
  if (ofCard !== null) return { refusal: ofCard, routes: [], skippedRoutes: [] };
  const outsideLimits = checkChannelLimit({ ...terms, method }, facts.limit);
  if (outsideLimits !== null) return { refusal: outsideLimits, routes: [], skippedRoutes: [] };
  const { amountMinor, currency, country, captureMethod } = terms;
  const { routes, skippedRoutes, refusal } = decideRoutes(
    facts.routes,
    {
      method,
      captureMethod,
      amountMinor,
      currency,
      country,
      tokenProvider: facts.tokenProvider,
      savedCard: facts.savedCard,
      deposited: facts.deposited,
      ...facts.conditioned,
      initiator: isMerchant ? 'merchant' : 'customer',
      seed: `${paymentIntentId}:${attemptsMade}`,
    },
    {
      providers: availableProviders(facts, environment, providers),
      circuitOpen: facts.circuitOpen,
      ordering: facts.ordering,
    },
  );
  const plan = { refusal: errorOf(refusal, { method, ...terms }, skippedRoutes), routes, skippedRoutes };
  // Only its own provider takes a token, so nobody else can be asked.
  const isRetriable = method === 'card' && facts.tokenProvider === null;
  const retries = isRetriable ? cardRetriesOf(facts.declineRetries, facts.cardDeclines) : null;
  return retries === null ? plan : { ...plan, retries };
}

function availableProviders(
  { providerAccounts }: RoutingFacts,
  environment: Environment,
  providers: ConfiguredProviders,
): ReadonlyMap<string, ProviderOffer | AccountProblem> {
  const available = new Map<string, ProviderOffer | AccountProblem>(providers.offersFor(environment));
  for (const account of providerAccounts) {
    const offer = problemOf(account) ?? providers.offerOfAccount(account, environment);
    if (offer !== undefined) available.set(account.id, offer);
  }
  return available;
}

function problemOf({ isOwn, status }: RoutedAccount): AccountProblem | undefined {
  if (!isOwn) return 'other_merchant_account';
  return status === 'disabled' ? 'provider_account_disabled' : undefined;
}

const SUSPENDED: PaymentError = {
  code: 'MERCHANT_SUSPENDED',
  message: ERROR_CATALOGUE.MERCHANT_SUSPENDED.message,
};

const STRAY_CHARGE: PaymentError = {
  code: 'STATE_CONFLICT',
  message: 'A provider has charged an attempt that had ended; confirm again once that charge has been reversed.',
};

/** The same for one that is not the customer's, was removed or is invalid. */
export const NOT_USABLE: PaymentError = {
  code: 'INVALID_PAYMENT_METHOD',
  message: 'The saved payment method cannot be used any more. Pay with another one.',
};

/** Rows decide, at the last moment before an attempt: the API has checked the same when the confirm arrived. */
function mayUse({ isUsable, use, usage }: SavedCardFacts): boolean {
  return isUsable && (!isOffSession(use) || usage === 'off_session');
}

/** A repeat would cost the merchant a fee of the card's network, and could only be declined again. */
function declinedForGood(code: string): PaymentError {
  return {
    code: isErrorCode(code) ? code : 'CARD_DECLINED',
    message:
      'This card was declined for good, and is not sent to a provider again for this payment. Pay with another one.',
    details: { advice: 'never', reason: 'declined_before' },
  };
}

/**
 * Why a card is not charged while its customer is not there; null where it may be: after a decline for good, and beyond the limits of the
 * card schemes, another try could only cost fees. A customer who is there may have a reason for it.
 */
function refusalOfCard(card: CountedCard | null): PaymentError | null {
  if (card === null) return null;
  if (card.isDeclinedForGood) return DECLINED_FOR_GOOD;
  const limit = reachedLimitOf(card);
  if (limit === null) return null;
  const message = `The card is not sent to a provider without its customer: it ${describeLimit(limit)}.`;
  return { code: 'LIMIT_EXCEEDED', message, details: { advice: 'later', ...limitDetailsOf(limit) } };
}

const DECLINED_FOR_GOOD: PaymentError = {
  code: 'CARD_DECLINED',
  message:
    'This card was declined for good within the last 30 days, and is not sent to a provider again without its customer. Ask the customer for another one.',
  details: { advice: 'never', reason: 'declined_before' },
};

/** Far more routes than an account usually has. The number is limited because the error becomes part of the workflow's history. */
const MAXIMUM_LISTED_ROUTES = 20;

const REASONS: Readonly<Record<SkipReason, string>> = {
  inactive: 'is not active',
  method: 'takes another payment method',
  currency: 'does not take the currency',
  amount: 'does not take the amount',
  card_brand: 'does not take the brand of the card',
  card_group: 'takes cards of other groups',
  metadata: 'takes payments with other metadata',
  capture_method: 'does not take the capture method',
  initiator: 'takes payments that are initiated otherwise',
  no_stored_credential:
    'leads to a provider that has no token of the saved card, and takes no other one without the customer',
  other_provider_token: 'does not lead to the provider whose token the payment method is',
  provider_not_configured: 'belongs to a provider that is not configured',
  other_merchant_account: "leads to another merchant account's account at its provider",
  provider_account_disabled: 'leads to an account at its provider that is disabled',
  method_not_offered: 'belongs to a provider that does not take the payment method',
  provider_token_not_offered: 'belongs to a provider that takes no tokens',
  capture_method_not_offered: 'belongs to a provider that does not take the capture method',
  asset_not_offered: 'belongs to a provider that does not take the asset on its network',
  currency_not_offered: 'belongs to a provider that does not take the currency',
  amount_not_offered: 'belongs to a provider that cannot express the amount',
  amount_outside_limits: 'belongs to a provider that takes no such amount',
  country: 'does not take the country',
};

/** The refusal with the reason for which each route was skipped, as a simulation lists them. */
function errorOf(
  code: RoutingDecision['refusal'],
  { method, amountMinor, currency, country }: Pick<PlannedPayment, 'method'> & PlannedPayment['terms'],
  skippedRoutes: RoutingDecision['skippedRoutes'],
): PaymentError | null {
  if (code === null) return null;
  const counts = SKIP_REASONS.map(
    (reason) => [reason, skippedRoutes.filter((route) => route.reason === reason).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${REASONS[reason]} (${count})`);
  const payment = `${formatMoney(amountMinor, currency)} by ${method}${country === null ? '' : ` from ${country}`}`;
  const reasons =
    counts.length === 0 ? 'there is none' : `each of ${skippedRoutes.length} is skipped: ${counts.join(', ')}`;
  return {
    code,
    message: `${ERROR_CATALOGUE[code].message} Expected a route for ${payment}; ${reasons}.${acceptedBy(skippedRoutes)}`,
    details: { passedOver: skippedRoutes.slice(0, MAXIMUM_LISTED_ROUTES).map((route) => ({ ...route })) },
  };
}

/** What the providers would take instead, each once. */
function acceptedBy(skippedRoutes: RoutingDecision['skippedRoutes']): string {
  const accepted = skippedRoutes
    .slice(0, MAXIMUM_LISTED_ROUTES)
    .flatMap(({ provider, takes }) => (takes === undefined ? [] : [` ${provider} takes ${takes}.`]));
  return [...new Set(accepted)].join('');
}
