-- Only confirmed payments count against a link's maximum.
ALTER TABLE "payment_link_payment" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
