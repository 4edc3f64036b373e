SET LOCAL lock_timeout = '5s';

ALTER TABLE "webhook_endpoint"
  ADD COLUMN "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "probe_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "next_probe_at" TIMESTAMPTZ(3),
  ADD COLUMN "recovery_due_at" TIMESTAMPTZ(3);
-- Endpoints whose recovery workflow is to be started, the longest overdue first.
CREATE INDEX "webhook_endpoint_recovery_due_idx" ON "webhook_endpoint"("recovery_due_at") WHERE "recovery_due_at" IS NOT NULL;
-- Failing endpoints, which are counted.
CREATE INDEX "webhook_endpoint_failing_idx" ON "webhook_endpoint"("failing_since") WHERE "next_probe_at" IS NOT NULL;

ALTER TABLE "webhook_delivery"
  ADD COLUMN "is_held" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "is_requested" BOOLEAN NOT NULL DEFAULT false;
-- What may be started, by endpoint: a worker takes a few of each, those first that have been due longest.
DROP INDEX "webhook_delivery_to_start_idx";
CREATE INDEX "webhook_delivery_to_start_idx" ON "webhook_delivery"("webhook_endpoint_id", COALESCE("next_attempt_at", "created_at"), "position")
  WHERE "status" = 'pending' AND "workflow_started_at" IS NULL AND "blocked_by" IS NULL AND NOT "is_held";
-- Deliveries with a workflow, by endpoint and by the time of their attempt.
CREATE INDEX "webhook_delivery_started_idx" ON "webhook_delivery"("webhook_endpoint_id", COALESCE("next_attempt_at", "created_at"))
  WHERE "status" = 'pending' AND "workflow_started_at" IS NOT NULL;
-- What waits until its endpoint answers: which one the next probe sends, and in which order the rest goes out.
CREATE INDEX "webhook_delivery_to_probe_idx" ON "webhook_delivery"("webhook_endpoint_id", COALESCE("next_attempt_at", '-infinity'), "position" DESC)
  WHERE "status" = 'pending' AND "is_held" AND "blocked_by" IS NULL;
CREATE INDEX "webhook_delivery_held_idx" ON "webhook_delivery"("webhook_endpoint_id", "position")
  WHERE "status" = 'pending' AND "is_held" AND "blocked_by" IS NULL;
-- All that waits for an endpoint, the oldest first.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"("webhook_endpoint_id", "created_at") WHERE "status" = 'pending';

-- What is due, by account: a sweep that finds more than it can handle takes a few rows of each account.
CREATE INDEX "payment_intent_account_due_idx" ON "payment_intent"("merchant_account_id", "next_due_at") WHERE "next_due_at" IS NOT NULL;
CREATE INDEX "refund_account_due_idx" ON "refund"("merchant_account_id", "next_due_at") WHERE "next_due_at" IS NOT NULL;
CREATE INDEX "stray_charge_account_due_idx" ON "stray_charge"("merchant_account_id", "next_due_at") WHERE "next_due_at" IS NOT NULL;
