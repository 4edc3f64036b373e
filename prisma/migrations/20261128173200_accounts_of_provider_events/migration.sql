SET LOCAL lock_timeout = '5s';

-- The account of the payment, so that a sweep takes events of each account in turn. Null where the payment does not exist.
ALTER TABLE "provider_event" ADD COLUMN "merchant_account_id" TEXT;
CREATE FUNCTION "set_account_of_provider_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.merchant_account_id := (SELECT merchant_account_id FROM payment_intent WHERE id = NEW.payment_intent_id);
  RETURN NEW;
END $$;
CREATE TRIGGER "provider_event_account" BEFORE INSERT ON "provider_event"
  FOR EACH ROW EXECUTE FUNCTION "set_account_of_provider_event"();
UPDATE "provider_event" e SET "merchant_account_id" = i."merchant_account_id"
  FROM "payment_intent" i WHERE i."id" = e."payment_intent_id" AND e."delivered_at" IS NULL;
CREATE INDEX "provider_event_account_undelivered_idx" ON "provider_event"("merchant_account_id", "received_at", "provider", "event_id")
  WHERE "delivered_at" IS NULL;
