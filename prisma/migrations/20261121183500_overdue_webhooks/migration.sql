-- Deliveries whose next attempt may be overdue, those that were looked at longest ago first.
CREATE INDEX "webhook_delivery_overdue_idx" ON "webhook_delivery"(GREATEST("claimed_at", COALESCE("next_attempt_at", "workflow_started_at"))) WHERE "status" = 'pending' AND "workflow_started_at" IS NOT NULL;
