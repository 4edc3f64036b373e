-- Tables whose rows go by their age alone are divided into partitions, which are dropped as a whole: docs/operations.md,
-- "Partitions". A partition has the rows of a week or a month, by the time that their ids hold.
--
-- An existing table becomes the first partition, without being copied: the next two migrations. For that it gets a limit that
-- no id reaches before both are applied. This one adds the limit without looking at the rows.
SET LOCAL lock_timeout = '5s';

-- The partitioned tables: how their ids begin, how long a partition is, for how many periods ahead partitions are made, the least
-- age of rows that may be dropped, and whether a trigger keeps rows from being changed.
CREATE FUNCTION partitioned_tables()
RETURNS TABLE (name text, id_prefix text, period text, periods_ahead int, least_days int, append_only boolean)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  VALUES
    ('request_log', 'req_', 'week', 4, 1, false),
    ('audit_event', 'aud_', 'month', 3, 90, true),
    ('platform_audit_event', 'pau_', 'month', 3, 90, true)
$$;

-- How ids begin that are made at a moment: after the prefix, 12 hexadecimal digits are the milliseconds since 1970 (UUID version 7).
CREATE FUNCTION first_id_at(id_prefix text, moment timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT id_prefix || lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
$$;

-- The beginning of a week (Monday) or month that is so many periods after the present one, in UTC.
CREATE FUNCTION period_start(period text, periods_ahead int) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
  SELECT date_trunc(period, now()) + periods_ahead * ('1 ' || period)::interval
$$;

DO $$
DECLARE
  aging record;
  first_beyond text;
  beyond bigint;
BEGIN
  FOR aging IN SELECT * FROM partitioned_tables() LOOP
    -- A month from now at least, for the case that the next migrations fail and are applied later.
    first_beyond := first_id_at(aging.id_prefix,
      period_start(aging.period, CASE aging.period WHEN 'week' THEN 6 ELSE 2 END));
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE id >= %L LIMIT 1) found', aging.name, first_beyond) INTO beyond;
    IF beyond > 0 THEN
      RAISE EXCEPTION 'the table % has ids that the engine did not make: %, or later', aging.name, first_beyond;
    END IF;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (id < %L) NOT VALID',
      aging.name, aging.name || '_before', first_beyond);
  END LOOP;
END $$;
