-- The merchant's own number, such as that of the order.
ALTER TABLE "payment_intent" ADD COLUMN "reference" TEXT, ADD COLUMN "card_last4" TEXT;
ALTER TABLE "refund" ADD COLUMN "reference" TEXT;
ALTER TABLE "customer" ADD COLUMN "reference" TEXT;

UPDATE "payment_intent" i SET "card_last4" = m.masked->>'last4'
FROM "payment_method" m WHERE m.id = i.payment_method_id AND m.payment_intent_id = i.id AND m.type = 'card';

-- An inverted index of metadata: one row for each pair. A GIN index on the resource's own table would be smaller, but it has no
-- order: a page of a pair that many resources have, or that only old ones have, would read and sort all of them.
CREATE TABLE "metadata_pair" (
    "merchant_account_id" TEXT NOT NULL,
    "pair" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "metadata_pair_pkey" PRIMARY KEY ("merchant_account_id","pair","created_at","id")
);

-- A digest, because a value may be longer than an index takes. The length keeps name and value apart.
CREATE FUNCTION "metadata_pair_of"(resource text, name text, value text) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN substring(sha256(convert_to(resource || ' ' || length(name)::text || ' ' || name || value, 'UTF8')) FROM 1 FOR 16);

CREATE FUNCTION "write_metadata_pairs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "metadata_pair"
    WHERE "merchant_account_id" = OLD.merchant_account_id AND "created_at" = OLD.created_at AND "id" = OLD.id AND "pair" = ANY (ARRAY(
      SELECT metadata_pair_of(TG_TABLE_NAME::text, "key", "value") FROM jsonb_each_text(OLD.metadata)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "metadata_pair" ("merchant_account_id", "pair", "created_at", "id")
    SELECT NEW.merchant_account_id, metadata_pair_of(TG_TABLE_NAME::text, "key", "value"), NEW.created_at, NEW.id
    FROM jsonb_each_text(NEW.metadata);
  END IF;
  RETURN NULL;
END;
$$;

CREATE TRIGGER "payment_intent_metadata_inserted" AFTER INSERT ON "payment_intent"
  FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "payment_intent_metadata_updated" AFTER UPDATE OF "metadata" ON "payment_intent"
  FOR EACH ROW WHEN (OLD.metadata <> NEW.metadata) EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "payment_intent_metadata_deleted" AFTER DELETE ON "payment_intent"
  FOR EACH ROW WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "refund_metadata_inserted" AFTER INSERT ON "refund"
  FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "refund_metadata_deleted" AFTER DELETE ON "refund"
  FOR EACH ROW WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "customer_metadata_inserted" AFTER INSERT ON "customer"
  FOR EACH ROW WHEN (NEW.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "customer_metadata_updated" AFTER UPDATE OF "metadata" ON "customer"
  FOR EACH ROW WHEN (OLD.metadata <> NEW.metadata) EXECUTE FUNCTION "write_metadata_pairs"();
CREATE TRIGGER "customer_metadata_deleted" AFTER DELETE ON "customer"
  FOR EACH ROW WHEN (OLD.metadata <> '{}') EXECUTE FUNCTION "write_metadata_pairs"();

INSERT INTO "metadata_pair" ("merchant_account_id", "pair", "created_at", "id")
SELECT r.merchant_account_id, metadata_pair_of('payment_intent', pair.key, pair.value), r.created_at, r.id
FROM "payment_intent" r, jsonb_each_text(r.metadata) AS pair WHERE r.metadata <> '{}'
UNION ALL
SELECT r.merchant_account_id, metadata_pair_of('refund', pair.key, pair.value), r.created_at, r.id
FROM "refund" r, jsonb_each_text(r.metadata) AS pair WHERE r.metadata <> '{}'
UNION ALL
SELECT r.merchant_account_id, metadata_pair_of('customer', pair.key, pair.value), r.created_at, r.id
FROM "customer" r, jsonb_each_text(r.metadata) AS pair WHERE r.metadata <> '{}';

CREATE INDEX IF NOT EXISTS "payment_intent_merchant_account_id_amount_minor_created_at__idx"
  ON "payment_intent"("merchant_account_id", "amount_minor", "created_at" DESC, "id" DESC);

-- Partial: a payment that has no such value costs nothing. The schema language cannot say them.
CREATE INDEX "payment_intent_reference_idx" ON "payment_intent"("merchant_account_id", "reference", "created_at" DESC, "id" DESC)
  WHERE "reference" IS NOT NULL;
CREATE INDEX "payment_intent_card_last4_idx" ON "payment_intent"("merchant_account_id", "card_last4", "created_at" DESC, "id" DESC)
  WHERE "card_last4" IS NOT NULL;
CREATE INDEX "refund_reference_idx" ON "refund"("merchant_account_id", "reference", "created_at" DESC, "id" DESC)
  WHERE "reference" IS NOT NULL;
CREATE INDEX "customer_reference_idx" ON "customer"("merchant_account_id", "reference", "created_at" DESC, "id" DESC)
  WHERE "reference" IS NOT NULL;

-- By what a provider calls a payment or a refund.
CREATE INDEX "payment_attempt_provider_payment_id_idx" ON "payment_attempt"("provider_payment_id")
  WHERE "provider_payment_id" IS NOT NULL;
CREATE INDEX "refund_provider_refund_id_idx" ON "refund"("provider_refund_id") WHERE "provider_refund_id" IS NOT NULL;
CREATE INDEX "stray_charge_provider_payment_id_idx" ON "stray_charge"("provider_payment_id")
  WHERE "provider_payment_id" IS NOT NULL;
