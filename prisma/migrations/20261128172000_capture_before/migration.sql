-- Until when held money can be captured. Holds under way keep the seven days that they were given.
ALTER TABLE "payment_intent" ADD COLUMN "capture_before" TIMESTAMPTZ(3);
UPDATE "payment_intent" SET "capture_before" = "status_since" + interval '7 days' WHERE "status" = 'requires_capture';
