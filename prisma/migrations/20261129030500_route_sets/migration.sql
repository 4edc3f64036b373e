-- All routes of a merchant at one time: as they were proposed, or as they were before others were activated.
CREATE TABLE "route_set" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "description" TEXT,
  "routes" JSONB NOT NULL,
  "route_count" INTEGER NOT NULL,
  "routes_version" TEXT NOT NULL,
  "activated_at" TIMESTAMPTZ(3),
  "replaced_set_id" TEXT,
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "route_set_pkey" PRIMARY KEY (id)
);
CREATE INDEX route_set_merchant_id_environment_created_at_id_idx ON route_set (merchant_id, environment, created_at DESC, id DESC);
ALTER TABLE "route_set" ADD CONSTRAINT "route_set_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
