-- Every address in a wallet is given out once, also after its row was purged. BIP 32 has 2^31 of them.
CREATE SEQUENCE "deposit_index" AS INTEGER MINVALUE 0 START 0;

CREATE TABLE "deposit_address" (
    "attempt_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "derivation_index" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "expected_amount" DECIMAL(78,0) NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "confirmations" INTEGER NOT NULL,
    "quote_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "start_block" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "settled_amount" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "stray_amount" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deposit_address_pkey" PRIMARY KEY ("attempt_id"),
    CONSTRAINT "deposit_address_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "deposit_address_derivation_index_key" ON "deposit_address"("derivation_index");
CREATE UNIQUE INDEX "deposit_address_provider_address_key" ON "deposit_address"("provider", "address");
CREATE INDEX "deposit_address_payment_intent_id_idx" ON "deposit_address"("payment_intent_id");
CREATE INDEX "deposit_address_open_idx" ON "deposit_address"("provider", "quote_expires_at") WHERE "status" = 'open';

CREATE TABLE "deposit_transfer" (
    "provider" TEXT NOT NULL,
    "transaction_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "block_at" TIMESTAMPTZ(3) NOT NULL,
    "amount" DECIMAL(78,0) NOT NULL,
    "is_settled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "deposit_transfer_pkey" PRIMARY KEY ("provider", "transaction_hash", "log_index"),
    CONSTRAINT "deposit_transfer_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "deposit_address"("attempt_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "deposit_transfer_attempt_id_idx" ON "deposit_transfer"("attempt_id");
CREATE INDEX "deposit_transfer_provider_block_number_idx" ON "deposit_transfer"("provider", "block_number");
CREATE INDEX "deposit_transfer_to_settle_idx" ON "deposit_transfer"("provider", "attempt_id") WHERE NOT "is_settled";

CREATE TABLE "deposit_cursor" (
    "provider" TEXT NOT NULL,
    "block_number" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "earlier_blocks" JSONB NOT NULL DEFAULT '[]',
    "confirmed_number" BIGINT NOT NULL DEFAULT -1,
    "confirmed_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deposit_cursor_pkey" PRIMARY KEY ("provider")
);
