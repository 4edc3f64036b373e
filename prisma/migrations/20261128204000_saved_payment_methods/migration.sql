-- Cards that customers let a merchant keep, and the tokens by which providers know them.
ALTER TABLE "payment_intent" ADD COLUMN "setup_future_usage" TEXT;

ALTER TABLE "payment_method" ADD COLUMN "saved_payment_method_id" TEXT;

CREATE TABLE "saved_payment_method" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "status_reason" TEXT,
  "masked" JSONB NOT NULL,
  "usage" TEXT NOT NULL,
  "consent" JSONB,
  "initial_payment_intent_id" TEXT NOT NULL,
  "is_default" BOOLEAN NOT NULL DEFAULT false,
  "metadata" JSONB NOT NULL DEFAULT '{}',
  "card_fingerprint" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "card_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "next_due_at" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "saved_payment_method_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "saved_payment_method_credential" (
  "saved_payment_method_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "has_network_transaction_id" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "saved_payment_method_credential_pkey" PRIMARY KEY ("saved_payment_method_id", "provider")
);

CREATE TABLE "payment_method_save" (
  "payment_method_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT NOT NULL,
  "usage" TEXT,
  "consent" JSONB,
  "card_fingerprint" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "card_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "payment_method_save_pkey" PRIMARY KEY ("payment_method_id")
);

CREATE INDEX "payment_method_saved_payment_method_id_idx" ON "payment_method"("saved_payment_method_id") WHERE saved_payment_method_id IS NOT NULL;

-- A card is kept once for a customer, and may be kept for any number of customers.
CREATE UNIQUE INDEX "saved_payment_method_card" ON "saved_payment_method"("customer_id", "card_fingerprint") WHERE status IN ('active', 'invalid');
CREATE UNIQUE INDEX "saved_payment_method_account_key" ON "saved_payment_method"("id", "merchant_account_id", "environment");
CREATE INDEX "saved_payment_method_merchant_account_id_created_at_id_idx" ON "saved_payment_method"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "saved_payment_method_merchant_account_id_customer_id_create_idx" ON "saved_payment_method"("merchant_account_id", "customer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "saved_payment_method_next_due_at_idx" ON "saved_payment_method"("next_due_at") WHERE next_due_at IS NOT NULL;
CREATE INDEX "saved_payment_method_card_expires_at_idx" ON "saved_payment_method"("card_expires_at") WHERE status IN ('active', 'invalid');
CREATE INDEX "saved_payment_method_last_used_at_idx" ON "saved_payment_method"("last_used_at") WHERE status IN ('active', 'invalid');
CREATE INDEX "saved_payment_method_updated_at_idx" ON "saved_payment_method"("updated_at") WHERE status = 'detached';
CREATE INDEX "payment_method_save_payment_intent_id_idx" ON "payment_method_save"("payment_intent_id");

ALTER TABLE "saved_payment_method" ADD CONSTRAINT "saved_payment_method_account_fkey" FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "saved_payment_method_credential" ADD CONSTRAINT "saved_payment_method_credential_method_fkey" FOREIGN KEY ("saved_payment_method_id", "merchant_account_id", "environment") REFERENCES "saved_payment_method"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "payment_method_save" ADD CONSTRAINT "payment_method_save_account_fkey" FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was to be saved, and was not, goes with the other secrets once no confirm can follow.
CREATE OR REPLACE FUNCTION erase_card_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM payment_method_cvc WHERE payment_intent_id = NEW.id;
  DELETE FROM card_digest WHERE payment_intent_id = NEW.id;
  IF NEW.customer_id IS NOT NULL THEN
    DELETE FROM payment_method_save WHERE payment_intent_id = NEW.id;
  END IF;
  RETURN NULL;
END;
$$;
