-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "merchant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_account" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "attempt_budget" INTEGER NOT NULL DEFAULT 5,
    "refund_window_days" INTEGER NOT NULL DEFAULT 180,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "salt_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "ip_restricted" BOOLEAN NOT NULL DEFAULT false,
    "ip_allowlist" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_route" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "currencies" TEXT[],
    "countries" TEXT[],
    "excluded_countries" TEXT[],
    "priority" INTEGER NOT NULL DEFAULT 100,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_route_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_limit" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "minimum_minor" BIGINT NOT NULL,
    "maximum_minor" BIGINT NOT NULL,

    CONSTRAINT "channel_limit_pkey" PRIMARY KEY ("merchant_id","environment","method","currency")
);

-- CreateTable
CREATE TABLE "customer" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "country" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_intent" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_capturable_minor" BIGINT NOT NULL DEFAULT 0,
    "amount_captured_minor" BIGINT NOT NULL DEFAULT 0,
    "amount_refunded_minor" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "description" TEXT,
    "customer_id" TEXT,
    "country" TEXT,
    "capture_method" TEXT NOT NULL,
    "payment_method_id" TEXT,
    "return_url" TEXT,
    "next_action" JSONB,
    "provider" TEXT,
    "last_error" JSONB,
    "advisory" JSONB,
    "cancellation_reason" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "client_secret_hash" TEXT NOT NULL,
    "attempt_budget" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "workflow_started_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_intent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_attempt" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "route_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "payment_method_id" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "tries" INTEGER NOT NULL,
    "outcome" TEXT,
    "code" TEXT,
    "provider_payment_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transaction" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_payment_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "timeline_entry" (
    "payment_intent_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "details" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "timeline_entry_pkey" PRIMARY KEY ("payment_intent_id","version","ordinal")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "payment_intent_id" TEXT,
    "version" INTEGER NOT NULL,
    "failure" JSONB,
    "snapshot" JSONB NOT NULL,
    "insertion" BIGSERIAL NOT NULL,
    "position" BIGINT,
    "sequence" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_counter" (
    "scope" TEXT NOT NULL,
    "last_value" BIGINT NOT NULL,

    CONSTRAINT "event_counter_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "provider_event" (
    "provider" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "event" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_event_pkey" PRIMARY KEY ("provider","event_id")
);

-- CreateTable
CREATE TABLE "provider_health" (
    "provider" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "consecutive_failures" INTEGER NOT NULL,
    "open_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_health_pkey" PRIMARY KEY ("provider","environment")
);

-- CreateTable
CREATE TABLE "payment_method" (
    "id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "masked" JSONB NOT NULL,
    "key_id" TEXT NOT NULL,
    "ciphertext" BYTEA,
    "cvc_ciphertext" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_method_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_intent_amendment" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_intent_amendment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "response_key_id" TEXT,
    "response_body" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("merchant_account_id","environment","key")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "merchant_account_merchant_id_idx" ON "merchant_account"("merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_hash_key" ON "api_key"("key_hash");

-- CreateIndex
CREATE INDEX "api_key_merchant_account_id_idx" ON "api_key"("merchant_account_id");

-- CreateIndex
CREATE INDEX "payment_route_merchant_id_environment_method_idx" ON "payment_route"("merchant_id", "environment", "method");

-- CreateIndex
CREATE INDEX "customer_merchant_account_id_created_at_idx" ON "customer"("merchant_account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_intent_client_secret_hash_key" ON "payment_intent"("client_secret_hash");

-- CreateIndex
CREATE INDEX "payment_intent_merchant_account_id_created_at_id_idx" ON "payment_intent"("merchant_account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_merchant_account_id_status_created_at_idx" ON "payment_intent"("merchant_account_id", "status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_merchant_account_id_customer_id_created_at_idx" ON "payment_intent"("merchant_account_id", "customer_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_merchant_account_id_currency_created_at_idx" ON "payment_intent"("merchant_account_id", "currency", "created_at" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_updated_at_idx" ON "payment_intent"("updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_attempt_payment_intent_id_number_key" ON "payment_attempt"("payment_intent_id", "number");

-- CreateIndex
CREATE INDEX "transaction_payment_intent_id_idx" ON "transaction"("payment_intent_id");

-- CreateIndex
CREATE INDEX "transaction_merchant_account_id_created_at_idx" ON "transaction"("merchant_account_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "event_position_key" ON "event"("position");

-- CreateIndex
CREATE INDEX "event_payment_intent_id_position_idx" ON "event"("payment_intent_id", "position");

-- CreateIndex
CREATE INDEX "event_created_at_idx" ON "event"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_merchant_account_id_sequence_key" ON "event"("merchant_account_id", "sequence");

-- CreateIndex
CREATE INDEX "provider_event_received_at_idx" ON "provider_event"("received_at");

-- CreateIndex
CREATE INDEX "provider_event_payment_intent_id_idx" ON "provider_event"("payment_intent_id");

-- CreateIndex
CREATE INDEX "payment_method_payment_intent_id_idx" ON "payment_method"("payment_intent_id");

-- CreateIndex
CREATE INDEX "payment_method_created_at_idx" ON "payment_method"("created_at");

-- CreateIndex
CREATE INDEX "payment_intent_amendment_created_at_idx" ON "payment_intent_amendment"("created_at");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- CreateIndex
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit"("expire");

-- AddForeignKey
ALTER TABLE "merchant_account" ADD CONSTRAINT "merchant_account_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_route" ADD CONSTRAINT "payment_route_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_limit" ADD CONSTRAINT "channel_limit_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_intent" ADD CONSTRAINT "payment_intent_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "timeline_entry" ADD CONSTRAINT "timeline_entry_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Partial indexes over what still waits to be done: small however large the tables grow. The schema language cannot say them.
CREATE INDEX "event_unnumbered_idx" ON "event"("insertion") WHERE "position" IS NULL;

CREATE INDEX "payment_intent_workflow_not_started_idx" ON "payment_intent"("created_at") WHERE "workflow_started_at" IS NULL;

CREATE INDEX "provider_event_undelivered_idx" ON "provider_event"("received_at") WHERE "delivered_at" IS NULL;
