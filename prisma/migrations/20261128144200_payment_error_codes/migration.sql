-- Payments by the codes of their attempts and of their last failures, which stay when the payment expires, is canceled or succeeds.
-- One row for each code: an index of the payments' own table would have the last one only.
CREATE TABLE "payment_error_code" (
    "id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_error_code_pkey" PRIMARY KEY ("id","code")
);
CREATE INDEX "payment_error_code_merchant_account_id_code_created_at_id_idx"
  ON "payment_error_code"("merchant_account_id", "code", "created_at" DESC, "id" DESC);
ALTER TABLE "payment_error_code" ADD CONSTRAINT "payment_error_code_id_fkey"
  FOREIGN KEY ("id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "write_payment_error_code"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "payment_error_code" ("id", "code", "merchant_account_id", "created_at")
  VALUES (NEW.id, NEW.last_error->>'code', NEW.merchant_account_id, NEW.created_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "payment_intent_last_error_inserted" AFTER INSERT ON "payment_intent"
  FOR EACH ROW WHEN (NEW.last_error->>'code' IS NOT NULL) EXECUTE FUNCTION "write_payment_error_code"();
CREATE TRIGGER "payment_intent_last_error_updated" AFTER UPDATE OF "last_error" ON "payment_intent"
  FOR EACH ROW WHEN (NEW.last_error->>'code' IS NOT NULL AND OLD.last_error IS DISTINCT FROM NEW.last_error)
  EXECUTE FUNCTION "write_payment_error_code"();

CREATE FUNCTION "write_attempt_error_code"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "payment_error_code" ("id", "code", "merchant_account_id", "created_at")
  SELECT id, NEW.code, merchant_account_id, created_at FROM "payment_intent" WHERE id = NEW.payment_intent_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;
CREATE TRIGGER "payment_attempt_code_inserted" AFTER INSERT ON "payment_attempt"
  FOR EACH ROW WHEN (NEW.code IS NOT NULL) EXECUTE FUNCTION "write_attempt_error_code"();
CREATE TRIGGER "payment_attempt_code_updated" AFTER UPDATE OF "code" ON "payment_attempt"
  FOR EACH ROW WHEN (NEW.code IS NOT NULL AND OLD.code IS DISTINCT FROM NEW.code) EXECUTE FUNCTION "write_attempt_error_code"();

INSERT INTO "payment_error_code" ("id", "code", "merchant_account_id", "created_at")
SELECT i.id, i.last_error->>'code', i.merchant_account_id, i.created_at FROM "payment_intent" i
WHERE i.last_error->>'code' IS NOT NULL
UNION
SELECT i.id, a.code, i.merchant_account_id, i.created_at
FROM "payment_attempt" a JOIN "payment_intent" i ON i.id = a.payment_intent_id WHERE a.code IS NOT NULL;

DROP INDEX "payment_intent_error_code_idx";
