-- A stored response that holds secrets, encrypted with a key that is derived from the caller's secret salt, of which only the
-- hash is stored. "response_body" is then the same response without the secrets.
ALTER TABLE "idempotency_record" ADD COLUMN "response_secret_body" BYTEA;
