import type { DisputesEntity } from 'cashfree-pg';
import { DAY_MS } from '../../../domain/time.ts';
import { refusal } from './refusal.ts';

type Status = NonNullable<DisputesEntity['dispute_status']>;

/** How often a dispute was answered, and how. */
interface Answers {
  readonly submitted: number;
  readonly accepted: number;
}

const ANSWER_WITHIN_MS = 7 * DAY_MS;
/** What Cashfree writes while a dispute is open. */
const NEVER = '9999-09-09T00:00:00';
/** India's clocks are ahead of UTC. */
const ZONE_MS = 5.5 * 3_600_000;

/** The chargebacks of one account. Cashfree's API writes times of India without a zone. */
export class CashfreeDisputes {
  readonly #disputes = new Map<number, DisputesEntity>();
  readonly #answers = new Map<number, Answers>();
  readonly #notify: (type: string, dispute: DisputesEntity) => void;
  #lastId = 433_447_816;

  constructor(notify: (type: string, dispute: DisputesEntity) => void) {
    this.#notify = notify;
  }

  /** The customer's bank disputes the payment of an order. */
  open(orderId: string, amount: number): DisputesEntity {
    this.#lastId += 1;
    const opened = {
      dispute_id: this.#lastId,
      dispute_type: 'CHARGEBACK',
      reason_code: '1401',
      reason_description: 'Fraud Transaction',
      dispute_amount: amount,
      dispute_amount_currency: 'INR',
      created_at: timeAt(Date.now()),
      respond_by: timeAt(Date.now() + ANSWER_WITHIN_MS),
      resolved_at: NEVER,
      dispute_evidence: [],
      order_details: { order_id: orderId, order_currency: 'INR', order_amount: amount },
    } satisfies DisputesEntity;
    return this.#save(opened, 'CHARGEBACK_CREATED', 'DISPUTE_CREATED');
  }

  /** The bank decides. */
  decide(id: number, isWon: boolean): DisputesEntity {
    return this.#end(this.get(id), isWon ? 'CHARGEBACK_MERCHANT_WON' : 'CHARGEBACK_MERCHANT_LOST');
  }

  get(id: number): DisputesEntity {
    const found = this.#disputes.get(id);
    if (found === undefined) throw refusal(404, 'dispute_request_not_found', 'dispute is not found');
    return found;
  }

  ofOrder(orderId: string): readonly DisputesEntity[] {
    return [...this.#disputes.values()].filter(({ order_details: order }) => order?.order_id === orderId);
  }

  /** Takes a document. Cashfree examines what it has got. */
  upload(id: number, documentType: string): readonly DisputesEntity[] {
    const { dispute_evidence: earlier = [], ...dispute } = this.#requireOpen(id);
    const document = { document_id: 18_150 + earlier.length, document_name: 'file', document_type: documentType };
    this.#count(id, 'submitted');
    const evidence = [...earlier, document];
    return [this.#save({ ...dispute, dispute_evidence: evidence }, 'CHARGEBACK_DOCS_RECEIVED', 'DISPUTE_UPDATED')];
  }

  accept(id: number): DisputesEntity {
    const dispute = this.#requireOpen(id);
    this.#count(id, 'accepted');
    return this.#end(dispute, 'CHARGEBACK_MERCHANT_ACCEPTED');
  }

  answersTo(id: number): Answers {
    return this.#answers.get(id) ?? { submitted: 0, accepted: 0 };
  }

  #requireOpen(id: number): DisputesEntity {
    const dispute = this.get(id);
    if (dispute.dispute_status === 'CHARGEBACK_CREATED') return dispute;
    throw refusal(400, 'dispute_invalid', 'the dispute takes no answer any more');
  }

  #count(id: number, kind: keyof Answers): void {
    const counted = this.answersTo(id);
    this.#answers.set(id, { ...counted, [kind]: counted[kind] + 1 });
  }

  #end(dispute: DisputesEntity, status: Status): DisputesEntity {
    return this.#save({ ...dispute, resolved_at: timeAt(Date.now()) }, status, 'DISPUTE_CLOSED');
  }

  #save(dispute: DisputesEntity, status: Status, event: string): DisputesEntity {
    const saved = { ...dispute, dispute_status: status, updated_at: timeAt(Date.now()) };
    this.#disputes.set(saved.dispute_id ?? 0, saved);
    this.#notify(event, saved);
    return saved;
  }
}

function timeAt(ms: number): string {
  return new Date(ms + ZONE_MS).toISOString().slice(0, -1);
}
