-- Reads the tables once, and blocks neither reads nor writes meanwhile. Requests go on with the limit of the migration before.
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_before";
ALTER TABLE "audit_event" VALIDATE CONSTRAINT "audit_event_before";
ALTER TABLE "platform_audit_event" VALIDATE CONSTRAINT "platform_audit_event_before";
