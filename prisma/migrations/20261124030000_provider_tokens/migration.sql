-- A payment method may be a provider's own token, which only that provider takes. Its card is not known, so that declines are
-- counted under the token alone.
ALTER TABLE "payment_method" ADD COLUMN "token_provider" TEXT;
ALTER TABLE "card_digest" ALTER COLUMN "bin" DROP NOT NULL;
