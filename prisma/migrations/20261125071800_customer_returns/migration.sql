-- The result with which a customer came back from a provider's page, and whether it was sent to the provider.
CREATE TABLE "customer_return" (
    "attempt_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "result_key_id" TEXT,
    "result_ciphertext" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_return_pkey" PRIMARY KEY ("attempt_id")
);

CREATE INDEX "customer_return_payment_intent_id_idx" ON "customer_return"("payment_intent_id");
CREATE INDEX "customer_return_created_at_idx" ON "customer_return"("created_at");

ALTER TABLE "customer_return" ADD CONSTRAINT "customer_return_payment_intent_id_fkey"
    FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
