-- An attempt whose provider may have been called before the workflow's history knew of it is never forgotten.
ALTER TABLE "payment_attempt" ADD COLUMN "called_at_once" BOOLEAN NOT NULL DEFAULT false;
