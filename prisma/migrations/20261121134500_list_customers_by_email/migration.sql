-- Lists are ordered by time and id, and so is the index that finds customers by their address.
DROP INDEX "customer_merchant_account_id_email_idx";
CREATE INDEX "customer_merchant_account_id_email_created_at_id_idx" ON "customer"("merchant_account_id", "email", "created_at" DESC, "id" DESC);
