-- Numbers committed events in one round trip, which happens many times a second. Each statement of the function has a
-- snapshot of its own: that of the numbering is taken under the lock, and so sees all that the previous holder numbered.
CREATE FUNCTION "sequence_events"("batch_size" INTEGER) RETURNS INTEGER LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  "result" INTEGER;
BEGIN
  IF NOT EXISTS (SELECT FROM "event" WHERE "position" IS NULL) THEN
    RETURN 0;
  END IF;
  -- Whoever holds it is the one that numbers.
  IF NOT pg_try_advisory_xact_lock(4120937211) THEN
    RETURN 0;
  END IF;
  WITH "batch" AS MATERIALIZED (
    SELECT "id", "merchant_account_id", "insertion"
    FROM "event"
    WHERE "position" IS NULL
    ORDER BY "insertion"
    LIMIT "batch_size"
  ), "added" AS (
    SELECT '*' AS "scope", count(*) AS "events" FROM "batch" HAVING count(*) > 0
    UNION ALL
    SELECT "merchant_account_id", count(*) FROM "batch" GROUP BY "merchant_account_id"
  ), "counter" AS (
    INSERT INTO "event_counter" ("scope", "last_value")
    SELECT "scope", "events" FROM "added"
    ON CONFLICT ("scope") DO UPDATE SET "last_value" = "event_counter"."last_value" + excluded."last_value"
    RETURNING "scope", "last_value"
  ), "place" AS (
    SELECT "id", "merchant_account_id",
      count(*) OVER () - row_number() OVER (ORDER BY "insertion") AS "from_end",
      count(*) OVER (PARTITION BY "merchant_account_id")
        - row_number() OVER (PARTITION BY "merchant_account_id" ORDER BY "insertion") AS "from_end_of_account"
    FROM "batch"
  ), "numbered" AS (
    UPDATE "event"
    SET "position" = "overall"."last_value" - "place"."from_end",
      "sequence" = "account"."last_value" - "place"."from_end_of_account"
    FROM "place"
    JOIN "counter" "overall" ON "overall"."scope" = '*'
    JOIN "counter" "account" ON "account"."scope" = "place"."merchant_account_id"
    WHERE "event"."id" = "place"."id"
    RETURNING "event"."id"
  )
  SELECT count(*) INTO "result" FROM "numbered";
  IF "result" > 0 THEN
    PERFORM pg_notify('events', '');
  END IF;
  RETURN "result";
END $$;
