-- People who sign in to the dashboard, and the teams of merchants.
CREATE TABLE "person" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "merchant_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "person_email_key" ON "person"("email");
CREATE INDEX "person_created_at_idx" ON "person"("created_at");

CREATE TABLE "person_session" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_session_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "person_session_token_key" ON "person_session"("token");
CREATE INDEX "person_session_person_id_idx" ON "person_session"("person_id");
CREATE INDEX "person_session_expires_at_idx" ON "person_session"("expires_at");

CREATE TABLE "person_sign_in" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "password" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_sign_in_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "person_sign_in_provider_id_account_id_key" ON "person_sign_in"("provider_id", "account_id");
CREATE INDEX "person_sign_in_person_id_idx" ON "person_sign_in"("person_id");

CREATE TABLE "person_second_factor" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "person_second_factor_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "person_second_factor_person_id_idx" ON "person_second_factor"("person_id");

CREATE TABLE "person_verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_verification_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "person_verification_identifier_idx" ON "person_verification"("identifier");
CREATE INDEX "person_verification_expires_at_idx" ON "person_verification"("expires_at");

CREATE TABLE "membership" (
    "person_id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("person_id")
);
CREATE INDEX "membership_merchant_id_created_at_person_id_idx"
    ON "membership"("merchant_id", "created_at" DESC, "person_id" DESC);

CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");
CREATE UNIQUE INDEX "invitation_merchant_id_email_key" ON "invitation"("merchant_id", "email");
CREATE INDEX "invitation_merchant_id_created_at_id_idx"
    ON "invitation"("merchant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "invitation_expires_at_idx" ON "invitation"("expires_at");

ALTER TABLE "person_session" ADD CONSTRAINT "person_session_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "person_sign_in" ADD CONSTRAINT "person_sign_in_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "person_second_factor" ADD CONSTRAINT "person_second_factor_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "membership" ADD CONSTRAINT "membership_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "membership" ADD CONSTRAINT "membership_merchant_id_fkey"
    FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_merchant_id_fkey"
    FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
