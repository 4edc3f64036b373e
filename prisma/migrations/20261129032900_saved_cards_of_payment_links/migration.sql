-- Whose saved cards the page of a payment link may use, and what it may save a card for.
ALTER TABLE "payment_link"
  ADD COLUMN "customer_id" TEXT,
  ADD COLUMN "setup_future_usage" TEXT,
  ADD COLUMN "allow_saved_payment_methods" BOOLEAN NOT NULL DEFAULT false;
