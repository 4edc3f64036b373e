-- Since when a provider gives no usable answer. Null in rows of earlier versions.
ALTER TABLE "provider_health" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
