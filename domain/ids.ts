/** What each kind of resource's id begins with. */
export const ID_PREFIXES = {
  merchant: 'org',
  merchantAccount: 'mer',
  apiKey: 'key',
  customer: 'cus',
  paymentIntent: 'pi',
  paymentMethod: 'pm',
  savedPaymentMethod: 'spm',
  attempt: 'att',
  transaction: 'txn',
  refund: 're',
  strayCharge: 'stray',
  dispute: 'dp',
  paymentRoute: 'rt',
  cardGroup: 'crdg',
  routeSet: 'rset',
  event: 'evt',
  webhookEndpoint: 'whe',
  webhookDelivery: 'whd',
  paymentUpdate: 'upd',
  auditEvent: 'aud',
  platformAuditEvent: 'pau',
  request: 'req',
  reconciliationRun: 'rec',
  settlement: 'stl',
  settlementEntry: 'ste',
  settlementImport: 'imp',
  person: 'per',
  invitation: 'inv',
  paymentLink: 'plink',
  savedView: 'view',
} as const;

export type ResourceKind = keyof typeof ID_PREFIXES;

export const RESOURCE_KINDS = Object.keys(ID_PREFIXES) as readonly ResourceKind[];

/** The part of an id after its prefix: `0192…` of `pi_0192…`. */
function uniquePart(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** Whether a string has the form of an id of that kind; says nothing about existence. */
export function isId(kind: ResourceKind, value: string): boolean {
  return value.startsWith(`${ID_PREFIXES[kind]}_`) && /^[0-9a-f]{32}(_\d{1,4})?$/.test(uniquePart(value));
}

/**
 * The id of an intent's n-th attempt (n from 1). It is also the idempotency key at the provider, so it depends on
 * the payment and the attempt only, and every try of one attempt carries the same key.
 */
export function attemptIdOf(paymentIntentId: string, attemptNumber: number): string {
  return `${ID_PREFIXES.attempt}_${uniquePart(paymentIntentId)}_${attemptNumber}`;
}

/** The intent an attempt belongs to, read from the attempt's id; undefined when it is no attempt id. */
export function paymentIntentIdOfAttempt(attemptId: string): string | undefined {
  if (!isId('attempt', attemptId)) return undefined;
  const unique = uniquePart(attemptId);
  const separator = unique.indexOf('_');
  return separator < 0 ? undefined : `${ID_PREFIXES.paymentIntent}_${unique.slice(0, separator)}`;
}

/** The id of the saved payment method that a payment method becomes, unless its card is saved already. */
export function savedPaymentMethodIdOf(paymentMethodId: string): string {
  return `${ID_PREFIXES.savedPaymentMethod}_${uniquePart(paymentMethodId)}`;
}

/**
 * The id of the reversal of an attempt's stray charge, which is also the id of its workflow and the key of its refund at
 * the provider. One attempt has one such id, so its stray charge is reversed once.
 */
export function strayChargeIdOf(attemptId: string): string {
  return `${ID_PREFIXES.strayCharge}_${uniquePart(attemptId)}`;
}

/** The attempt of a stray charge, read from the stray charge's id; undefined when it is no such id. */
export function attemptIdOfStrayCharge(strayChargeId: string): string | undefined {
  return isId('strayCharge', strayChargeId) ? `${ID_PREFIXES.attempt}_${uniquePart(strayChargeId)}` : undefined;
}

/** The id of a reconciliation run. @param uuid the same for a repeat: of its workflow, or derived from an event */
export function reconciliationRunIdOf(uuid: string): string {
  return `${ID_PREFIXES.reconciliationRun}_${uuid.replaceAll('-', '')}`;
}

/** The id of an account's settlement. @param digest of provider, its own id and the account, 32 hexadecimal digits */
export function settlementIdOf(digest: string): string {
  return `${ID_PREFIXES.settlement}_${digest}`;
}

/** The id of an import of settlements. @param uuid of its workflow, the same for a repeat */
export function settlementImportIdOf(uuid: string): string {
  return `${ID_PREFIXES.settlementImport}_${uuid.replaceAll('-', '')}`;
}

/** The id of a refund that was made at a provider without a request. @param digest 32 hexadecimal digits, the same for a repeat */
export function unrequestedRefundIdOf(digest: string): string {
  return `${ID_PREFIXES.refund}_${digest}`;
}

const TRANSACTION_PLACES = { authorization: 1, capture: 2, void: 3 } as const;

/** The id of a transaction of an attempt. An attempt has at most one of each type, so every writer makes the same id. */
export function transactionIdOf(
  paymentIntentId: string,
  attemptNumber: number,
  type: keyof typeof TRANSACTION_PLACES,
): string {
  const place = TRANSACTION_PLACES[type];
  return `${ID_PREFIXES.transaction}_${uniquePart(paymentIntentId)}_${attemptNumber}${place}`;
}

/** The id of the transaction that a refund leads to, should it succeed. */
export function transactionIdOfRefund(refundId: string): string {
  return `${ID_PREFIXES.transaction}_${uniquePart(refundId)}`;
}

/** The id of a dispute. @param digest of provider and its own id of the dispute, 32 hexadecimal digits, the same for each report */
export function disputeIdOf(digest: string): string {
  return `${ID_PREFIXES.dispute}_${digest}`;
}

/** The id of a transaction of a dispute. @param digest of what it records, 32 hexadecimal digits, the same for each report */
export function transactionIdOfDispute(digest: string): string {
  return `${ID_PREFIXES.transaction}_${digest}`;
}
