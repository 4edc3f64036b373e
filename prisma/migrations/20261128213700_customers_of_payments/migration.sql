-- Most payments name no customer: they need no entry, at their insert and at each of their updates.
DROP INDEX "payment_intent_merchant_account_id_customer_id_created_at_i_idx";
CREATE INDEX "payment_intent_customer_idx" ON "payment_intent" ("merchant_account_id", "customer_id", "created_at" DESC, "id" DESC) WHERE "customer_id" IS NOT NULL;
