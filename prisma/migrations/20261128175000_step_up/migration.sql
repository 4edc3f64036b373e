-- When the person of a session last proved who it is, and what a team demands of its people.
ALTER TABLE "person_session" ADD COLUMN "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "merchant" ADD COLUMN "require_second_factor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "merchant_account" ADD COLUMN "refund_confirmation_minor" BIGINT;
