-- A row refers to its payment, or to its account, together with account and environment: a row of one account can never belong
-- to a payment of another, whatever a statement gets wrong. Keys that named the id alone are replaced.
-- Each index blocks writes to its table while it is built. docs/operations.md says how to build the one of a large table before.
CREATE UNIQUE INDEX IF NOT EXISTS "merchant_account_id_environment_key" ON "merchant_account"("id", "environment");
CREATE UNIQUE INDEX IF NOT EXISTS "merchant_account_id_merchant_id_environment_key"
  ON "merchant_account"("id", "merchant_id", "environment");
CREATE UNIQUE INDEX IF NOT EXISTS "payment_intent_id_merchant_account_id_environment_key"
  ON "payment_intent"("id", "merchant_account_id", "environment");

-- Not valid: rows that exist are checked by the next migration, which blocks no writes.
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_merchant_account_id_fkey",
  ADD CONSTRAINT "api_key_account_fkey" FOREIGN KEY ("merchant_account_id", "merchant_id", "environment")
    REFERENCES "merchant_account"("id", "merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "customer"
  ADD CONSTRAINT "customer_account_fkey" FOREIGN KEY ("merchant_account_id", "environment")
    REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "payment_intent" DROP CONSTRAINT "payment_intent_merchant_account_id_fkey",
  ADD CONSTRAINT "payment_intent_account_fkey" FOREIGN KEY ("merchant_account_id", "environment")
    REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "transaction" DROP CONSTRAINT "transaction_payment_intent_id_fkey",
  ADD CONSTRAINT "transaction_intent_fkey" FOREIGN KEY ("payment_intent_id", "merchant_account_id", "environment")
    REFERENCES "payment_intent"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "refund" DROP CONSTRAINT "refund_payment_intent_id_fkey",
  ADD CONSTRAINT "refund_intent_fkey" FOREIGN KEY ("payment_intent_id", "merchant_account_id", "environment")
    REFERENCES "payment_intent"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "stray_charge"
  ADD CONSTRAINT "stray_charge_intent_fkey" FOREIGN KEY ("payment_intent_id", "merchant_account_id", "environment")
    REFERENCES "payment_intent"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "webhook_endpoint"
  ADD CONSTRAINT "webhook_endpoint_account_fkey" FOREIGN KEY ("merchant_account_id", "environment")
    REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- A delivery outlives its event and its endpoint, so that no key can refer to them; they are checked when it is written. One that
-- does not exist any more is left to the workflow, which cancels the delivery.
CREATE FUNCTION "refuse_foreign_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "event" WHERE "id" = NEW.event_id
      AND ("merchant_account_id" <> NEW.merchant_account_id OR "environment" <> NEW.environment)
  ) OR EXISTS (
    SELECT FROM "webhook_endpoint" WHERE "id" = NEW.webhook_endpoint_id
      AND ("merchant_account_id" <> NEW.merchant_account_id OR "environment" <> NEW.environment)
  ) THEN
    RAISE EXCEPTION 'event, endpoint and delivery belong to different accounts' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "webhook_delivery_same_account" BEFORE INSERT ON "webhook_delivery"
  FOR EACH ROW EXECUTE FUNCTION "refuse_foreign_delivery"();
