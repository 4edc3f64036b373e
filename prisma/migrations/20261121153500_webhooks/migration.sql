CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "enabled_events" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'enabled',
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret_key_id" TEXT NOT NULL,
    "secret_ciphertext" BYTEA NOT NULL,
    "previous_secret_key_id" TEXT,
    "previous_secret_ciphertext" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "rotation_id" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhook_endpoint_merchant_account_id_created_at_id_idx" ON "webhook_endpoint"("merchant_account_id", "created_at" DESC, "id" DESC);

CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "webhook_endpoint_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "payment_intent_id" TEXT,
    "position" BIGINT NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 1,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "blocked_by" TEXT,
    "claimed_at" TIMESTAMPTZ(3),
    "workflow_started_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "webhook_delivery_event_id_webhook_endpoint_id_round_key" ON "webhook_delivery"("event_id", "webhook_endpoint_id", "round");
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery"("created_at");
-- What may be started now, what waits for another, and which delivery of a payment is the last one under way.
CREATE INDEX "webhook_delivery_to_start_idx" ON "webhook_delivery"("position") WHERE "workflow_started_at" IS NULL AND "blocked_by" IS NULL;
CREATE INDEX "webhook_delivery_blocked_by_idx" ON "webhook_delivery"("blocked_by") WHERE "blocked_by" IS NOT NULL;
CREATE INDEX "webhook_delivery_under_way_idx" ON "webhook_delivery"("webhook_endpoint_id", "payment_intent_id", "position") WHERE "status" = 'pending';

CREATE TABLE "webhook_attempt" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status_code" INTEGER,
    "error" TEXT,
    "response_body" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id", "number"),
    CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "webhook_cursor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,

    CONSTRAINT "webhook_cursor_pkey" PRIMARY KEY ("id")
);
-- Events from before there were endpoints go to none.
INSERT INTO "webhook_cursor" ("id", "position") SELECT 1, coalesce(max("position"), 0) FROM "event";
