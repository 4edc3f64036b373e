-- How far the time of a sandbox account was advanced. An account without a row was never advanced.
CREATE TABLE "test_clock" (
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "advanced_seconds" INTEGER NOT NULL,
    "last_advance_id" TEXT NOT NULL,
    "advanced_at" TIMESTAMPTZ(3) NOT NULL,
    "next_pass_at" TIMESTAMPTZ(3),

    CONSTRAINT "test_clock_pkey" PRIMARY KEY ("merchant_account_id", "environment")
);
ALTER TABLE "test_clock" ADD CONSTRAINT "test_clock_account_fkey"
    FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account" ("id", "environment")
    ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "test_clock_next_pass_at_idx" ON "test_clock"("next_pass_at") WHERE "next_pass_at" IS NOT NULL;

-- The reading of the account's test clock that the payment has followed.
ALTER TABLE "payment_intent" ADD COLUMN "test_clock_seconds" INTEGER NOT NULL DEFAULT 0;
-- By which a pass walks the open payments of an account.
CREATE INDEX IF NOT EXISTS "payment_intent_test_clock_idx" ON "payment_intent"("merchant_account_id", "id")
    WHERE "environment" = 'sandbox'
      AND "status" IN ('requires_payment_method', 'processing', 'requires_action', 'requires_capture');
