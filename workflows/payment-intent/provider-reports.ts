import type { HoldEnd } from '../../domain/hold-resolution.ts';
import type { Attempt } from '../../domain/payment.ts';
import { isFinal, type FinalOutcome, type Pending, type ProviderEvent } from '../../domain/provider-outcome.ts';

/** What providers have reported about the attempts of a payment, and what support staff have found out about them. */
export class ProviderReports {
  readonly #finalOutcomes = new Map<AttemptKey, FinalOutcome>();
  readonly #holdEnds = new Map<AttemptKey, HoldEnd>();
  readonly #acceptances = new Map<AttemptKey, Pending>();
  readonly #resolvedByHand = new Set<AttemptKey>();

  /**
   * Stores a provider's report. The first final outcome of an attempt counts; that held money was captured or voided
   * may follow it.
   */
  keep({ provider, attemptId, outcome }: Pick<ProviderEvent, 'provider' | 'attemptId' | 'outcome'>): void {
    const key = keyOf({ provider, id: attemptId });
    if (outcome.kind === 'pending') this.#acceptances.set(key, outcome);
    if (!isFinal(outcome)) return;
    if (!this.#finalOutcomes.has(key)) this.#finalOutcomes.set(key, outcome);
    if (isHoldEnd(outcome) && !this.#holdEnds.has(key)) this.#holdEnds.set(key, outcome);
  }

  /** Stores what support staff have found out about an attempt or its hold. It counts in place of any report. */
  resolveByHand(attempt: AttemptAtProvider, outcome: FinalOutcome): void {
    this.#resolvedByHand.add(keyOf(attempt));
    this.#finalOutcomes.set(keyOf(attempt), outcome);
    if (isHoldEnd(outcome)) this.#holdEnds.set(keyOf(attempt), outcome);
  }

  isResolvedByHand(attempt: AttemptAtProvider): boolean {
    return this.#resolvedByHand.has(keyOf(attempt));
  }

  finalOutcomeOf(attempt: AttemptAtProvider): FinalOutcome | null {
    return this.#finalOutcomes.get(keyOf(attempt)) ?? null;
  }

  /** The reported end of a hold; null while there is none. */
  holdEndOf(attempt: AttemptAtProvider): HoldEnd | null {
    return this.#holdEnds.get(keyOf(attempt)) ?? null;
  }

  /** The provider's report that the customer has acted and the payment is pending; null before. */
  acceptanceOf(attempt: AttemptAtProvider): Pending | null {
    return this.#acceptances.get(keyOf(attempt)) ?? null;
  }

  /** Drops reports that came before the attempt was opened. No row knew the attempt then, so only the provider's answer counts. */
  forget(attempt: AttemptAtProvider): void {
    this.forgetFinalOutcome(attempt);
    this.#acceptances.delete(keyOf(attempt));
  }

  /** Drops a report with another amount than was requested. */
  forgetFinalOutcome(attempt: AttemptAtProvider): void {
    this.#finalOutcomes.delete(keyOf(attempt));
    this.#holdEnds.delete(keyOf(attempt));
  }
}

type AttemptAtProvider = Pick<Attempt, 'id' | 'provider'>;
type AttemptKey = `${string} ${string}`;

/** The key includes the provider, so that a provider's report never applies to an attempt at another one. */
function keyOf({ provider, id }: AttemptAtProvider): AttemptKey {
  return `${provider} ${id}`;
}

function isHoldEnd(outcome: FinalOutcome): outcome is HoldEnd {
  return outcome.kind === 'not_charged' || (outcome.kind === 'approved' && outcome.captured);
}
