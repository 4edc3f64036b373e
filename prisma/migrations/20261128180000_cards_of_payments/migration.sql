-- Payments by every card that was tried, one row for each: an index of the payments' own table would have the last one only.
CREATE TABLE "payment_card" (
    "id" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_card_pkey" PRIMARY KEY ("id","last4")
);
CREATE INDEX "payment_card_merchant_account_id_last4_created_at_id_idx"
  ON "payment_card"("merchant_account_id", "last4", "created_at" DESC, "id" DESC);
ALTER TABLE "payment_card" ADD CONSTRAINT "payment_card_id_fkey"
  FOREIGN KEY ("id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "write_payment_card"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "payment_card" ("id", "last4", "merchant_account_id", "created_at")
  VALUES (NEW.id, NEW.card_last4, NEW.merchant_account_id, NEW.created_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "payment_intent_card_inserted" AFTER INSERT ON "payment_intent"
  FOR EACH ROW WHEN (NEW.card_last4 IS NOT NULL) EXECUTE FUNCTION "write_payment_card"();
CREATE TRIGGER "payment_intent_card_updated" AFTER UPDATE OF "card_last4" ON "payment_intent"
  FOR EACH ROW WHEN (NEW.card_last4 IS NOT NULL AND OLD.card_last4 IS DISTINCT FROM NEW.card_last4)
  EXECUTE FUNCTION "write_payment_card"();

INSERT INTO "payment_card" ("id", "last4", "merchant_account_id", "created_at")
SELECT id, card_last4, merchant_account_id, created_at FROM "payment_intent" WHERE card_last4 IS NOT NULL
UNION
SELECT i.id, m.masked->>'last4', i.merchant_account_id, i.created_at
FROM "payment_attempt" a
JOIN "payment_intent" i ON i.id = a.payment_intent_id
JOIN "payment_method" m ON m.id = a.payment_method_id AND m.type = 'card'
WHERE m.masked->>'last4' IS NOT NULL;

DROP INDEX "payment_intent_card_last4_idx";
