ALTER TABLE "payment_route" ADD COLUMN "conditions" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "payment_method" ADD COLUMN "card_groups" TEXT[] DEFAULT ARRAY[]::TEXT[];

CREATE TABLE "card_group" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefixes" TEXT[],
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "card_group_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "card_group_merchant_id_environment_idx" ON "card_group" ("merchant_id", "environment");
ALTER TABLE "card_group" ADD CONSTRAINT "card_group_merchant_id_fkey"
  FOREIGN KEY ("merchant_id") REFERENCES "merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
