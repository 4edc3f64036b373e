-- Which run wrote a step last: only its own lost steps may be decided anew.
ALTER TABLE "payment_intent" ADD COLUMN "workflow_run_id" TEXT;

-- Partial indexes over what is under way, for the sweepers: small however many payments there are.
CREATE INDEX "payment_intent_open_idx" ON "payment_intent"("id")
  WHERE "status" IN ('requires_payment_method', 'processing', 'requires_action', 'requires_capture');

CREATE INDEX "payment_intent_not_started_idx" ON "payment_intent"("created_at", "id")
  WHERE "workflow_started_at" IS NULL;

CREATE INDEX "refund_pending_idx" ON "refund"("id") WHERE "status" = 'pending';
