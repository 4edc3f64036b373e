/** The columns of an event that a frame is made of; of the snapshot only the parts that a frame has. */
export const EVENT_COLUMNS = `
  id, type, resource_id AS "resourceId", payment_intent_id AS "paymentIntentId",
  merchant_account_id AS "merchantAccountId", position::float8 AS position, sequence::float8 AS sequence,
  insertion::float8 AS insertion, failure, snapshot->'intent'->>'status' AS status,
  snapshot->'intent'->'next_action' AS "nextAction", jsonb_build_object('id', snapshot->'refund'->'id',
    'status', snapshot->'refund'->'status', 'amountMinor', snapshot->'refund'->'amount_minor',
    'currency', snapshot->'refund'->'currency') AS refund, snapshot->'strayCharge' AS "strayCharge",
  created_at AS "createdAt"`;

/** A numbered event as the gateway reads it. */
export interface EventRow {
  readonly id: string;
  readonly type: string;
  /** What the event is about. */
  readonly resourceId: string;
  readonly paymentIntentId: string | null;
  readonly merchantAccountId: string;
  /** Order over all accounts. */
  readonly position: number;
  /** Order within the merchant account. */
  readonly sequence: number;
  /** Order of insertion; within one intent it is the order of the events, before they are numbered too. */
  readonly insertion: number;
  readonly failure: unknown;
  /** The intent's state after the event; null where the event is not about it. */
  readonly status: string | null;
  readonly nextAction: unknown;
  /** What the event says of a refund; its members are null where it is about none. */
  readonly refund: unknown;
  /** What the event says of a stray charge; null or absent where it is about none. */
  readonly strayCharge?: unknown;
  readonly createdAt: Date;
}
