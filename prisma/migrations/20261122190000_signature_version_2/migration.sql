-- The version of the signature that a key takes. The salt of a key on version 2 is the HMAC key and is never sent, so it is
-- stored encrypted; its "salt_hash" is empty, which no salt of a request matches, in earlier versions of the engine neither.
ALTER TABLE "api_key" ADD COLUMN "signature_version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "api_key" ADD COLUMN "salt_key_id" TEXT;
ALTER TABLE "api_key" ADD COLUMN "salt_ciphertext" BYTEA;

-- The nonces of signed requests. A nonce is worth nothing once the timestamp of its request has expired: it need not survive
-- the crash of the server.
CREATE UNLOGGED TABLE "request_nonce" (
    "api_key_id" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "request_nonce_pkey" PRIMARY KEY ("api_key_id", "nonce")
);
CREATE INDEX "request_nonce_created_at_idx" ON "request_nonce"("created_at");
