-- Before a customer is deleted, payments that are about to become theirs are looked for.
CREATE INDEX "payment_intent_amendment_customer_idx" ON "payment_intent_amendment"(("changes"->>'customerId'))
  WHERE "changes"->>'customerId' IS NOT NULL;
