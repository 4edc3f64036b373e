SET LOCAL lock_timeout = '5s';

ALTER TABLE "refund" ADD COLUMN "accepted_at" TIMESTAMPTZ(3), ADD COLUMN "advisory" JSONB;

-- Few rows wait for a provider for long.
CREATE INDEX "payment_intent_waiting_idx" ON "payment_intent"(("advisory"->>'since')) WHERE "advisory"->>'code' = 'WAITING_FOR_PROVIDER';
CREATE INDEX "refund_waiting_idx" ON "refund"(("advisory"->>'since')) WHERE "advisory"->>'code' = 'WAITING_FOR_PROVIDER';
CREATE INDEX "stray_charge_unresolved_idx" ON "stray_charge"("updated_at") WHERE "status" IN ('pending', 'failed');
