-- Disputes of payments, as providers report them.
CREATE TABLE "dispute" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT,
  "provider" TEXT NOT NULL,
  "provider_reference" TEXT NOT NULL,
  "stage" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "network_reason_code" TEXT,
  "amount_minor" BIGINT,
  "currency" TEXT,
  "amount_withdrawn_minor" BIGINT NOT NULL DEFAULT 0,
  "amount_blocked_minor" BIGINT NOT NULL DEFAULT 0,
  "respond_by" TIMESTAMPTZ(3),
  "is_defendable" BOOLEAN,
  "reports" JSONB NOT NULL,
  "outcome_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "dispute_payment_intent_id_created_at_id_idx" ON "dispute" ("payment_intent_id", "created_at" DESC, "id" DESC);
CREATE INDEX "dispute_merchant_account_id_created_at_id_idx" ON "dispute" ("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "dispute_merchant_account_id_status_created_at_id_idx" ON "dispute" ("merchant_account_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "dispute_merchant_account_id_stage_created_at_id_idx" ON "dispute" ("merchant_account_id", "stage", "created_at" DESC, "id" DESC);
CREATE INDEX "dispute_merchant_account_id_reason_created_at_id_idx" ON "dispute" ("merchant_account_id", "reason", "created_at" DESC, "id" DESC);
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_intent_fkey" FOREIGN KEY ("payment_intent_id", "merchant_account_id", "environment")
  REFERENCES "payment_intent" ("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "payment_intent" ADD COLUMN "amount_disputed_minor" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "payment_intent" ADD COLUMN "dispute_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];
