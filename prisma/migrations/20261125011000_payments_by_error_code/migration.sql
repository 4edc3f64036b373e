-- Payments by the code of their last failure. Partial: a payment that has not failed costs nothing. The schema language cannot say it.
CREATE INDEX IF NOT EXISTS "payment_intent_error_code_idx"
  ON "payment_intent"("merchant_account_id", ("last_error"->>'code'), "created_at" DESC, "id" DESC)
  WHERE "last_error" IS NOT NULL;
