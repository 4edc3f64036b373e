-- Divides the tables of partitioned_tables(). No row is copied or read: an existing table becomes the partition NAME_before, whose
-- limit is valid already; an empty one is dropped. What finds no partition goes to NAME_default.
--
-- The functions are those of the tables' owner, because only the owner of a table may give it partitions and drop them. The
-- worker may call three of them (prisma/grants.ts), which take no table but those of partitioned_tables().
SET LOCAL lock_timeout = '5s';

-- The partitions of a table and when they end; without NAME_default, which never ends.
CREATE FUNCTION partitions_of(table_name text) RETURNS TABLE (partition regclass, ends_at timestamptz)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT oid::regclass,
    to_timestamp(('x' || substring(bounds FROM 'TO \(''[a-z]+_([0-9a-f]{12})''\)'))::bit(48)::bigint / 1000.0)
  FROM (
    SELECT c.oid, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = table_name::regclass
  ) AS children
  WHERE bounds <> 'DEFAULT'
$$;

-- Adds an empty partition. The table may be written to meanwhile: an attachment only waits for other changes of the table, and for
-- those who read NAME_default.
CREATE FUNCTION add_partition(table_name text, partition_name text, bounds text, append_only boolean) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition_name, table_name);
  -- A partition gets the triggers for rows of its table, but not those for statements.
  IF append_only THEN
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change()',
      table_name || '_not_truncated', partition_name);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', table_name, partition_name, bounds);
END $$;

-- Makes the partitions of the present period and of those ahead that do not exist, and says how many.
CREATE FUNCTION make_partitions() RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  aging record;
  made int := 0;
  starts timestamptz;
  partition_name text;
  first_id text;
  end_id text;
  has_rows_elsewhere boolean;
BEGIN
  -- Another worker makes them.
  IF NOT pg_try_advisory_xact_lock(4120937212) THEN
    RETURN 0;
  END IF;
  FOR aging IN SELECT * FROM partitioned_tables() LOOP
    FOR ahead IN 0..aging.periods_ahead LOOP
      starts := period_start(aging.period, ahead);
      partition_name := aging.name || to_char(starts, '_YYYYMMDD');
      CONTINUE WHEN to_regclass(partition_name) IS NOT NULL
        OR starts < (SELECT ends_at FROM partitions_of(aging.name) WHERE partition::text = aging.name || '_before');
      first_id := first_id_at(aging.id_prefix, starts);
      end_id := first_id_at(aging.id_prefix, period_start(aging.period, ahead + 1));
      -- A period that began without a partition gets none while it has rows elsewhere: they grow old where they are.
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id >= %L AND id < %L)', aging.name || '_default', first_id, end_id)
        INTO has_rows_elsewhere;
      CONTINUE WHEN has_rows_elsewhere;
      PERFORM add_partition(aging.name, partition_name, format('FOR VALUES FROM (%L) TO (%L)', first_id, end_id),
        aging.append_only);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;

-- Drops one partition of which every row is older than so many days, and names it; null where there is none, or where somebody
-- uses the table for so long that others would have to wait.
CREATE FUNCTION drop_old_partition(table_name text, keep_days int) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  aging record;
  old record;
  oldest_kept timestamptz := now() - make_interval(days => keep_days);
  has_kept_rows boolean;
BEGIN
  SELECT * INTO aging FROM partitioned_tables() WHERE name = table_name;
  IF NOT FOUND OR keep_days IS NULL OR keep_days < aging.least_days THEN
    RAISE EXCEPTION 'rows of % may not be dropped after % days', table_name, keep_days USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- By name, because a dropped partition has none any more.
  FOR old IN SELECT partition::text AS name FROM partitions_of(aging.name) WHERE ends_at < oldest_kept ORDER BY ends_at LOOP
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', aging.name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE created_at >= $1)', old.name) INTO has_kept_rows USING oldest_kept;
    CONTINUE WHEN has_kept_rows;
    EXECUTE format('DROP TABLE %s', old.name);
    RETURN old.name;
  END LOOP;
  RETURN NULL;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $$;

-- What is wrong with the partitions: a table has none for its next period, or rows of the last day found no partition.
CREATE FUNCTION partition_problems() RETURNS TABLE (table_name text, problem text, since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  aging record;
BEGIN
  FOR aging IN SELECT * FROM partitioned_tables() LOOP
    RETURN QUERY SELECT aging.name, 'no_next_partition', max(ends_at) FROM partitions_of(aging.name)
      HAVING max(ends_at) IS NULL OR max(ends_at) < period_start(aging.period, 2);
    RETURN QUERY EXECUTE format(
      'SELECT %L, ''rows_without_partition'', created_at FROM %I WHERE created_at > now() - interval ''1 day'' ORDER BY created_at LIMIT 1',
      aging.name, aging.name || '_default');
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION add_partition(text, text, text, boolean), make_partitions(), drop_old_partition(text, int),
  partition_problems() FROM PUBLIC;

DO $$
DECLARE
  aging record;
  definition text;
  -- Of primary key, indexes, triggers and rights. Processes go on with the table before npm run migrate gives them their rights; but
  -- the right to ctid, with which an earlier purge finds rows, would have it delete rows of other partitions.
  definitions text[];
  limit_of_ids text;
  index_name text;
  has_rows boolean;
BEGIN
  FOR aging IN SELECT *, name || '_before' AS before FROM partitioned_tables() LOOP
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', aging.name);
    SELECT array_agg(d.definition) INTO definitions FROM (
      SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', aging.name, conname, pg_get_constraintdef(oid)) AS definition
      FROM pg_constraint WHERE conrelid = aging.name::regclass AND contype = 'p'
      UNION ALL
      SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = aging.name::regclass AND NOT indisprimary
      UNION ALL
      SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = aging.name::regclass AND NOT tgisinternal
      UNION ALL
      SELECT format('GRANT %s ON %I TO %s', privilege_type, aging.name, grantee::regrole)
      FROM pg_class, aclexplode(relacl) WHERE oid = aging.name::regclass AND grantee NOT IN (relowner, 0)
      UNION ALL
      SELECT format('GRANT %s (%I) ON %I TO %s', privilege_type, attname, aging.name, grantee::regrole)
      FROM pg_attribute, aclexplode(attacl) WHERE attrelid = aging.name::regclass AND attnum > 0 AND grantee <> 0
    ) AS d;
    SELECT substring(pg_get_constraintdef(oid) FROM '''(.*)''') INTO STRICT limit_of_ids
    FROM pg_constraint WHERE conrelid = aging.name::regclass AND conname = aging.before AND convalidated;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', aging.name) INTO has_rows;

    EXECUTE format('ALTER TABLE %I RENAME TO %I', aging.name, aging.before);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING CONSTRAINTS EXCLUDING INDEXES) PARTITION BY RANGE (id)',
      aging.name, aging.before);
    IF NOT has_rows THEN
      EXECUTE format('DROP TABLE %I', aging.before);
    ELSE
      FOR index_name IN SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = aging.before::regclass LOOP
        EXECUTE format('ALTER INDEX %s RENAME TO %I', index_name, left('before_' || index_name, 63));
      END LOOP;
    END IF;
    IF has_rows AND aging.append_only THEN
      -- The table gives it to all partitions.
      EXECUTE format('DROP TRIGGER %I ON %I', aging.name || '_append_only', aging.before);
    END IF;
    FOREACH definition IN ARRAY definitions LOOP
      EXECUTE definition;
    END LOOP;
    IF has_rows THEN
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
        aging.name, aging.before, limit_of_ids);
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', aging.before, aging.before);
    END IF;
    PERFORM add_partition(aging.name, aging.name || '_default', 'DEFAULT', aging.append_only);
  END LOOP;
  PERFORM make_partitions();
END $$;
