-- Whether refunds and captures of an account need an idempotency key.
ALTER TABLE "merchant_account" ADD COLUMN "require_idempotency_keys" BOOLEAN NOT NULL DEFAULT false;
