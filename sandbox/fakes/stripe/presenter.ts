import { type Form, recordAt, textAt } from './form.ts';
import type { Charge, Intent, Refund } from './objects.ts';
import type { ShownMethod } from './payment-methods.ts';
import type { Payments } from './payments.ts';

/** What a payment is reported with instead of its own amount or currency. */
export interface Misreport {
  readonly additional?: number;
  readonly currency?: string;
}

type Shown = Intent | Charge | Refund | ShownMethod;

/** Shows objects as responses and events have them, some of them otherwise than they are. */
export class Presenter {
  readonly #misreports = new Map<string, Misreport>();

  /** Reports the payments of an attempt otherwise than they are. */
  misreport(attemptId: string, misreport: Misreport): void {
    this.#misreports.set(attemptId, misreport);
  }

  /** The object as an event has it. */
  forEvent(object: Shown): object {
    return collapse(this.#reported(object));
  }

  /** The payment as a response has it: with its charge, and the refunds of that, where the request asks for them. */
  forResponse(intent: Intent, form: Form, payments: Pick<Payments, 'refundsOf' | 'findMethod'>): object {
    const shown = this.#withCharge(intent, form, payments);
    const { payment_method: method } = intent;
    const isMethodShown = Object.values(recordAt(form, 'expand')).includes('payment_method');
    return isMethodShown && typeof method === 'string'
      ? { ...shown, payment_method: payments.findMethod(method) }
      : shown;
  }

  #withCharge(intent: Intent, form: Form, payments: Pick<Payments, 'refundsOf'>): object {
    const [, isExpanded, withRefunds] =
      /^(?:data\.)?(latest_charge)(\.refunds)?$/.exec(recordAt(form, 'expand')['0'] ?? '') ?? [];
    const shown = this.#reported(intent);
    if (isExpanded === undefined) return collapse(shown);
    if (withRefunds === undefined || !('latest_charge' in shown) || shown.latest_charge === null) return shown;
    const refunds = pageOf(payments.refundsOf(intent.id), {}, (refund) => refund);
    return { ...shown, latest_charge: { ...shown.latest_charge, refunds } };
  }

  #reported(object: Shown): Shown {
    if (object.object === 'payment_method' || object.object === 'refund') return object;
    const misreport = this.#misreports.get(object.metadata.attempt_id ?? '');
    return misreport === undefined ? object : misreported(object, misreport);
  }
}

/** One page of a list, newest first. */
export function pageOf<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  form: Form,
  presentEntry: (entry: Entry) => object,
): object {
  const limit = Number(textAt(form, 'limit') ?? 10);
  const after = textAt(form, 'starting_after');
  const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  const data = entries.slice(start, start + limit).map(presentEntry);
  return { object: 'list', data, has_more: entries.length > start + limit };
}

/** Events name the charge by its id. */
function collapse(object: Shown): object {
  return object.object === 'payment_intent' ? { ...object, latest_charge: object.latest_charge?.id ?? null } : object;
}

function misreported<Reported extends Intent | Charge>(object: Reported, misreport: Misreport): Reported {
  const { additional = 0, currency = object.currency } = misreport;
  const more = (amount: number): number => (amount === 0 ? 0 : amount + additional);
  if (object.object === 'charge') return { ...object, amount: more(object.amount), currency };
  return {
    ...object,
    amount: more(object.amount),
    amount_capturable: more(object.amount_capturable),
    amount_received: more(object.amount_received),
    currency,
  };
}
