import type Stripe from 'stripe';
import { type Form, recordAt, textAt } from './form.ts';
import { type Intent, newId, nowSeconds } from './objects.ts';
import { invalidRequest, StripeRefusal } from './refusals.ts';

/** The part of a Dispute that is shown. */
export type ShownDispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'is_charge_refundable' | 'livemode' | 'reason' | 'status'
> & {
  readonly payment_intent: string;
  readonly charge: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly evidence: Readonly<Record<string, string>>;
  readonly evidence_details: Stripe.Dispute.EvidenceDetails;
  readonly balance_transactions: readonly Pick<
    Stripe.BalanceTransaction,
    'id' | 'object' | 'amount' | 'created' | 'currency'
  >[];
};

/** How often a dispute was answered, and how. */
interface Answers {
  readonly submitted: number;
  readonly accepted: number;
}

/** What opens a dispute. */
interface OpenedDispute {
  /** In Stripe's unit; all of the payment by default. */
  readonly amount?: number;
  readonly reason?: string;
  /** An inquiry moves no money. */
  readonly isInquiry?: boolean;
}

const ANSWER_WITHIN_SECONDS = 604_800;

/** The disputes of one account in test mode: evidence with `winning_evidence` or `losing_evidence` decides them at once. */
export class Disputes {
  readonly #disputes = new Map<string, ShownDispute>();
  readonly #answers = new Map<string, Answers>();
  readonly #findIntent: (id: string) => Intent;
  readonly #onEvent: (type: string, dispute: ShownDispute) => void;

  constructor(findIntent: (id: string) => Intent, onEvent: (type: string, dispute: ShownDispute) => void) {
    this.#findIntent = findIntent;
    this.#onEvent = onEvent;
  }

  /** The customer's bank disputes a payment, and a chargeback takes the money at once. */
  open(intentId: string, { amount, reason = 'fraudulent', isInquiry = false }: OpenedDispute = {}): ShownDispute {
    const { amount_received: received, currency, latest_charge: charge } = this.#findIntent(intentId);
    const dueBy = nowSeconds() + ANSWER_WITHIN_SECONDS;
    const evidenceDetails = { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 };
    const opened: ShownDispute = {
      id: newId('dp'),
      object: 'dispute',
      amount: amount ?? received,
      created: nowSeconds(),
      currency,
      is_charge_refundable: isInquiry,
      livemode: false,
      reason,
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
      payment_intent: intentId,
      charge: charge?.id ?? '',
      metadata: {},
      evidence: {},
      evidence_details: { ...evidenceDetails, enhanced_eligibility: {} },
      balance_transactions: [],
    };
    this.#save(opened, 'charge.dispute.created');
    return isInquiry ? opened : this.#move(opened, 'charge.dispute.funds_withdrawn', -opened.amount);
  }

  /** The bank decides. */
  decide(id: string, status: 'won' | 'lost'): ShownDispute {
    const decided = this.#save({ ...this.find(id), status }, 'charge.dispute.closed');
    return status === 'won' ? this.#move(decided, 'charge.dispute.funds_reinstated', decided.amount) : decided;
  }

  find(id: string): ShownDispute {
    const found = this.#disputes.get(id);
    if (found === undefined) throw invalidRequest('resource_missing', 404);
    return found;
  }

  /** Newest first. */
  list(form: Form): readonly ShownDispute[] {
    const [from, to] = [
      Number(textAt(form, 'created', 'gte') ?? 0),
      Number(textAt(form, 'created', 'lte') ?? Infinity),
    ];
    return [...this.#disputes.values()].filter(({ created }) => created >= from && created <= to).reverse();
  }

  update(id: string, form: Form): ShownDispute {
    const dispute = this.#requireOpen(id);
    const evidence = { ...dispute.evidence, ...recordAt(form, 'evidence') };
    const isSubmitted = textAt(form, 'submit') === 'true';
    if (!isSubmitted) return this.#save({ ...dispute, evidence }, 'charge.dispute.updated');
    this.#count(id, { submitted: 1 });
    const status = dispute.status === 'warning_needs_response' ? 'warning_under_review' : 'under_review';
    const details = { ...dispute.evidence_details, has_evidence: true, submission_count: 1 };
    const submitted = { ...dispute, evidence, status, evidence_details: details } as const;
    this.#save(submitted, 'charge.dispute.updated');
    const texts = Object.values(evidence).join(' ');
    if (texts.includes('winning_evidence')) return this.decide(id, 'won');
    return texts.includes('losing_evidence') ? this.decide(id, 'lost') : submitted;
  }

  close(id: string): ShownDispute {
    this.#requireOpen(id);
    this.#count(id, { accepted: 1 });
    return this.decide(id, 'lost');
  }

  answersTo(id: string): Answers {
    return this.#answers.get(id) ?? { submitted: 0, accepted: 0 };
  }

  #requireOpen(id: string): ShownDispute {
    const dispute = this.find(id);
    if (dispute.status === 'needs_response' || dispute.status === 'warning_needs_response') return dispute;
    throw new StripeRefusal(400, { type: 'invalid_request_error', message: `This dispute is ${dispute.status}.` });
  }

  #count(id: string, { submitted = 0, accepted = 0 }: Partial<Answers>): void {
    const counted = this.answersTo(id);
    this.#answers.set(id, { submitted: counted.submitted + submitted, accepted: counted.accepted + accepted });
  }

  #move(dispute: ShownDispute, event: string, amount: number): ShownDispute {
    const { currency, balance_transactions: earlier } = dispute;
    const object = 'balance_transaction';
    const moved = { id: newId('txn'), object, amount, created: nowSeconds(), currency } as const;
    return this.#save({ ...dispute, balance_transactions: [...earlier, moved] }, event);
  }

  #save(dispute: ShownDispute, event: string): ShownDispute {
    this.#disputes.set(dispute.id, dispute);
    this.#onEvent(event, dispute);
    return dispute;
  }
}
