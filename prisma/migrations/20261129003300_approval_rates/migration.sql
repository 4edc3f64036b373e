CREATE TABLE "routing_setting" (
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "ordering" TEXT NOT NULL,
  "exploration_share" DOUBLE PRECISION NOT NULL,
  "minimum_attempts" INTEGER NOT NULL,
  "window_hours" INTEGER NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "routing_setting_pkey" PRIMARY KEY ("merchant_id", "environment", "method")
);
ALTER TABLE "routing_setting" ADD CONSTRAINT "routing_setting_merchant_id_fkey"
  FOREIGN KEY ("merchant_id") REFERENCES "merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "approval_rate" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "country" TEXT NOT NULL,
  "approved" DOUBLE PRECISION NOT NULL,
  "weight" DOUBLE PRECISION NOT NULL,
  "attempts" BIGINT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "approval_rate_pkey" PRIMARY KEY ("merchant_account_id", "environment", "method", "provider", "currency", "country")
);
CREATE INDEX "approval_rate_updated_at_idx" ON "approval_rate" ("updated_at");
ALTER TABLE "approval_rate" ADD CONSTRAINT "approval_rate_account_fkey"
  FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account" ("id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE;
