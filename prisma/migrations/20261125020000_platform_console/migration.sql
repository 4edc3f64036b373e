-- The platform suspends a merchant with all its accounts. Accounts remember the status that they get back.
ALTER TABLE "merchant" ADD COLUMN "platform_suspended_at" TIMESTAMPTZ(3),
  ADD COLUMN "platform_suspension_reason" TEXT;
CREATE INDEX "merchant_created_at_id_idx" ON "merchant"("created_at" DESC, "id" DESC);
ALTER TABLE "merchant_account" ADD COLUMN "status_before_suspension" TEXT;

-- Sessions that exist began before this was recorded: they count as begun without a second factor.
ALTER TABLE "person_session" ADD COLUMN "second_factor" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "platform_staff" (
    "person_id" TEXT NOT NULL,
    "added_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_staff_pkey" PRIMARY KEY ("person_id"),
    CONSTRAINT "platform_staff_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id")
      ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "platform_audit_event" (
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "resource_name" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "actor_address" TEXT NOT NULL,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_audit_event_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "platform_audit_event_created_at_id_idx" ON "platform_audit_event"("created_at" DESC, "id" DESC);
CREATE INDEX "platform_audit_event_resource_id_created_at_id_idx"
  ON "platform_audit_event"("resource_id", "created_at" DESC, "id" DESC);
CREATE INDEX "platform_audit_event_actor_id_created_at_id_idx"
  ON "platform_audit_event"("actor_id", "created_at" DESC, "id" DESC);
CREATE INDEX "platform_audit_event_action_created_at_id_idx"
  ON "platform_audit_event"("action", "created_at" DESC, "id" DESC);

CREATE TRIGGER "platform_audit_event_append_only" BEFORE UPDATE OR DELETE ON "platform_audit_event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_change"();
CREATE TRIGGER "platform_audit_event_not_truncated" BEFORE TRUNCATE ON "platform_audit_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"();
