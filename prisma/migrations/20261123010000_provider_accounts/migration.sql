-- Accounts of merchants at providers. Routes, attempts and events name one by its id.
CREATE TABLE "provider_account" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "credentials_key_id" TEXT NOT NULL,
    "credentials_ciphertext" BYTEA NOT NULL,
    "credential_names" TEXT[],
    "public_credentials" JSONB NOT NULL DEFAULT '{}',
    "credentials_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_account_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "provider_account_merchant_account_id_created_at_id_idx"
    ON "provider_account"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "provider_account_merchant_id_environment_idx" ON "provider_account"("merchant_id", "environment");

ALTER TABLE "provider_account" ADD CONSTRAINT "provider_account_account_fkey"
    FOREIGN KEY ("merchant_account_id", "merchant_id", "environment")
    REFERENCES "merchant_account"("id", "merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
