-- Partial indexes over card data that still has to be erased: small however many payment methods there are.
CREATE INDEX "payment_method_ciphertext_idx" ON "payment_method"("created_at") WHERE "ciphertext" IS NOT NULL;

CREATE INDEX "payment_method_cvc_idx" ON "payment_method"("created_at") WHERE "cvc_ciphertext" IS NOT NULL;
