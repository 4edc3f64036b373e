-- Keyed digests by which declined cards are counted, because the API cannot read a stored card. They last as long as their
-- intent: who has the key could find a card number by trying all of them. Unlogged, as CVCs are, so that no log, replica or
-- base backup keeps them.
CREATE UNLOGGED TABLE "card_digest" (
    "payment_method_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "bin" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_digest_pkey" PRIMARY KEY ("payment_method_id")
);
CREATE INDEX "card_digest_payment_intent_id_idx" ON "card_digest"("payment_intent_id");
