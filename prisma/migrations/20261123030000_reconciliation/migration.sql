-- A comparison of a provider's list of payments with ours.
CREATE TABLE "reconciliation_run" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "merchant_account_id" TEXT,
    "environment" TEXT,
    "window_from" TIMESTAMPTZ(3) NOT NULL,
    "window_to" TIMESTAMPTZ(3) NOT NULL,
    "is_continuous" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "error" TEXT,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "cursor" TEXT,
    "compared" INTEGER NOT NULL DEFAULT 0,
    "repaired" INTEGER NOT NULL DEFAULT 0,
    "reported" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "reconciliation_run_provider_window_to_idx" ON "reconciliation_run" ("provider", "window_to" DESC);
CREATE INDEX "reconciliation_run_started_at_idx" ON "reconciliation_run" ("started_at");

-- What a run has counted of the payments of one account.
CREATE TABLE "reconciliation_account" (
    "run_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "compared" INTEGER NOT NULL,
    "repaired" INTEGER NOT NULL,
    "reported" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reconciliation_account_pkey" PRIMARY KEY ("run_id", "merchant_account_id")
);
CREATE INDEX "reconciliation_account_merchant_account_id_created_at_run_i_idx"
    ON "reconciliation_account" ("merchant_account_id", "created_at" DESC, "run_id" DESC);

CREATE TABLE "reconciliation_difference" (
    "run_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "merchant_account_id" TEXT,
    "environment" TEXT,
    "payment_intent_id" TEXT,
    "attempt_id" TEXT,
    "refund_id" TEXT,
    "provider_payment_id" TEXT,
    "ours" JSONB,
    "theirs" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "reconciliation_difference_pkey" PRIMARY KEY ("run_id", "number")
);
CREATE INDEX "reconciliation_difference_attempt_id_idx" ON "reconciliation_difference" ("attempt_id");

-- The attempts that a run has found in the provider's list; deleted when it has ended.
CREATE TABLE "reconciliation_match" (
    "run_id" TEXT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    CONSTRAINT "reconciliation_match_pkey" PRIMARY KEY ("run_id", "attempt_id")
);

ALTER TABLE "reconciliation_run" ADD CONSTRAINT "reconciliation_run_account_fkey"
    FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account" ("id", "environment")
    ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliation_account" ADD CONSTRAINT "reconciliation_account_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "reconciliation_run" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "reconciliation_difference" ADD CONSTRAINT "reconciliation_difference_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "reconciliation_run" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "reconciliation_match" ADD CONSTRAINT "reconciliation_match_run_id_fkey"
    FOREIGN KEY ("run_id") REFERENCES "reconciliation_run" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
