-- Who made what: the person, also the one behind the key of the request, and that key.
ALTER TABLE "webhook_endpoint" ADD COLUMN "created_by_id" TEXT, ADD COLUMN "created_by_key_id" TEXT;
ALTER TABLE "provider_account" ADD COLUMN "created_by_id" TEXT, ADD COLUMN "created_by_key_id" TEXT;
ALTER TABLE "payment_route" ADD COLUMN "created_by_id" TEXT, ADD COLUMN "created_by_key_id" TEXT;
ALTER TABLE "payment_link" ADD COLUMN "created_by_id" TEXT, ADD COLUMN "created_by_key_id" TEXT;
ALTER TABLE "api_key" ADD COLUMN "created_by_key_id" TEXT;
CREATE INDEX "webhook_endpoint_created_by_id_idx" ON "webhook_endpoint"("created_by_id");
CREATE INDEX "provider_account_created_by_id_idx" ON "provider_account"("created_by_id");
CREATE INDEX "payment_route_created_by_id_idx" ON "payment_route"("created_by_id");
CREATE INDEX "payment_link_created_by_id_idx" ON "payment_link"("created_by_id");
CREATE INDEX "webhook_endpoint_created_by_key_id_idx" ON "webhook_endpoint"("created_by_key_id");
CREATE INDEX "provider_account_created_by_key_id_idx" ON "provider_account"("created_by_key_id");
CREATE INDEX "payment_route_created_by_key_id_idx" ON "payment_route"("created_by_key_id");
CREATE INDEX "payment_link_created_by_key_id_idx" ON "payment_link"("created_by_key_id");
CREATE INDEX "api_key_created_by_key_id_idx" ON "api_key"("created_by_key_id");
