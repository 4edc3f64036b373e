ALTER TABLE "merchant_account" ADD COLUMN "decline_retries_enabled" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "decline_retries_maximum" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "decline_retries_issuer_declines" BOOLEAN NOT NULL DEFAULT false;
