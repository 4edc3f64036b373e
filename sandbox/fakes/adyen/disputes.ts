import type { FakeAmount, FakePayment } from './payment.ts';

/** A dispute of a payment. */
export interface FakeDispute {
  readonly pspReference: string;
  readonly payment: FakePayment;
  readonly amount: FakeAmount;
  /** The types of the documents that were supplied. */
  readonly documents: Set<string>;
  status: 'Undefended' | 'Pending' | 'Accepted' | 'Won' | 'Lost';
  submitted: number;
  accepted: number;
}

/** The disputes of one account. */
export class FakeDisputes {
  readonly #disputes = new Map<string, FakeDispute>();

  open(pspReference: string, payment: FakePayment, amount: FakeAmount): FakeDispute {
    const opened = { pspReference, payment, amount, documents: new Set<string>(), submitted: 0, accepted: 0 };
    const dispute: FakeDispute = { ...opened, status: 'Undefended' };
    this.#disputes.set(pspReference, dispute);
    return dispute;
  }

  find(pspReference: string): FakeDispute | undefined {
    return this.#disputes.get(pspReference);
  }

  /** How often a dispute was defended, and accepted. */
  answersTo(pspReference: string): Pick<FakeDispute, 'submitted' | 'accepted'> {
    const { submitted = 0, accepted = 0 } = this.#disputes.get(pspReference) ?? {};
    return { submitted, accepted };
  }
}
