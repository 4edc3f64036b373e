ALTER TABLE "payment_attempt" ADD COLUMN "advice" TEXT, ADD COLUMN "network_code" TEXT;
