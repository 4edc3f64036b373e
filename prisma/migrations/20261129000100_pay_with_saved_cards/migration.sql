-- Payments with saved cards: by the customer, and by the merchant without the customer.
ALTER TABLE "payment_intent" ADD COLUMN "allow_saved_payment_methods" BOOLEAN NOT NULL DEFAULT false;

-- A payment method that refers to a saved one has no card of its own.
ALTER TABLE "payment_method" ALTER COLUMN "key_id" DROP NOT NULL;
ALTER TABLE "payment_method" ADD COLUMN "saved_use" TEXT;

ALTER TABLE "payment_attempt" ADD COLUMN "saved_use" TEXT;
