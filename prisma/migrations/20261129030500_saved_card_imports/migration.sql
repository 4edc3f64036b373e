-- A saved payment method that was imported has no payment with which its customer agreed, and its credential no attempt.
ALTER TABLE "saved_payment_method" ALTER COLUMN "initial_payment_intent_id" DROP NOT NULL;
ALTER TABLE "saved_payment_method" ADD COLUMN "card_groups" TEXT[] DEFAULT ARRAY[]::text[];
ALTER TABLE "saved_payment_method_credential" ALTER COLUMN "attempt_id" DROP NOT NULL;
ALTER TABLE "saved_payment_method_credential" ADD COLUMN "usage" TEXT;
