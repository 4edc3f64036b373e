-- E-mail addresses are compared without case. Partial: a customer without an address costs nothing. The schema language cannot say it.
DROP INDEX "customer_merchant_account_id_email_created_at_id_idx";
CREATE INDEX "customer_email_idx" ON "customer"("merchant_account_id", lower("email"), "created_at" DESC, "id" DESC)
  WHERE "email" IS NOT NULL;
