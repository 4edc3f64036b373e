ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_account_fkey";
ALTER TABLE "customer" VALIDATE CONSTRAINT "customer_account_fkey";
ALTER TABLE "payment_intent" VALIDATE CONSTRAINT "payment_intent_account_fkey";
ALTER TABLE "transaction" VALIDATE CONSTRAINT "transaction_intent_fkey";
ALTER TABLE "refund" VALIDATE CONSTRAINT "refund_intent_fkey";
ALTER TABLE "stray_charge" VALIDATE CONSTRAINT "stray_charge_intent_fkey";
ALTER TABLE "webhook_endpoint" VALIDATE CONSTRAINT "webhook_endpoint_account_fkey";
