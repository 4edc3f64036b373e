-- Addresses where whoever has one can pay an amount, and the payments that were opened there.
CREATE TABLE "payment_link" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "description" TEXT,
    "reference" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "max_payments" INTEGER,
    "paid_count" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "payment_link_token_hash_key" ON "payment_link"("token_hash");
CREATE UNIQUE INDEX "payment_link_id_merchant_account_id_environment_key"
    ON "payment_link"("id", "merchant_account_id", "environment");
CREATE INDEX "payment_link_merchant_account_id_created_at_id_idx"
    ON "payment_link"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "payment_link_merchant_account_id_active_created_at_id_idx"
    ON "payment_link"("merchant_account_id", "active", "created_at" DESC, "id" DESC);
CREATE INDEX "payment_link_reference_idx" ON "payment_link"("merchant_account_id", "reference", "created_at" DESC, "id" DESC)
    WHERE "reference" IS NOT NULL;

ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_account_fkey"
    FOREIGN KEY ("merchant_account_id", "environment")
    REFERENCES "merchant_account"("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "payment_link_payment" (
    "id" TEXT NOT NULL,
    "payment_link_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "outcome" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_link_payment_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "payment_link_payment_id_merchant_account_id_environment_key"
    ON "payment_link_payment"("id", "merchant_account_id", "environment");
CREATE INDEX "payment_link_payment_payment_link_id_created_at_id_idx"
    ON "payment_link_payment"("payment_link_id", "created_at" DESC, "id" DESC);
-- At most as many rows of a link as it may have payments open at once.
CREATE INDEX "payment_link_payment_open_idx" ON "payment_link_payment"("payment_link_id") WHERE "outcome" IS NULL;

ALTER TABLE "payment_link_payment" ADD CONSTRAINT "payment_link_payment_link_fkey"
    FOREIGN KEY ("payment_link_id", "merchant_account_id", "environment")
    REFERENCES "payment_link"("id", "merchant_account_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_link_payment" ADD CONSTRAINT "payment_link_payment_intent_fkey"
    FOREIGN KEY ("id", "merchant_account_id", "environment")
    REFERENCES "payment_intent"("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE;
