-- Whether a key may act for its own account only, instead of any account of its merchant.
ALTER TABLE "api_key" ADD COLUMN "account_bound" BOOLEAN NOT NULL DEFAULT false;
