-- What happened to an account's payments by hour and by day, added up from the events. An installation that is upgraded begins with
-- the oldest event that it has kept.
CREATE TABLE "payment_statistic" (
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount_minor" BIGINT NOT NULL,

    CONSTRAINT "payment_statistic_pkey" PRIMARY KEY ("merchant_account_id", "environment", "period", "currency", "starts_at", "kind",
        "outcome", "provider", "method", "country", "code")
);
CREATE INDEX "payment_statistic_starts_at_idx" ON "payment_statistic" ("starts_at");
ALTER TABLE "payment_statistic" ADD CONSTRAINT "payment_statistic_account_fkey"
    FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account" ("id", "environment")
    ON DELETE RESTRICT ON UPDATE CASCADE;

-- Up to which event they are kept; one row.
CREATE TABLE "statistics_cursor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,

    CONSTRAINT "statistics_cursor_pkey" PRIMARY KEY ("id")
);
INSERT INTO "statistics_cursor" ("id", "position") VALUES (1, 0);
