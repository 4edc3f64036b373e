-- A CVC must not outlive its use, in the write-ahead log, replicas and backups either: it moves to an unlogged table. Earlier
-- versions go on with payment_method.cvc_ciphertext; what they write there is still read, and erased as before.
CREATE UNLOGGED TABLE "payment_method_cvc" (
    "payment_method_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_method_cvc_pkey" PRIMARY KEY ("payment_method_id")
);
CREATE INDEX "payment_method_cvc_payment_intent_id_idx" ON "payment_method_cvc"("payment_intent_id");
