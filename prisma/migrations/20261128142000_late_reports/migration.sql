-- When a provider first reported a dispute of the payment, or what comes before one; null if it never did.
ALTER TABLE "payment_intent" ADD COLUMN "disputed_at" TIMESTAMPTZ(3);

-- engine: requested here | provider: made at the provider without a request.
ALTER TABLE "refund" ADD COLUMN "origin" TEXT NOT NULL DEFAULT 'engine';
