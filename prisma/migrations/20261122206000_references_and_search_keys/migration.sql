-- The merchant's own number, such as that of the order.
ALTER TABLE "payment_intent" ADD COLUMN "reference" TEXT;
ALTER TABLE "refund" ADD COLUMN "reference" TEXT;
ALTER TABLE "customer" ADD COLUMN "reference" TEXT;

-- An inverted index: one row for each word by which a list finds a resource. An index on the resource's own table would be written
-- again with each of its changes, and a GIN index has no order, so that a frequent word would have to be sorted as a whole.
CREATE TABLE "search_key" (
    "merchant_account_id" TEXT NOT NULL,
    "key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "search_key_pkey" PRIMARY KEY ("merchant_account_id","key","created_at","id")
);
CREATE INDEX "search_key_id_idx" ON "search_key"("id");

-- A digest, because a value may be longer than an index takes. The length keeps name and value apart.
CREATE FUNCTION "search_key_of"(resource text, name text, value text) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN substring(sha256(convert_to(resource || ' ' || length(name)::text || ' ' || name || value, 'UTF8')) FROM 1 FOR 16);

CREATE FUNCTION "search_keys_of"(resource text, reference text, metadata jsonb) RETURNS SETOF bytea
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT search_key_of(resource, 'reference', reference) WHERE reference IS NOT NULL
    UNION ALL
    SELECT search_key_of(resource, 'metadata.' || pair.key, pair.value) FROM jsonb_each_text(metadata) AS pair
  $$;

CREATE FUNCTION "write_search_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM "search_key"
    WHERE "id" = OLD.id AND "key" IN (SELECT search_keys_of(TG_TABLE_NAME::text, OLD.reference, OLD.metadata));
  END IF;
  INSERT INTO "search_key" ("merchant_account_id", "key", "created_at", "id")
  SELECT NEW.merchant_account_id, word, NEW.created_at, NEW.id
  FROM search_keys_of(TG_TABLE_NAME::text, NEW.reference, NEW.metadata) AS word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;

-- A payment is found by each card that it was confirmed with.
CREATE FUNCTION "write_card_search_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_key" ("merchant_account_id", "key", "created_at", "id")
  SELECT NEW.merchant_account_id, search_key_of('payment_intent', 'last4', m.masked->>'last4'), NEW.created_at, NEW.id
  FROM "payment_method" m
  WHERE m.id = NEW.payment_method_id AND m.payment_intent_id = NEW.id AND m.type = 'card' AND m.masked ? 'last4'
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;

CREATE FUNCTION "delete_search_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "search_key" WHERE "id" = OLD.id;
  RETURN NULL;
END;
$$;

CREATE TRIGGER "payment_intent_search_keys_inserted" AFTER INSERT ON "payment_intent"
  FOR EACH ROW WHEN (NEW.reference IS NOT NULL OR NEW.metadata <> '{}') EXECUTE FUNCTION "write_search_keys"();
CREATE TRIGGER "payment_intent_search_keys_updated" AFTER UPDATE OF "reference", "metadata" ON "payment_intent"
  FOR EACH ROW WHEN (OLD.reference IS DISTINCT FROM NEW.reference OR OLD.metadata IS DISTINCT FROM NEW.metadata)
  EXECUTE FUNCTION "write_search_keys"();
CREATE TRIGGER "payment_intent_search_keys_deleted" AFTER DELETE ON "payment_intent"
  FOR EACH ROW EXECUTE FUNCTION "delete_search_keys"();
CREATE TRIGGER "payment_intent_card_inserted" AFTER INSERT ON "payment_intent"
  FOR EACH ROW WHEN (NEW.payment_method_id IS NOT NULL) EXECUTE FUNCTION "write_card_search_key"();
CREATE TRIGGER "payment_intent_card_updated" AFTER UPDATE OF "payment_method_id" ON "payment_intent"
  FOR EACH ROW WHEN (OLD.payment_method_id IS DISTINCT FROM NEW.payment_method_id)
  EXECUTE FUNCTION "write_card_search_key"();

CREATE TRIGGER "refund_search_keys_inserted" AFTER INSERT ON "refund"
  FOR EACH ROW WHEN (NEW.reference IS NOT NULL OR NEW.metadata <> '{}') EXECUTE FUNCTION "write_search_keys"();
CREATE TRIGGER "refund_search_keys_deleted" AFTER DELETE ON "refund"
  FOR EACH ROW EXECUTE FUNCTION "delete_search_keys"();

CREATE TRIGGER "customer_search_keys_inserted" AFTER INSERT ON "customer"
  FOR EACH ROW WHEN (NEW.reference IS NOT NULL OR NEW.metadata <> '{}') EXECUTE FUNCTION "write_search_keys"();
CREATE TRIGGER "customer_search_keys_updated" AFTER UPDATE OF "reference", "metadata" ON "customer"
  FOR EACH ROW WHEN (OLD.reference IS DISTINCT FROM NEW.reference OR OLD.metadata IS DISTINCT FROM NEW.metadata)
  EXECUTE FUNCTION "write_search_keys"();
CREATE TRIGGER "customer_search_keys_deleted" AFTER DELETE ON "customer"
  FOR EACH ROW EXECUTE FUNCTION "delete_search_keys"();

INSERT INTO "search_key" ("merchant_account_id", "key", "created_at", "id")
SELECT r.merchant_account_id, word, r.created_at, r.id
FROM "payment_intent" r, search_keys_of('payment_intent', NULL, r.metadata) AS word WHERE r.metadata <> '{}'
UNION
SELECT r.merchant_account_id, word, r.created_at, r.id
FROM "refund" r, search_keys_of('refund', NULL, r.metadata) AS word WHERE r.metadata <> '{}'
UNION
SELECT r.merchant_account_id, word, r.created_at, r.id
FROM "customer" r, search_keys_of('customer', NULL, r.metadata) AS word WHERE r.metadata <> '{}'
UNION
SELECT r.merchant_account_id, search_key_of('payment_intent', 'last4', m.masked->>'last4'), r.created_at, r.id
FROM "payment_method" m JOIN "payment_intent" r ON r.id = m.payment_intent_id
WHERE m.type = 'card' AND m.masked ? 'last4' AND (
  r.payment_method_id = m.id
  OR EXISTS (SELECT FROM "payment_attempt" a WHERE a.payment_intent_id = r.id AND a.payment_method_id = m.id));

CREATE INDEX IF NOT EXISTS "payment_intent_merchant_account_id_amount_minor_created_at__idx"
  ON "payment_intent"("merchant_account_id", "amount_minor", "created_at" DESC, "id" DESC);

-- By what a provider calls a payment or a refund. Partial: most attempts have such an id only at their end.
CREATE INDEX "payment_attempt_provider_payment_id_idx" ON "payment_attempt"("provider_payment_id")
  WHERE "provider_payment_id" IS NOT NULL;
CREATE INDEX "refund_provider_refund_id_idx" ON "refund"("provider_refund_id") WHERE "provider_refund_id" IS NOT NULL;
CREATE INDEX "stray_charge_provider_payment_id_idx" ON "stray_charge"("provider_payment_id")
  WHERE "provider_payment_id" IS NOT NULL;
