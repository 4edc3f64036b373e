-- Who changed which settings of a merchant, written in the transaction of the change.
CREATE TABLE "audit_event" (
    "id" TEXT NOT NULL,
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "merchant_account_id" TEXT,
    "action" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_address" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_event_merchant_id_environment_created_at_id_idx"
  ON "audit_event"("merchant_id", "environment", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_event_merchant_id_environment_resource_id_created_at__idx"
  ON "audit_event"("merchant_id", "environment", "resource_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_event_merchant_id_environment_action_created_at_id_idx"
  ON "audit_event"("merchant_id", "environment", "action", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_event_merchant_account_id_created_at_id_idx"
  ON "audit_event"("merchant_account_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_event_created_at_idx" ON "audit_event"("created_at");

-- The engine has one role, which owns the table, so that revoked privileges would not bind it. These triggers do, as long as
-- nobody drops them: no row changes, and none is deleted within 90 days, the least that RETENTION_AUDIT_DAYS may be.
CREATE FUNCTION "refuse_audit_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.created_at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit events are append-only for 90 days' USING ERRCODE = 'insufficient_privilege';
END;
$$;
CREATE TRIGGER "audit_event_append_only" BEFORE UPDATE OR DELETE ON "audit_event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_change"();
CREATE TRIGGER "audit_event_not_truncated" BEFORE TRUNCATE ON "audit_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"();
