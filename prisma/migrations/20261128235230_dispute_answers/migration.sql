-- What a merchant does about a dispute, its evidence, and the checks of its workflow.
ALTER TABLE "dispute"
  ADD COLUMN "evidence" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "evidence_submitted_at" TIMESTAMPTZ(3),
  ADD COLUMN "operation" TEXT,
  ADD COLUMN "operation_id" TEXT,
  ADD COLUMN "operation_called_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_error" JSONB,
  ADD COLUMN "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX dispute_account_due_idx ON dispute (merchant_account_id, next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX dispute_due_idx ON dispute (next_due_at, id) WHERE (next_due_at IS NOT NULL);
CREATE INDEX "dispute_merchant_account_id_provider_created_at_id_idx" ON "dispute" ("merchant_account_id", "provider", "created_at" DESC, "id" DESC);
CREATE INDEX "dispute_merchant_account_id_respond_by_idx" ON "dispute" ("merchant_account_id", "respond_by");
CREATE UNIQUE INDEX "dispute_id_merchant_account_id_environment_key" ON "dispute" ("id", "merchant_account_id", "environment");

CREATE TABLE "dispute_file" (
  "dispute_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "content_type" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "key_id" TEXT NOT NULL,
  "ciphertext" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "dispute_file_pkey" PRIMARY KEY ("dispute_id", "kind")
);
ALTER TABLE "dispute_file" ADD CONSTRAINT "dispute_file_dispute_fkey" FOREIGN KEY ("dispute_id", "merchant_account_id", "environment") REFERENCES "dispute" ("id", "merchant_account_id", "environment") ON DELETE CASCADE ON UPDATE CASCADE;

-- For the purge.
CREATE INDEX "dispute_file_created_at_idx" ON "dispute_file" ("created_at");
CREATE INDEX dispute_evidence_idx ON dispute (outcome_at) WHERE (evidence <> '{}'::jsonb);
