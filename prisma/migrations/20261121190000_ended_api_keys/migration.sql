-- Keys that nobody can use any more are purged some months later; few keys have an end at all.
CREATE INDEX "api_key_end_idx" ON "api_key"(LEAST("revoked_at", "expires_at"))
  WHERE "revoked_at" IS NOT NULL OR "expires_at" IS NOT NULL;
