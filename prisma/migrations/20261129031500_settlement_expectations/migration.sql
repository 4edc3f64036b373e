-- When the entries of a settlement were first read to their end.
ALTER TABLE "settlement" ADD COLUMN "imported_at" TIMESTAMPTZ(3);

-- Settlements that lost an entry to another one are counted anew.
CREATE INDEX settlement_entry_superseded_idx ON settlement_entry (provider, superseded_at) WHERE (superseded_at IS NOT NULL);

-- Up to which transaction an account's money at a provider is expected in a settlement.
CREATE TABLE "settlement_expectation" (
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "through" TIMESTAMPTZ(3) NOT NULL,
  "through_id" TEXT NOT NULL DEFAULT '',
  CONSTRAINT "settlement_expectation_pkey" PRIMARY KEY (provider, merchant_account_id)
);
ALTER TABLE "settlement_expectation" ADD CONSTRAINT "settlement_expectation_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;

-- Each account has a clock of its own in the sandbox.
DROP INDEX settlement_entry_expected_idx;
CREATE INDEX settlement_entry_expected_idx ON settlement_entry (merchant_account_id, provider, occurred_at) WHERE (superseded_at IS NULL AND match = 'expected');
