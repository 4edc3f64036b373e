-- Payments under way, the longest first: the metrics count those that are stuck.
CREATE INDEX IF NOT EXISTS "payment_intent_processing_idx" ON "payment_intent"("status_since") WHERE "status" = 'processing';
