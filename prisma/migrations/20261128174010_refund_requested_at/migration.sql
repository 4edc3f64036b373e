-- When the provider was first asked for a refund: from then on its idempotency key grows older.
ALTER TABLE "refund" ADD COLUMN "requested_at" TIMESTAMPTZ(3);
UPDATE "refund" SET "requested_at" = "created_at" WHERE "origin" = 'engine';
