-- Keys that were made without a list of addresses have an empty one.
UPDATE "api_key" SET "ip_allowlist" = '{}' WHERE "ip_allowlist" IS NULL;
ALTER TABLE "api_key" ALTER COLUMN "ip_allowlist" SET DEFAULT ARRAY[]::TEXT[];
