-- A session of the platform's staff ends some time after its last request; it is written once a minute at most.
ALTER TABLE "person_session" ADD COLUMN "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- The requests of an API key: the last one with its row, and those of each day by address and operation, beside the request log,
-- which has no reads that succeed.
ALTER TABLE "api_key" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
ALTER TABLE "api_key" ADD COLUMN "last_used_from" TEXT;

CREATE TABLE "api_key_use" (
    "api_key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "address" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "api_key_use_pkey" PRIMARY KEY ("api_key_id", "day", "address", "operation")
);
CREATE INDEX "api_key_use_last_at_idx" ON "api_key_use"("last_at");
ALTER TABLE "api_key_use" ADD CONSTRAINT "api_key_use_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Where a logged request came from.
ALTER TABLE "request_log" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
ALTER TABLE "request_log" ALTER COLUMN "address" DROP DEFAULT;

-- What browsers report of the content security policies of the payment page and the card fields, counted.
CREATE TABLE "policy_report" (
    "day" DATE NOT NULL,
    "page" TEXT NOT NULL,
    "directive" TEXT NOT NULL,
    "blocked" TEXT NOT NULL,
    "reports" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "policy_report_pkey" PRIMARY KEY ("day", "page", "directive", "blocked")
);
CREATE INDEX "policy_report_last_at_idx" ON "policy_report"("last_at");
