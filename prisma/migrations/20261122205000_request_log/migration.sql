-- Answered requests with masked bodies, for support and for merchants; kept for some days. Written by the API in batches.
CREATE TABLE "request_log" (
    "id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "request_body" JSONB,
    "response_body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "request_log_merchant_account_id_created_at_id_idx"
  ON "request_log"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "request_log_merchant_account_id_request_id_created_at_idx"
  ON "request_log"("merchant_account_id", "request_id", "created_at" DESC);
CREATE INDEX "request_log_merchant_account_id_status_created_at_id_idx"
  ON "request_log"("merchant_account_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "request_log_merchant_account_id_code_created_at_id_idx"
  ON "request_log"("merchant_account_id", "code", "created_at" DESC, "id" DESC);
CREATE INDEX "request_log_merchant_account_id_path_created_at_id_idx"
  ON "request_log"("merchant_account_id", "path", "created_at" DESC, "id" DESC);
CREATE INDEX "request_log_created_at_idx" ON "request_log"("created_at");
