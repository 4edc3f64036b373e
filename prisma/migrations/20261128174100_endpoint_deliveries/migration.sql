-- The lists of an endpoint's deliveries by status: those that wait, and those that ended.
DROP INDEX "webhook_delivery_pending_idx";
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"("webhook_endpoint_id", "created_at" DESC, "id" DESC)
  WHERE "status" = 'pending';
CREATE INDEX "webhook_delivery_ended_idx" ON "webhook_delivery"("webhook_endpoint_id", "status", "created_at" DESC, "id" DESC)
  WHERE "status" <> 'pending';

-- Which failing of an endpoint the merchant's people were told of by mail: its beginning.
ALTER TABLE "webhook_endpoint" ADD COLUMN "failing_mailed_for" TIMESTAMPTZ(3);
