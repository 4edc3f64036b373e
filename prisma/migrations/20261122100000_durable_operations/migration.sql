-- What merchants ask of a payment, under the id that repeats of the request carry: kept with the step that takes it up, so
-- that a repeat finds its own answer whatever became of the workflow.
CREATE TABLE "payment_operation" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "request" JSONB,
    "result" JSONB,
    "last_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_operation_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "payment_operation_payment_intent_id_idx" ON "payment_operation"("payment_intent_id");
CREATE INDEX "payment_operation_created_at_idx" ON "payment_operation"("created_at");

-- Money that a provider took for an attempt which had ended without a charge; it is given back.
CREATE TABLE "stray_charge" (
    "attempt_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "provider_payment_id" TEXT,
    "amount_minor" BIGINT,
    "currency" TEXT,
    "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stray_charge_pkey" PRIMARY KEY ("attempt_id")
);
CREATE INDEX "stray_charge_payment_intent_id_idx" ON "stray_charge"("payment_intent_id");
CREATE INDEX "stray_charge_updated_at_idx" ON "stray_charge"("updated_at");
CREATE INDEX "stray_charge_due_idx" ON "stray_charge"("next_due_at") WHERE "next_due_at" IS NOT NULL;

-- When somebody looks whether a payment's or a refund's workflow goes on as it should; null when there is no more to see to.
ALTER TABLE "payment_intent" ADD COLUMN "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "status_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "payment_intent" SET "status_since" = "updated_at", "next_due_at" = now();
ALTER TABLE "refund" ADD COLUMN "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;

CREATE INDEX "payment_intent_due_idx" ON "payment_intent"("next_due_at", "id") WHERE "next_due_at" IS NOT NULL;
CREATE INDEX "refund_due_idx" ON "refund"("next_due_at", "id") WHERE "next_due_at" IS NOT NULL;
DROP INDEX "payment_intent_open_idx";
DROP INDEX "payment_intent_not_started_idx";
DROP INDEX "payment_intent_workflow_not_started_idx";
DROP INDEX "refund_pending_idx";
ALTER TABLE "payment_intent" DROP COLUMN "workflow_started_at";
ALTER TABLE "refund" DROP COLUMN "workflow_started_at";

-- The confirm that an attempt was opened for; and the step that wrote a line, by which its repeat is recognised.
ALTER TABLE "payment_attempt" ADD COLUMN "operation_id" TEXT, DROP COLUMN "called_at_once";
ALTER TABLE "timeline_entry" ADD COLUMN "step_id" TEXT;
