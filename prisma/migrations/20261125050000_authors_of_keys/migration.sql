-- Who made a key in the dashboard, so that the keys of a member who leaves can be found.
ALTER TABLE "api_key" ADD COLUMN "created_by_id" TEXT;
UPDATE "api_key" SET "created_by_id" = "audit_event"."actor_id"
FROM "audit_event"
WHERE "audit_event"."resource_id" = "api_key"."id" AND "audit_event"."action" = 'api_key.created'
    AND "audit_event"."actor_type" = 'person';
CREATE INDEX "api_key_created_by_id_created_at_id_idx" ON "api_key"("created_by_id", "created_at" DESC, "id" DESC);
