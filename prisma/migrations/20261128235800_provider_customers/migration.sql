-- By which id a provider knows a customer, where it keeps customers of its own.
CREATE TABLE "provider_customer" (
  "customer_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider_customer_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "provider_customer_pkey" PRIMARY KEY ("customer_id", "provider")
);

CREATE UNIQUE INDEX "customer_account_key" ON "customer"("id", "merchant_account_id", "environment");

ALTER TABLE "provider_customer" ADD CONSTRAINT "provider_customer_customer_fkey" FOREIGN KEY ("customer_id", "merchant_account_id", "environment") REFERENCES "customer"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE;

-- A provider's webhook names the customer by the provider's id.
CREATE INDEX "provider_customer_provider_provider_customer_id_idx" ON "provider_customer"("provider", "provider_customer_id");
