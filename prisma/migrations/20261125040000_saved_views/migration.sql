-- Filters of lists that people of the dashboard have saved under a name. They end with the person's place in the team.
CREATE TABLE "saved_view" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "saved_view_person_id_merchant_account_id_list_name_key"
    ON "saved_view"("person_id", "merchant_account_id", "list", "name");

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "membership"("person_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_account_fkey"
    FOREIGN KEY ("merchant_account_id", "environment") REFERENCES "merchant_account"("id", "environment")
    ON DELETE RESTRICT ON UPDATE CASCADE;
