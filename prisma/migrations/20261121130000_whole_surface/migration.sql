-- Of two changes to one row at once, one finds its version taken.
ALTER TABLE "merchant_account" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "api_key" ADD COLUMN "replaced_by_id" TEXT,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
DROP INDEX "api_key_merchant_account_id_idx";
CREATE INDEX "api_key_merchant_account_id_created_at_id_idx" ON "api_key"("merchant_account_id", "created_at" DESC, "id" DESC);

ALTER TABLE "payment_route" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "channel_limit" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

ALTER TABLE "customer" ADD COLUMN "name" TEXT,
  ADD COLUMN "email" TEXT,
  ADD COLUMN "phone" TEXT,
  ADD COLUMN "description" TEXT,
  ADD COLUMN "metadata" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0,
  ALTER COLUMN "updated_at" SET DEFAULT CURRENT_TIMESTAMP;
DROP INDEX "customer_merchant_account_id_created_at_idx";
CREATE INDEX "customer_merchant_account_id_created_at_id_idx" ON "customer"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "customer_merchant_account_id_email_idx" ON "customer"("merchant_account_id", "email");

-- Lists are ordered by time and id, and so are their indexes.
ALTER TABLE "payment_intent" ADD COLUMN "amount_refunding_minor" BIGINT NOT NULL DEFAULT 0;
DROP INDEX "payment_intent_merchant_account_id_status_created_at_idx";
DROP INDEX "payment_intent_merchant_account_id_customer_id_created_at_idx";
DROP INDEX "payment_intent_merchant_account_id_currency_created_at_idx";
CREATE INDEX "payment_intent_merchant_account_id_status_created_at_id_idx" ON "payment_intent"("merchant_account_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "payment_intent_merchant_account_id_customer_id_created_at_i_idx" ON "payment_intent"("merchant_account_id", "customer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "payment_intent_merchant_account_id_currency_created_at_id_idx" ON "payment_intent"("merchant_account_id", "currency", "created_at" DESC, "id" DESC);

ALTER TABLE "transaction" ADD COLUMN "refund_id" TEXT;
DROP INDEX "transaction_payment_intent_id_idx";
DROP INDEX "transaction_merchant_account_id_created_at_idx";
CREATE INDEX "transaction_payment_intent_id_created_at_id_idx" ON "transaction"("payment_intent_id", "created_at" DESC, "id" DESC);
CREATE INDEX "transaction_merchant_account_id_created_at_id_idx" ON "transaction"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "transaction_merchant_account_id_type_created_at_id_idx" ON "transaction"("merchant_account_id", "type", "created_at" DESC, "id" DESC);

CREATE TABLE "refund" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "provider" TEXT NOT NULL,
    "provider_payment_id" TEXT NOT NULL,
    "provider_refund_id" TEXT,
    "failure" JSONB,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "workflow_started_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "refund_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "refund_payment_intent_id_created_at_id_idx" ON "refund"("payment_intent_id", "created_at" DESC, "id" DESC);
CREATE INDEX "refund_merchant_account_id_created_at_id_idx" ON "refund"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "refund_merchant_account_id_status_created_at_id_idx" ON "refund"("merchant_account_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "refund_workflow_not_started_idx" ON "refund"("created_at") WHERE "workflow_started_at" IS NULL;

CREATE INDEX "event_merchant_account_id_type_sequence_idx" ON "event"("merchant_account_id", "type", "sequence");
CREATE INDEX "event_resource_id_sequence_idx" ON "event"("resource_id", "sequence");

ALTER TABLE "provider_event" ADD COLUMN "refund_id" TEXT;
