-- Each secret that was rotated away signs until its own overlap ends, however often the endpoint's secret is rotated meanwhile.
CREATE TABLE "webhook_previous_secret" (
    "webhook_endpoint_id" TEXT NOT NULL,
    "rotation_id" TEXT NOT NULL,
    "secret_key_id" TEXT NOT NULL,
    "secret_ciphertext" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_previous_secret_pkey" PRIMARY KEY ("webhook_endpoint_id","rotation_id")
);
ALTER TABLE "webhook_previous_secret" ADD CONSTRAINT "webhook_previous_secret_webhook_endpoint_id_fkey"
  FOREIGN KEY ("webhook_endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;
INSERT INTO "webhook_previous_secret"
SELECT "id", COALESCE("rotation_id", "id"), "previous_secret_key_id", "previous_secret_ciphertext", "previous_secret_expires_at"
FROM "webhook_endpoint"
WHERE "previous_secret_key_id" IS NOT NULL AND "previous_secret_ciphertext" IS NOT NULL AND "previous_secret_expires_at" > now();
ALTER TABLE "webhook_endpoint" DROP COLUMN "previous_secret_key_id", DROP COLUMN "previous_secret_ciphertext";
