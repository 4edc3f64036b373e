-- Whether a confirm of the payment went on after a decline: the list of payments selects by it.
ALTER TABLE "payment_intent" ADD COLUMN "retried" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX payment_intent_retried_idx ON payment_intent (merchant_account_id, created_at DESC, id DESC) WHERE retried;
