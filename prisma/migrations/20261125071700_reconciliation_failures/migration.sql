-- Why a run failed, by a code that merchants may see; null where it did not, or failed before the column was there.
ALTER TABLE "reconciliation_run" ADD COLUMN "failure_code" TEXT;
