-- Webhooks that a provider signed with credentials which were rotated away are accepted until their own overlap ends.
CREATE TABLE "provider_account_previous_credentials" (
    "provider_account_id" TEXT NOT NULL,
    "rotation_id" TEXT NOT NULL,
    "credentials_key_id" TEXT NOT NULL,
    "credentials_ciphertext" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_account_previous_credentials_pkey" PRIMARY KEY ("provider_account_id","rotation_id")
);
ALTER TABLE "provider_account_previous_credentials" ADD CONSTRAINT "provider_account_previous_credentials_account_fkey"
  FOREIGN KEY ("provider_account_id") REFERENCES "provider_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
