-- The changes of one person.
CREATE INDEX "audit_event_merchant_id_environment_actor_id_created_at_id_idx"
  ON "audit_event"("merchant_id", "environment", "actor_id", "created_at" DESC, "id" DESC);
