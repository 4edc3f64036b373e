-- What customers see of an account: its public name, contacts, colour and logo.
ALTER TABLE "merchant_account" ADD COLUMN "public_name" TEXT,
  ADD COLUMN "color" TEXT,
  ADD COLUMN "support_email" TEXT,
  ADD COLUMN "support_phone" TEXT,
  ADD COLUMN "support_url" TEXT,
  ADD COLUMN "terms_url" TEXT,
  ADD COLUMN "return_url" TEXT,
  ADD COLUMN "logo_digest" TEXT;

-- Apart from its account, whose row nearly every request reads.
CREATE TABLE "account_logo" (
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "png" BYTEA NOT NULL,

    CONSTRAINT "account_logo_pkey" PRIMARY KEY ("merchant_account_id","environment")
);
CREATE INDEX "account_logo_digest_idx" ON "account_logo"("digest");
ALTER TABLE "account_logo" ADD CONSTRAINT "account_logo_account_fkey" FOREIGN KEY ("merchant_account_id", "environment")
  REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
