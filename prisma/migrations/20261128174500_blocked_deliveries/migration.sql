SET LOCAL lock_timeout = '5s';

-- Blocked deliveries, apart from the very many that may wait for failing endpoints.
CREATE INDEX "webhook_delivery_blocked_idx" ON "webhook_delivery"("blocked_by") WHERE "blocked_by" IS NOT NULL AND NOT "is_held";
CREATE INDEX "webhook_delivery_blocked_held_idx" ON "webhook_delivery"("blocked_by") WHERE "blocked_by" IS NOT NULL AND "is_held";
