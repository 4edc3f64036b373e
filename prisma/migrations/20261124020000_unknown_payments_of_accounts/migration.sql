-- Whether an earlier run has found the same payment of another system: the merchant is told once.
CREATE INDEX "reconciliation_difference_provider_payment_id_idx" ON "reconciliation_difference" ("provider_payment_id");
