-- What providers pay to merchants' banks, and the lines of which it consists.
CREATE TABLE "settlement" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "provider_reference" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "net_amount_minor" BIGINT NOT NULL,
  "is_shared" BOOLEAN NOT NULL,
  "gross_amount_minor" BIGINT NOT NULL DEFAULT 0,
  "fee_amount_minor" BIGINT NOT NULL DEFAULT 0,
  "tax_amount_minor" BIGINT NOT NULL DEFAULT 0,
  "entries_net_minor" BIGINT NOT NULL DEFAULT 0,
  "amounts_by_type" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "entries_total" INTEGER NOT NULL DEFAULT 0,
  "entries_matched" INTEGER NOT NULL DEFAULT 0,
  "entries_exceptions" INTEGER NOT NULL DEFAULT 0,
  "arrival_date" DATE,
  "bank_reference" TEXT,
  "source" TEXT NOT NULL,
  "bank" JSONB,
  "settled_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "settlement_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX settlement_id_merchant_account_id_environment_key ON settlement (id, merchant_account_id, environment);
CREATE UNIQUE INDEX settlement_provider_provider_reference_merchant_account_id_key ON settlement (provider, provider_reference, merchant_account_id);
CREATE INDEX settlement_merchant_account_id_created_at_id_idx ON settlement (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX settlement_merchant_account_id_status_created_at_id_idx ON settlement (merchant_account_id, status, created_at DESC, id DESC);
CREATE INDEX settlement_merchant_account_id_provider_created_at_id_idx ON settlement (merchant_account_id, provider, created_at DESC, id DESC);
CREATE INDEX settlement_merchant_account_id_currency_created_at_id_idx ON settlement (merchant_account_id, currency, created_at DESC, id DESC);
-- For the purge.
CREATE INDEX settlement_created_at_idx ON settlement (created_at);

CREATE TABLE "settlement_entry" (
  "id" TEXT NOT NULL,
  "settlement_id" TEXT,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "provider_type" TEXT,
  "provider_reference" TEXT,
  "transaction_id" TEXT,
  "refund_id" TEXT,
  "dispute_id" TEXT,
  "payment_intent_id" TEXT,
  "amount_minor" BIGINT NOT NULL,
  "fee_minor" BIGINT,
  "fee_details" JSONB NOT NULL DEFAULT '[]'::jsonb,
  "net_minor" BIGINT,
  "currency" TEXT NOT NULL,
  "original_amount_minor" BIGINT,
  "original_currency" TEXT,
  "exchange_rate" TEXT,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "available_on" DATE,
  "match" TEXT NOT NULL,
  "details" JSONB,
  "resolution" TEXT,
  "note" TEXT,
  "resolved_at" TIMESTAMPTZ(3),
  "reported" JSONB,
  "seen_import_id" TEXT,
  "superseded_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "settlement_entry_pkey" PRIMARY KEY (id)
);
-- A line of a provider is in one entry, and so is a transaction that its provider has settled, or is expected to. Lines that were
-- corrected, and expected ones that came, are closed and kept.
CREATE UNIQUE INDEX settlement_entry_line_key ON settlement_entry (provider, merchant_account_id, provider_reference) WHERE (superseded_at IS NULL AND provider_reference IS NOT NULL);
CREATE UNIQUE INDEX settlement_entry_transaction_key ON settlement_entry (transaction_id) WHERE (superseded_at IS NULL AND transaction_id IS NOT NULL AND match <> 'duplicate');
CREATE INDEX settlement_entry_transaction_idx ON settlement_entry (merchant_account_id, transaction_id, created_at DESC, id DESC) WHERE (superseded_at IS NULL AND transaction_id IS NOT NULL);
CREATE INDEX settlement_entry_list_idx ON settlement_entry (merchant_account_id, created_at DESC, id DESC) WHERE (superseded_at IS NULL);
CREATE INDEX settlement_entry_match_idx ON settlement_entry (merchant_account_id, match, created_at DESC, id DESC) WHERE (superseded_at IS NULL);
CREATE INDEX settlement_entry_type_idx ON settlement_entry (merchant_account_id, type, created_at DESC, id DESC) WHERE (superseded_at IS NULL);
CREATE INDEX settlement_entry_settlement_idx ON settlement_entry (settlement_id, created_at DESC, id DESC) WHERE (superseded_at IS NULL);
-- Expected lines of a provider that become overdue.
CREATE INDEX settlement_entry_expected_idx ON settlement_entry (provider, occurred_at) WHERE (superseded_at IS NULL AND match = 'expected');
-- For the purge, and for the deletion of a settlement.
CREATE INDEX settlement_entry_created_at_idx ON settlement_entry (created_at);
CREATE INDEX settlement_entry_settlement_id_idx ON settlement_entry (settlement_id);

-- A reading of a provider's settlements, by its API or from a report.
CREATE TABLE "settlement_import" (
  "id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT,
  "environment" TEXT,
  "source" TEXT NOT NULL,
  "file_name" TEXT,
  "sha256" TEXT,
  "status" TEXT NOT NULL DEFAULT 'running',
  "error" TEXT,
  "failure_code" TEXT,
  "problems" JSONB NOT NULL DEFAULT '[]'::jsonb,
  "since" TIMESTAMPTZ(3),
  "pages" INTEGER NOT NULL DEFAULT 0,
  "cursor" TEXT,
  "settlements" INTEGER NOT NULL DEFAULT 0,
  "entries" INTEGER NOT NULL DEFAULT 0,
  "entries_new" INTEGER NOT NULL DEFAULT 0,
  "entries_superseded" INTEGER NOT NULL DEFAULT 0,
  "exceptions" INTEGER NOT NULL DEFAULT 0,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "settlement_import_pkey" PRIMARY KEY (id)
);
CREATE INDEX settlement_import_provider_started_at_idx ON settlement_import (provider, started_at DESC);
CREATE INDEX settlement_import_merchant_account_id_started_at_id_idx ON settlement_import (merchant_account_id, started_at DESC, id DESC);
CREATE INDEX settlement_import_started_at_idx ON settlement_import (started_at);
-- The same file again is the earlier import.
CREATE UNIQUE INDEX settlement_import_file_key ON settlement_import (merchant_account_id, provider, sha256) WHERE (sha256 IS NOT NULL AND status <> 'failed');

ALTER TABLE "settlement" ADD CONSTRAINT "settlement_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "settlement_entry" ADD CONSTRAINT "settlement_entry_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "settlement_entry" ADD CONSTRAINT "settlement_entry_settlement_fkey" FOREIGN KEY (settlement_id, merchant_account_id, environment) REFERENCES settlement(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "settlement_import" ADD CONSTRAINT "settlement_import_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
