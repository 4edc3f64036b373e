-- The schema of the first release. What the schema language of Prisma cannot say stands here alone: partial indexes, unlogged
-- tables, partitions, triggers and functions.
SET LOCAL lock_timeout = '5s';
-- Functions stand before the tables that they read.
SET LOCAL check_function_bodies = off;

-- Numbers committed events in one round trip, which happens many times a second. Each statement of the function has a
-- snapshot of its own: that of the numbering is taken under the lock, and so sees all that the previous holder numbered.
CREATE FUNCTION sequence_events(batch_size integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $$
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

-- Revoked privileges do not bind the owner of a table. These triggers do, as long as nobody drops them: no row changes, and
-- none is deleted within 90 days, the least that RETENTION_AUDIT_DAYS may be.
CREATE FUNCTION refuse_audit_event_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.created_at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'audit events are append-only for 90 days' USING ERRCODE = 'insufficient_privilege';
END;
$$;

-- A delivery outlives its event and its endpoint, so that no key can refer to them; they are checked when it is written. One that
-- does not exist any more is left to the workflow, which cancels the delivery.
CREATE FUNCTION refuse_foreign_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "event" WHERE "id" = NEW.event_id
      AND ("merchant_account_id" <> NEW.merchant_account_id OR "environment" <> NEW.environment)
  ) OR EXISTS (
    SELECT FROM "webhook_endpoint" WHERE "id" = NEW.webhook_endpoint_id
      AND ("merchant_account_id" <> NEW.merchant_account_id OR "environment" <> NEW.environment)
  ) THEN
    RAISE EXCEPTION 'event, endpoint and delivery belong to different accounts' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END;
$$;

-- A digest, because a value may be longer than an index takes. The length keeps name and value apart.
CREATE FUNCTION metadata_pair_of(resource text, name text, value text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN SUBSTRING(sha256(convert_to((((((resource || ' '::text) || (length(name))::text) || ' '::text) || name) || value), 'UTF8'::name)) FROM 1 FOR 16);

CREATE FUNCTION write_metadata_pairs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "metadata_pair"
    WHERE "merchant_account_id" = OLD.merchant_account_id AND "created_at" = OLD.created_at AND "id" = OLD.id AND "pair" = ANY (ARRAY(
      SELECT metadata_pair_of(TG_TABLE_NAME::text, "key", "value") FROM jsonb_each_text(OLD.metadata)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "metadata_pair" ("merchant_account_id", "pair", "created_at", "id")
    SELECT NEW.merchant_account_id, metadata_pair_of(TG_TABLE_NAME::text, "key", "value"), NEW.created_at, NEW.id
    FROM jsonb_each_text(NEW.metadata);
  END IF;
  RETURN NULL;
END;
$$;

-- The partitioned tables: how their ids begin, how long a partition is, for how many periods ahead partitions are made, the least
-- age of rows that may be dropped, and whether a trigger keeps rows from being changed.
CREATE FUNCTION partitioned_tables()
 RETURNS TABLE(name text, id_prefix text, period text, periods_ahead integer, least_days integer, append_only boolean)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  VALUES
    ('request_log', 'req_', 'week', 4, 1, false),
    ('audit_event', 'aud_', 'month', 3, 90, true),
    ('platform_audit_event', 'pau_', 'month', 3, 90, true)
$$;

-- How ids begin that are made at a moment: after the prefix, 12 hexadecimal digits are the milliseconds since 1970 (UUID version 7).
CREATE FUNCTION first_id_at(id_prefix text, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT id_prefix || lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
$$;

-- The beginning of a week (Monday) or month that is so many periods after the present one, in UTC.
CREATE FUNCTION period_start(period text, periods_ahead integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $$
  SELECT date_trunc(period, now()) + periods_ahead * ('1 ' || period)::interval
$$;

-- The partitions of a table and when they end; without NAME_default, which never ends.
CREATE FUNCTION partitions_of(table_name text)
 RETURNS TABLE(partition regclass, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $$
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
CREATE FUNCTION add_partition(table_name text, partition_name text, bounds text, append_only boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $$
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
CREATE FUNCTION make_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
 SET "TimeZone" TO 'UTC'
AS $$
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
      CONTINUE WHEN to_regclass(partition_name) IS NOT NULL;
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
CREATE FUNCTION drop_old_partition(table_name text, keep_days integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $$
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
CREATE FUNCTION partition_problems()
 RETURNS TABLE(table_name text, problem text, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $$
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

-- Deletes CVCs and digests of cards, and cards that were to be saved and were not, once no confirm can follow. A statement that
-- records a step does not see what another has stored while it waited for the row's lock; the statements of a trigger do.
CREATE FUNCTION erase_card_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM payment_method_cvc WHERE payment_intent_id = NEW.id;
  DELETE FROM card_digest WHERE payment_intent_id = NEW.id;
  IF NEW.customer_id IS NOT NULL THEN
    DELETE FROM payment_method_save WHERE payment_intent_id = NEW.id;
  END IF;
  RETURN NULL;
END;
$$;

CREATE FUNCTION write_payment_error_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO "payment_error_code" ("id", "code", "merchant_account_id", "created_at")
  VALUES (NEW.id, NEW.last_error->>'code', NEW.merchant_account_id, NEW.created_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;

CREATE FUNCTION write_attempt_error_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO "payment_error_code" ("id", "code", "merchant_account_id", "created_at")
  SELECT id, NEW.code, merchant_account_id, created_at FROM "payment_intent" WHERE id = NEW.payment_intent_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;

CREATE FUNCTION set_account_of_provider_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  NEW.merchant_account_id := (SELECT merchant_account_id FROM payment_intent WHERE id = NEW.payment_intent_id);
  RETURN NEW;
END $$;

CREATE FUNCTION write_payment_card()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO "payment_card" ("id", "last4", "merchant_account_id", "created_at")
  VALUES (NEW.id, NEW.card_last4, NEW.merchant_account_id, NEW.created_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;


REVOKE ALL ON FUNCTION add_partition(text,text,text,boolean), make_partitions(), drop_old_partition(text,integer), partition_problems() FROM PUBLIC;

-- Every address in a wallet is given out once, also after its row was purged. BIP 32 has 2^31 of them.
CREATE SEQUENCE "deposit_index" AS INTEGER MINVALUE 0 START 0;

-- Apart from its account, whose row nearly every request reads.
CREATE TABLE "account_logo" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "png" BYTEA NOT NULL,
  CONSTRAINT "account_logo_pkey" PRIMARY KEY (merchant_account_id, environment)
);
CREATE INDEX account_logo_digest_idx ON account_logo (digest);

CREATE TABLE "api_key" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "key_hash" TEXT NOT NULL,
  "salt_hash" TEXT NOT NULL,
  "scopes" TEXT[],
  "ip_restricted" BOOLEAN NOT NULL DEFAULT false,
  "ip_allowlist" TEXT[] DEFAULT ARRAY[]::text[],
  "expires_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "replaced_by_id" TEXT,
  "version" INTEGER NOT NULL DEFAULT 0,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "account_bound" BOOLEAN NOT NULL DEFAULT false,
  "signature_version" INTEGER NOT NULL DEFAULT 1,
  "salt_key_id" TEXT,
  "salt_ciphertext" BYTEA,
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  "last_used_at" TIMESTAMPTZ(3),
  "last_used_from" TEXT,
  CONSTRAINT "api_key_pkey" PRIMARY KEY (id)
);
CREATE INDEX api_key_created_by_id_created_at_id_idx ON api_key (created_by_id, created_at DESC, id DESC);
CREATE INDEX api_key_created_by_key_id_idx ON api_key (created_by_key_id);
-- Keys that nobody can use any more are purged some months later; few keys have an end at all.
CREATE INDEX api_key_end_idx ON api_key (LEAST(revoked_at, expires_at)) WHERE ((revoked_at IS NOT NULL) OR (expires_at IS NOT NULL));
CREATE UNIQUE INDEX api_key_key_hash_key ON api_key (key_hash);
CREATE INDEX api_key_merchant_account_id_created_at_id_idx ON api_key (merchant_account_id, created_at DESC, id DESC);

CREATE TABLE "api_key_use" (
  "api_key_id" TEXT NOT NULL,
  "day" date NOT NULL,
  "address" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "requests" INTEGER NOT NULL,
  "refused" INTEGER NOT NULL,
  "first_at" TIMESTAMPTZ(3) NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "api_key_use_pkey" PRIMARY KEY (api_key_id, day, address, operation)
);
CREATE INDEX api_key_use_last_at_idx ON api_key_use (last_at);

CREATE TABLE "approval_rate" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "country" TEXT NOT NULL,
  "approved" DOUBLE PRECISION NOT NULL,
  "weight" DOUBLE PRECISION NOT NULL,
  "attempts" BIGINT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "approval_rate_pkey" PRIMARY KEY (merchant_account_id, environment, method, provider, currency, country)
);
CREATE INDEX approval_rate_updated_at_idx ON approval_rate (updated_at);

-- Who changed which settings of a merchant, written in the transaction of the change.
CREATE TABLE "audit_event" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "merchant_account_id" TEXT,
  "action" TEXT NOT NULL,
  "resource_id" TEXT NOT NULL,
  "actor_type" TEXT NOT NULL,
  "actor_id" TEXT NOT NULL,
  "actor_address" TEXT NOT NULL,
  "before" JSONB,
  "after" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "audit_event_pkey" PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX audit_event_created_at_idx ON audit_event (created_at);
CREATE INDEX audit_event_merchant_account_id_created_at_id_idx ON audit_event (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX audit_event_merchant_id_environment_action_created_at_id_idx ON audit_event (merchant_id, environment, action, created_at DESC, id DESC);
-- The changes of one person.
CREATE INDEX audit_event_merchant_id_environment_actor_id_created_at_id_idx ON audit_event (merchant_id, environment, actor_id, created_at DESC, id DESC);
CREATE INDEX audit_event_merchant_id_environment_created_at_id_idx ON audit_event (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX audit_event_merchant_id_environment_resource_id_created_at__idx ON audit_event (merchant_id, environment, resource_id, created_at DESC, id DESC);

-- Keyed digests by which declined cards are counted, because the API cannot read a stored card. They last as long as their
-- intent: who has the key could find a card number by trying all of them. Unlogged, as CVCs are, so that no log, replica or
-- base backup keeps them.
CREATE UNLOGGED TABLE "card_digest" (
  "payment_method_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "card" TEXT NOT NULL,
  "bin" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "card_digest_pkey" PRIMARY KEY (payment_method_id)
);
CREATE INDEX card_digest_payment_intent_id_idx ON card_digest (payment_intent_id);

CREATE TABLE "card_group" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefixes" TEXT[],
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "card_group_pkey" PRIMARY KEY (id)
);
CREATE INDEX card_group_merchant_id_environment_idx ON card_group (merchant_id, environment);

CREATE TABLE "channel_limit" (
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "minimum_minor" BIGINT NOT NULL,
  "maximum_minor" BIGINT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "channel_limit_pkey" PRIMARY KEY (merchant_id, environment, method, currency)
);

CREATE TABLE "customer" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "country" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "name" TEXT,
  "email" TEXT,
  "phone" TEXT,
  "description" TEXT,
  "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "version" INTEGER NOT NULL DEFAULT 0,
  "reference" TEXT,
  CONSTRAINT "customer_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX customer_account_key ON customer (id, merchant_account_id, environment);
CREATE INDEX customer_email_idx ON customer (merchant_account_id, lower(email), created_at DESC, id DESC) WHERE (email IS NOT NULL);
CREATE INDEX customer_merchant_account_id_created_at_id_idx ON customer (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX customer_reference_idx ON customer (merchant_account_id, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);

-- The result with which a customer came back from a provider's page, and whether it was sent to the provider.
CREATE TABLE "customer_return" (
  "attempt_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "result_key_id" TEXT,
  "result_ciphertext" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "customer_return_pkey" PRIMARY KEY (attempt_id)
);
CREATE INDEX customer_return_created_at_idx ON customer_return (created_at);
CREATE INDEX customer_return_payment_intent_id_idx ON customer_return (payment_intent_id);

CREATE TABLE "deposit_address" (
  "attempt_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "derivation_index" INTEGER NOT NULL,
  "address" TEXT NOT NULL,
  "asset" TEXT NOT NULL,
  "network" TEXT NOT NULL,
  "contract" TEXT NOT NULL,
  "decimals" INTEGER NOT NULL,
  "expected_amount" numeric(78,0) NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "confirmations" INTEGER NOT NULL,
  "quote_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "start_block" BIGINT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'open'::text,
  "settled_amount" numeric(78,0) NOT NULL DEFAULT 0,
  "stray_amount" numeric(78,0) NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "deposit_address_pkey" PRIMARY KEY (attempt_id)
);
CREATE UNIQUE INDEX deposit_address_derivation_index_key ON deposit_address (derivation_index);
CREATE INDEX deposit_address_open_idx ON deposit_address (provider, quote_expires_at) WHERE (status = 'open'::text);
CREATE INDEX deposit_address_payment_intent_id_idx ON deposit_address (payment_intent_id);
CREATE UNIQUE INDEX deposit_address_provider_address_key ON deposit_address (provider, address);

CREATE TABLE "deposit_cursor" (
  "provider" TEXT NOT NULL,
  "block_number" BIGINT NOT NULL,
  "block_hash" TEXT NOT NULL,
  "earlier_blocks" JSONB NOT NULL DEFAULT '[]'::jsonb,
  "confirmed_number" BIGINT NOT NULL DEFAULT '-1'::integer,
  "confirmed_at" TIMESTAMPTZ(3),
  "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "deposit_cursor_pkey" PRIMARY KEY (provider)
);

CREATE TABLE "deposit_transfer" (
  "provider" TEXT NOT NULL,
  "transaction_hash" TEXT NOT NULL,
  "log_index" INTEGER NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "block_number" BIGINT NOT NULL,
  "block_hash" TEXT NOT NULL,
  "block_at" TIMESTAMPTZ(3) NOT NULL,
  "amount" numeric(78,0) NOT NULL,
  "is_settled" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "deposit_transfer_pkey" PRIMARY KEY (provider, transaction_hash, log_index)
);
CREATE INDEX deposit_transfer_attempt_id_idx ON deposit_transfer (attempt_id);
CREATE INDEX deposit_transfer_provider_block_number_idx ON deposit_transfer (provider, block_number);
CREATE INDEX deposit_transfer_to_settle_idx ON deposit_transfer (provider, attempt_id) WHERE (NOT is_settled);

-- Disputes of payments, as providers report them.
CREATE TABLE "dispute" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT,
  "provider" TEXT NOT NULL,
  "provider_reference" TEXT NOT NULL,
  "stage" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "network_reason_code" TEXT,
  "amount_minor" BIGINT,
  "currency" TEXT,
  "amount_withdrawn_minor" BIGINT NOT NULL DEFAULT 0,
  "amount_blocked_minor" BIGINT NOT NULL DEFAULT 0,
  "respond_by" TIMESTAMPTZ(3),
  "is_defendable" BOOLEAN,
  "reports" JSONB NOT NULL,
  "outcome_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "evidence" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "evidence_submitted_at" TIMESTAMPTZ(3),
  "operation" TEXT,
  "operation_id" TEXT,
  "operation_called_at" TIMESTAMPTZ(3),
  "last_error" JSONB,
  "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "dispute_pkey" PRIMARY KEY (id)
);
CREATE INDEX dispute_account_due_idx ON dispute (merchant_account_id, next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX dispute_due_idx ON dispute (next_due_at, id) WHERE (next_due_at IS NOT NULL);
CREATE INDEX dispute_evidence_idx ON dispute (outcome_at) WHERE (evidence <> '{}'::jsonb);
CREATE UNIQUE INDEX dispute_id_merchant_account_id_environment_key ON dispute (id, merchant_account_id, environment);
CREATE INDEX dispute_merchant_account_id_created_at_id_idx ON dispute (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX dispute_merchant_account_id_provider_created_at_id_idx ON dispute (merchant_account_id, provider, created_at DESC, id DESC);
CREATE INDEX dispute_merchant_account_id_reason_created_at_id_idx ON dispute (merchant_account_id, reason, created_at DESC, id DESC);
CREATE INDEX dispute_merchant_account_id_respond_by_idx ON dispute (merchant_account_id, respond_by);
CREATE INDEX dispute_merchant_account_id_stage_created_at_id_idx ON dispute (merchant_account_id, stage, created_at DESC, id DESC);
CREATE INDEX dispute_merchant_account_id_status_created_at_id_idx ON dispute (merchant_account_id, status, created_at DESC, id DESC);
CREATE INDEX dispute_payment_intent_id_created_at_id_idx ON dispute (payment_intent_id, created_at DESC, id DESC);

CREATE TABLE "dispute_file" (
  "dispute_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "content_type" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "key_id" TEXT NOT NULL,
  "ciphertext" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "dispute_file_pkey" PRIMARY KEY (dispute_id, kind)
);
-- For the purge.
CREATE INDEX dispute_file_created_at_idx ON dispute_file (created_at);

CREATE TABLE "event" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "resource_id" TEXT NOT NULL,
  "payment_intent_id" TEXT,
  "version" INTEGER NOT NULL,
  "failure" JSONB,
  "snapshot" JSONB NOT NULL,
  "insertion" BIGSERIAL,
  "position" BIGINT,
  "sequence" BIGINT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "event_pkey" PRIMARY KEY (id)
);
CREATE INDEX event_created_at_idx ON event (created_at);
CREATE UNIQUE INDEX event_merchant_account_id_sequence_key ON event (merchant_account_id, sequence);
CREATE INDEX event_merchant_account_id_type_sequence_idx ON event (merchant_account_id, type, sequence);
CREATE INDEX event_payment_intent_id_position_idx ON event (payment_intent_id, "position");
CREATE UNIQUE INDEX event_position_key ON event ("position");
CREATE INDEX event_resource_id_sequence_idx ON event (resource_id, sequence);
-- Partial indexes over what still waits to be done: small however large the tables grow. The schema language cannot say them.
CREATE INDEX event_unnumbered_idx ON event (insertion) WHERE ("position" IS NULL);

CREATE TABLE "event_counter" (
  "scope" TEXT NOT NULL,
  "last_value" BIGINT NOT NULL,
  CONSTRAINT "event_counter_pkey" PRIMARY KEY (scope)
);

CREATE TABLE "idempotency_record" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "resource_id" TEXT NOT NULL,
  "generation" INTEGER NOT NULL DEFAULT 0,
  "locked_until" TIMESTAMPTZ(3),
  "response_status" INTEGER,
  "response_key_id" TEXT,
  "response_body" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "response_secret_body" BYTEA,
  CONSTRAINT "idempotency_record_pkey" PRIMARY KEY (merchant_account_id, environment, key)
);
CREATE INDEX idempotency_record_created_at_idx ON idempotency_record (created_at);

CREATE TABLE "invitation" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "invited_by_id" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "invitation_pkey" PRIMARY KEY (id)
);
CREATE INDEX invitation_expires_at_idx ON invitation (expires_at);
CREATE INDEX invitation_merchant_id_created_at_id_idx ON invitation (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX invitation_merchant_id_email_key ON invitation (merchant_id, email);
CREATE UNIQUE INDEX invitation_token_hash_key ON invitation (token_hash);

-- Which worker runs the background jobs that one worker runs for all.
CREATE TABLE "job_lease" (
  "name" TEXT NOT NULL,
  "holder" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "job_lease_pkey" PRIMARY KEY (name)
);

CREATE TABLE "membership" (
  "person_id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "membership_pkey" PRIMARY KEY (person_id)
);
CREATE INDEX membership_merchant_id_created_at_person_id_idx ON membership (merchant_id, created_at DESC, person_id DESC);

CREATE TABLE "merchant" (
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "platform_suspended_at" TIMESTAMPTZ(3),
  "platform_suspension_reason" TEXT,
  "require_second_factor" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "merchant_pkey" PRIMARY KEY (id)
);
CREATE INDEX merchant_created_at_id_idx ON merchant (created_at DESC, id DESC);

CREATE TABLE "merchant_account" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active'::text,
  "attempt_budget" INTEGER NOT NULL DEFAULT 5,
  "refund_window_days" INTEGER NOT NULL DEFAULT 180,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "platform_suspended_at" TIMESTAMPTZ(3),
  "require_idempotency_keys" BOOLEAN NOT NULL DEFAULT false,
  "status_before_suspension" TEXT,
  "public_name" TEXT,
  "color" TEXT,
  "support_email" TEXT,
  "support_phone" TEXT,
  "support_url" TEXT,
  "terms_url" TEXT,
  "return_url" TEXT,
  "logo_digest" TEXT,
  "refund_confirmation_minor" BIGINT,
  "decline_retries_enabled" BOOLEAN NOT NULL DEFAULT false,
  "decline_retries_maximum" INTEGER NOT NULL DEFAULT 1,
  "decline_retries_issuer_declines" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "merchant_account_pkey" PRIMARY KEY (id)
);
-- A row refers to its payment, or to its account, together with account and environment: a row of one account can never belong
-- to a payment of another, whatever a statement gets wrong.
CREATE UNIQUE INDEX merchant_account_id_environment_key ON merchant_account (id, environment);
CREATE UNIQUE INDEX merchant_account_id_merchant_id_environment_key ON merchant_account (id, merchant_id, environment);
CREATE INDEX merchant_account_merchant_id_idx ON merchant_account (merchant_id);

-- An inverted index of metadata: one row for each pair. A GIN index on the resource's own table would be smaller, but it has no
-- order: a page of a pair that many resources have, or that only old ones have, would read and sort all of them.
CREATE TABLE "metadata_pair" (
  "merchant_account_id" TEXT NOT NULL,
  "pair" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "id" TEXT NOT NULL,
  CONSTRAINT "metadata_pair_pkey" PRIMARY KEY (merchant_account_id, pair, created_at, id)
);

CREATE TABLE "payment_attempt" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "route_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "payment_method_id" TEXT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "tries" INTEGER NOT NULL,
  "outcome" TEXT,
  "code" TEXT,
  "provider_payment_id" TEXT,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),
  "operation_id" TEXT,
  "advice" TEXT,
  "network_code" TEXT,
  "saved_use" TEXT,
  CONSTRAINT "payment_attempt_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX payment_attempt_payment_intent_id_number_key ON payment_attempt (payment_intent_id, number);
-- By what a provider calls a payment or a refund.
CREATE INDEX payment_attempt_provider_payment_id_idx ON payment_attempt (provider_payment_id) WHERE (provider_payment_id IS NOT NULL);

-- Payments by every card that was tried, one row for each: an index of the payments' own table would have the last one only.
CREATE TABLE "payment_card" (
  "id" TEXT NOT NULL,
  "last4" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "payment_card_pkey" PRIMARY KEY (id, last4)
);
CREATE INDEX payment_card_merchant_account_id_last4_created_at_id_idx ON payment_card (merchant_account_id, last4, created_at DESC, id DESC);

-- Payments by the codes of their attempts and of their last failures, which stay when the payment expires, is canceled or succeeds.
-- One row for each code: an index of the payments' own table would have the last one only.
CREATE TABLE "payment_error_code" (
  "id" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "payment_error_code_pkey" PRIMARY KEY (id, code)
);
CREATE INDEX payment_error_code_merchant_account_id_code_created_at_id_idx ON payment_error_code (merchant_account_id, code, created_at DESC, id DESC);

CREATE TABLE "payment_intent" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "amount_capturable_minor" BIGINT NOT NULL DEFAULT 0,
  "amount_captured_minor" BIGINT NOT NULL DEFAULT 0,
  "amount_refunded_minor" BIGINT NOT NULL DEFAULT 0,
  "status" TEXT NOT NULL,
  "description" TEXT,
  "customer_id" TEXT,
  "country" TEXT,
  "capture_method" TEXT NOT NULL,
  "payment_method_id" TEXT,
  "return_url" TEXT,
  "next_action" JSONB,
  "provider" TEXT,
  "last_error" JSONB,
  "advisory" JSONB,
  "cancellation_reason" TEXT,
  "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "client_secret_hash" TEXT NOT NULL,
  "attempt_budget" INTEGER NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "amount_refunding_minor" BIGINT NOT NULL DEFAULT 0,
  "workflow_run_id" TEXT,
  "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  "status_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "reference" TEXT,
  "card_last4" TEXT,
  "test_clock_seconds" INTEGER NOT NULL DEFAULT 0,
  "disputed_at" TIMESTAMPTZ(3),
  "capture_before" TIMESTAMPTZ(3),
  "setup_future_usage" TEXT,
  "amount_disputed_minor" BIGINT NOT NULL DEFAULT 0,
  "dispute_ids" TEXT[] DEFAULT ARRAY[]::text[],
  "allow_saved_payment_methods" BOOLEAN NOT NULL DEFAULT false,
  "retried" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "payment_intent_pkey" PRIMARY KEY (id)
);
-- What is due, by account: a sweep that finds more than it can handle takes a few rows of each account.
CREATE INDEX payment_intent_account_due_idx ON payment_intent (merchant_account_id, next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE UNIQUE INDEX payment_intent_client_secret_hash_key ON payment_intent (client_secret_hash);
CREATE INDEX payment_intent_customer_idx ON payment_intent (merchant_account_id, customer_id, created_at DESC, id DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX payment_intent_due_idx ON payment_intent (next_due_at, id) WHERE (next_due_at IS NOT NULL);
CREATE UNIQUE INDEX payment_intent_id_merchant_account_id_environment_key ON payment_intent (id, merchant_account_id, environment);
CREATE INDEX payment_intent_merchant_account_id_amount_minor_created_at__idx ON payment_intent (merchant_account_id, amount_minor, created_at DESC, id DESC);
CREATE INDEX payment_intent_merchant_account_id_created_at_id_idx ON payment_intent (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX payment_intent_merchant_account_id_currency_created_at_id_idx ON payment_intent (merchant_account_id, currency, created_at DESC, id DESC);
CREATE INDEX payment_intent_merchant_account_id_status_created_at_id_idx ON payment_intent (merchant_account_id, status, created_at DESC, id DESC);
-- Payments under way, the longest first: the metrics count those that are stuck.
CREATE INDEX payment_intent_processing_idx ON payment_intent (status_since) WHERE (status = 'processing'::text);
-- Partial: a payment that has no such value costs nothing. The schema language cannot say them.
CREATE INDEX payment_intent_reference_idx ON payment_intent (merchant_account_id, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);
CREATE INDEX payment_intent_retried_idx ON payment_intent (merchant_account_id, created_at DESC, id DESC) WHERE retried;
-- By which a pass walks the open payments of an account.
CREATE INDEX payment_intent_test_clock_idx ON payment_intent (merchant_account_id, id) WHERE ((environment = 'sandbox'::text) AND (status = ANY (ARRAY['requires_payment_method'::text, 'processing'::text, 'requires_action'::text, 'requires_capture'::text])));
CREATE INDEX payment_intent_updated_at_idx ON payment_intent (updated_at);
-- Few rows wait for a provider for long.
CREATE INDEX payment_intent_waiting_idx ON payment_intent (((advisory ->> 'since'::text))) WHERE ((advisory ->> 'code'::text) = 'WAITING_FOR_PROVIDER'::text);

CREATE TABLE "payment_intent_update" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "changes" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payment_intent_update_pkey" PRIMARY KEY (id)
);
CREATE INDEX payment_intent_update_created_at_idx ON payment_intent_update (created_at);
-- Before a customer is deleted, payments that are about to become theirs are looked for.
CREATE INDEX payment_intent_update_customer_idx ON payment_intent_update (((changes ->> 'customerId'::text))) WHERE ((changes ->> 'customerId'::text) IS NOT NULL);

-- Addresses where whoever has one can pay an amount, and the payments that were opened there.
CREATE TABLE "payment_link" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "description" TEXT,
  "reference" TEXT,
  "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "active" BOOLEAN NOT NULL DEFAULT true,
  "max_payments" INTEGER,
  "paid_count" INTEGER NOT NULL DEFAULT 0,
  "expires_at" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  CONSTRAINT "payment_link_pkey" PRIMARY KEY (id)
);
CREATE INDEX payment_link_created_by_id_idx ON payment_link (created_by_id);
CREATE INDEX payment_link_created_by_key_id_idx ON payment_link (created_by_key_id);
CREATE UNIQUE INDEX payment_link_id_merchant_account_id_environment_key ON payment_link (id, merchant_account_id, environment);
CREATE INDEX payment_link_merchant_account_id_active_created_at_id_idx ON payment_link (merchant_account_id, active, created_at DESC, id DESC);
CREATE INDEX payment_link_merchant_account_id_created_at_id_idx ON payment_link (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX payment_link_reference_idx ON payment_link (merchant_account_id, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);
CREATE UNIQUE INDEX payment_link_token_hash_key ON payment_link (token_hash);

CREATE TABLE "payment_link_payment" (
  "id" TEXT NOT NULL,
  "payment_link_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "outcome" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "confirmed_at" TIMESTAMPTZ(3),
  "confirmed_from" TEXT,
  CONSTRAINT "payment_link_payment_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX payment_link_payment_id_merchant_account_id_environment_key ON payment_link_payment (id, merchant_account_id, environment);
-- At most as many rows of a link as it may have payments open at once.
CREATE INDEX payment_link_payment_open_idx ON payment_link_payment (payment_link_id) WHERE (outcome IS NULL);
CREATE INDEX payment_link_payment_payment_link_id_created_at_id_idx ON payment_link_payment (payment_link_id, created_at DESC, id DESC);

CREATE TABLE "payment_method" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "masked" JSONB NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "token_provider" TEXT,
  "saved_payment_method_id" TEXT,
  "card_groups" TEXT[] DEFAULT ARRAY[]::text[],
  "saved_use" TEXT,
  CONSTRAINT "payment_method_pkey" PRIMARY KEY (id)
);
-- Partial indexes over card data that still has to be erased: small however many payment methods there are.
CREATE INDEX payment_method_ciphertext_idx ON payment_method (created_at) WHERE (ciphertext IS NOT NULL);
CREATE INDEX payment_method_created_at_idx ON payment_method (created_at);
CREATE INDEX payment_method_payment_intent_id_idx ON payment_method (payment_intent_id);
CREATE INDEX payment_method_saved_payment_method_id_idx ON payment_method (saved_payment_method_id) WHERE (saved_payment_method_id IS NOT NULL);

-- A CVC must not outlive its use, in the write-ahead log, replicas and backups either: its table is unlogged.
CREATE UNLOGGED TABLE "payment_method_cvc" (
  "payment_method_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "ciphertext" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payment_method_cvc_pkey" PRIMARY KEY (payment_method_id)
);
CREATE INDEX payment_method_cvc_payment_intent_id_idx ON payment_method_cvc (payment_intent_id);

CREATE TABLE "payment_method_save" (
  "payment_method_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT NOT NULL,
  "usage" TEXT,
  "consent" JSONB,
  "card_fingerprint" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "card_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payment_method_save_pkey" PRIMARY KEY (payment_method_id)
);
CREATE INDEX payment_method_save_payment_intent_id_idx ON payment_method_save (payment_intent_id);

-- What merchants ask of a payment, under the id that repeats of the request carry: kept with the step that takes it up, so
-- that a repeat finds its own answer whatever became of the workflow.
CREATE TABLE "payment_operation" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "request" JSONB,
  "result" JSONB,
  "last_code" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "payment_operation_pkey" PRIMARY KEY (id)
);
CREATE INDEX payment_operation_created_at_idx ON payment_operation (created_at);
CREATE INDEX payment_operation_payment_intent_id_idx ON payment_operation (payment_intent_id);

CREATE TABLE "payment_route" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "currencies" TEXT[],
  "countries" TEXT[],
  "excluded_countries" TEXT[],
  "priority" INTEGER NOT NULL DEFAULT 100,
  "weight" INTEGER NOT NULL DEFAULT 1,
  "active" BOOLEAN NOT NULL DEFAULT true,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  "conditions" JSONB NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT "payment_route_pkey" PRIMARY KEY (id)
);
CREATE INDEX payment_route_created_by_id_idx ON payment_route (created_by_id);
CREATE INDEX payment_route_created_by_key_id_idx ON payment_route (created_by_key_id);
CREATE INDEX payment_route_merchant_id_environment_method_idx ON payment_route (merchant_id, environment, method);

-- What happened to an account's payments by hour and by day, added up from the events.
CREATE TABLE "payment_statistic" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "period" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "kind" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "country" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "count" BIGINT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  CONSTRAINT "payment_statistic_pkey" PRIMARY KEY (merchant_account_id, environment, period, currency, starts_at, kind, outcome, provider, method, country, code)
);
CREATE INDEX payment_statistic_starts_at_idx ON payment_statistic (starts_at);

-- People who sign in to the dashboard, and the teams of merchants.
CREATE TABLE "person" (
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "email_verified" BOOLEAN NOT NULL DEFAULT false,
  "image" TEXT,
  "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
  "merchant_name" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "person_pkey" PRIMARY KEY (id)
);
CREATE INDEX person_created_at_idx ON person (created_at);
CREATE UNIQUE INDEX person_email_key ON person (email);

CREATE TABLE "person_second_factor" (
  "id" TEXT NOT NULL,
  "person_id" TEXT NOT NULL,
  "secret" TEXT NOT NULL,
  "backup_codes" TEXT NOT NULL,
  "verified" BOOLEAN NOT NULL DEFAULT true,
  "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
  "locked_until" TIMESTAMPTZ(3),
  CONSTRAINT "person_second_factor_pkey" PRIMARY KEY (id)
);
CREATE INDEX person_second_factor_person_id_idx ON person_second_factor (person_id);

CREATE TABLE "person_session" (
  "id" TEXT NOT NULL,
  "person_id" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "ip_address" TEXT,
  "user_agent" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "second_factor" BOOLEAN NOT NULL DEFAULT false,
  "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "person_session_pkey" PRIMARY KEY (id)
);
CREATE INDEX person_session_expires_at_idx ON person_session (expires_at);
CREATE INDEX person_session_person_id_idx ON person_session (person_id);
CREATE UNIQUE INDEX person_session_token_key ON person_session (token);

CREATE TABLE "person_sign_in" (
  "id" TEXT NOT NULL,
  "person_id" TEXT NOT NULL,
  "provider_id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "password" TEXT,
  "access_token" TEXT,
  "refresh_token" TEXT,
  "id_token" TEXT,
  "access_token_expires_at" TIMESTAMPTZ(3),
  "refresh_token_expires_at" TIMESTAMPTZ(3),
  "scope" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "person_sign_in_pkey" PRIMARY KEY (id)
);
CREATE INDEX person_sign_in_person_id_idx ON person_sign_in (person_id);
CREATE UNIQUE INDEX person_sign_in_provider_id_account_id_key ON person_sign_in (provider_id, account_id);

CREATE TABLE "person_verification" (
  "id" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "person_verification_pkey" PRIMARY KEY (id)
);
CREATE INDEX person_verification_expires_at_idx ON person_verification (expires_at);
CREATE INDEX person_verification_identifier_idx ON person_verification (identifier);
-- A newer link, and a change of the password, end the links that a person has. Values can be long, which only a hash index takes.
CREATE INDEX person_verification_value_idx ON person_verification USING hash (value);

CREATE TABLE "platform_audit_event" (
  "id" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "resource_id" TEXT NOT NULL,
  "resource_name" TEXT NOT NULL,
  "actor_type" TEXT NOT NULL,
  "actor_id" TEXT NOT NULL,
  "actor_name" TEXT NOT NULL,
  "actor_address" TEXT NOT NULL,
  "reason" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "platform_audit_event_pkey" PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX platform_audit_event_action_created_at_id_idx ON platform_audit_event (action, created_at DESC, id DESC);
CREATE INDEX platform_audit_event_actor_id_created_at_id_idx ON platform_audit_event (actor_id, created_at DESC, id DESC);
CREATE INDEX platform_audit_event_created_at_id_idx ON platform_audit_event (created_at DESC, id DESC);
CREATE INDEX platform_audit_event_resource_id_created_at_id_idx ON platform_audit_event (resource_id, created_at DESC, id DESC);

CREATE TABLE "platform_staff" (
  "person_id" TEXT NOT NULL,
  "added_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "platform_staff_pkey" PRIMARY KEY (person_id)
);

-- What browsers report of the content security policies of the payment page and the card fields, counted.
CREATE TABLE "policy_report" (
  "day" date NOT NULL,
  "page" TEXT NOT NULL,
  "directive" TEXT NOT NULL,
  "blocked" TEXT NOT NULL,
  "reports" INTEGER NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "policy_report_pkey" PRIMARY KEY (day, page, directive, blocked)
);
CREATE INDEX policy_report_last_at_idx ON policy_report (last_at);

-- Accounts of merchants at providers. Routes, attempts and events name one by its id.
CREATE TABLE "provider_account" (
  "id" TEXT NOT NULL,
  "merchant_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active'::text,
  "credentials_key_id" TEXT NOT NULL,
  "credentials_ciphertext" BYTEA NOT NULL,
  "credential_names" TEXT[],
  "public_credentials" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "credentials_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "credentials_refused_since" TIMESTAMPTZ(3),
  "credentials_refused_operation" TEXT,
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  CONSTRAINT "provider_account_pkey" PRIMARY KEY (id)
);
CREATE INDEX provider_account_created_by_id_idx ON provider_account (created_by_id);
CREATE INDEX provider_account_created_by_key_id_idx ON provider_account (created_by_key_id);
CREATE INDEX provider_account_merchant_account_id_created_at_id_idx ON provider_account (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX provider_account_merchant_id_environment_idx ON provider_account (merchant_id, environment);

-- Webhooks that a provider signed with credentials which were rotated away are accepted until their own overlap ends.
CREATE TABLE "provider_account_previous_credentials" (
  "provider_account_id" TEXT NOT NULL,
  "rotation_id" TEXT NOT NULL,
  "credentials_key_id" TEXT NOT NULL,
  "credentials_ciphertext" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_account_previous_credentials_pkey" PRIMARY KEY (provider_account_id, rotation_id)
);

-- By which id a provider knows a customer, where it keeps customers of its own.
CREATE TABLE "provider_customer" (
  "customer_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider_customer_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "provider_customer_pkey" PRIMARY KEY (customer_id, provider)
);
-- A provider's webhook names the customer by the provider's id.
CREATE INDEX provider_customer_provider_provider_customer_id_idx ON provider_customer (provider, provider_customer_id);

CREATE TABLE "provider_event" (
  "provider" TEXT NOT NULL,
  "event_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "event" JSONB NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "delivered_at" TIMESTAMPTZ(3),
  "refund_id" TEXT,
  "merchant_account_id" TEXT,
  CONSTRAINT "provider_event_pkey" PRIMARY KEY (provider, event_id)
);
CREATE INDEX provider_event_account_undelivered_idx ON provider_event (merchant_account_id, received_at, provider, event_id) WHERE (delivered_at IS NULL);
CREATE INDEX provider_event_payment_intent_id_idx ON provider_event (payment_intent_id);
CREATE INDEX provider_event_received_at_idx ON provider_event (received_at);
CREATE INDEX provider_event_undelivered_idx ON provider_event (received_at) WHERE (delivered_at IS NULL);

CREATE TABLE "provider_health" (
  "provider" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "consecutive_failures" INTEGER NOT NULL,
  "open_until" TIMESTAMPTZ(3) NOT NULL,
  "failing_since" TIMESTAMPTZ(3),
  CONSTRAINT "provider_health_pkey" PRIMARY KEY (provider, environment)
);

CREATE UNLOGGED TABLE "rate_limit" (
  "key" character varying(255) NOT NULL,
  "points" INTEGER NOT NULL DEFAULT 0,
  "expire" BIGINT,
  CONSTRAINT "rate_limit_pkey" PRIMARY KEY (key)
);
CREATE INDEX rate_limit_expire_idx ON rate_limit (expire);

-- What a run has counted of the payments of one account.
CREATE TABLE "reconciliation_account" (
  "run_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "compared" INTEGER NOT NULL,
  "repaired" INTEGER NOT NULL,
  "reported" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "reconciliation_account_pkey" PRIMARY KEY (run_id, merchant_account_id)
);
CREATE INDEX reconciliation_account_merchant_account_id_created_at_run_i_idx ON reconciliation_account (merchant_account_id, created_at DESC, run_id DESC);

CREATE TABLE "reconciliation_difference" (
  "run_id" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "merchant_account_id" TEXT,
  "environment" TEXT,
  "payment_intent_id" TEXT,
  "attempt_id" TEXT,
  "refund_id" TEXT,
  "provider_payment_id" TEXT,
  "ours" JSONB,
  "theirs" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "reconciliation_difference_pkey" PRIMARY KEY (run_id, number)
);
CREATE INDEX reconciliation_difference_attempt_id_idx ON reconciliation_difference (attempt_id);
-- Whether an earlier run has found the same payment of another system: the merchant is told once.
CREATE INDEX reconciliation_difference_provider_payment_id_idx ON reconciliation_difference (provider_payment_id);

-- The attempts that a run has found in the provider's list; deleted when it has ended.
CREATE TABLE "reconciliation_match" (
  "run_id" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  CONSTRAINT "reconciliation_match_pkey" PRIMARY KEY (run_id, attempt_id)
);

-- A comparison of a provider's list of payments with ours.
CREATE TABLE "reconciliation_run" (
  "id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT,
  "environment" TEXT,
  "window_from" TIMESTAMPTZ(3) NOT NULL,
  "window_to" TIMESTAMPTZ(3) NOT NULL,
  "is_continuous" BOOLEAN NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'running'::text,
  "error" TEXT,
  "pages" INTEGER NOT NULL DEFAULT 0,
  "cursor" TEXT,
  "compared" INTEGER NOT NULL DEFAULT 0,
  "repaired" INTEGER NOT NULL DEFAULT 0,
  "reported" INTEGER NOT NULL DEFAULT 0,
  "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),
  "failure_code" TEXT,
  CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY (id)
);
CREATE INDEX reconciliation_run_provider_window_to_idx ON reconciliation_run (provider, window_to DESC);
CREATE INDEX reconciliation_run_started_at_idx ON reconciliation_run (started_at);

CREATE TABLE "refund" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "transaction_id" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "provider" TEXT NOT NULL,
  "provider_payment_id" TEXT NOT NULL,
  "provider_refund_id" TEXT,
  "failure" JSONB,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  "reference" TEXT,
  "origin" TEXT NOT NULL DEFAULT 'engine'::text,
  "accepted_at" TIMESTAMPTZ(3),
  "advisory" JSONB,
  "requested_at" TIMESTAMPTZ(3),
  CONSTRAINT "refund_pkey" PRIMARY KEY (id)
);
CREATE INDEX refund_account_due_idx ON refund (merchant_account_id, next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX refund_due_idx ON refund (next_due_at, id) WHERE (next_due_at IS NOT NULL);
CREATE INDEX refund_merchant_account_id_created_at_id_idx ON refund (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX refund_merchant_account_id_status_created_at_id_idx ON refund (merchant_account_id, status, created_at DESC, id DESC);
CREATE INDEX refund_payment_intent_id_created_at_id_idx ON refund (payment_intent_id, created_at DESC, id DESC);
CREATE INDEX refund_provider_refund_id_idx ON refund (provider_refund_id) WHERE (provider_refund_id IS NOT NULL);
CREATE INDEX refund_reference_idx ON refund (merchant_account_id, reference, created_at DESC, id DESC) WHERE (reference IS NOT NULL);
CREATE INDEX refund_waiting_idx ON refund (((advisory ->> 'since'::text))) WHERE ((advisory ->> 'code'::text) = 'WAITING_FOR_PROVIDER'::text);

-- Answered requests with masked bodies, for support and for merchants; kept for some days. Written by the API in batches.
CREATE TABLE "request_log" (
  "id" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "api_key_id" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "status" INTEGER NOT NULL,
  "code" TEXT,
  "duration_ms" INTEGER NOT NULL,
  "request_body" JSONB,
  "response_body" JSONB,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "address" TEXT NOT NULL,
  CONSTRAINT "request_log_pkey" PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX request_log_created_at_idx ON request_log (created_at);
CREATE INDEX request_log_merchant_account_id_code_created_at_id_idx ON request_log (merchant_account_id, code, created_at DESC, id DESC);
CREATE INDEX request_log_merchant_account_id_created_at_id_idx ON request_log (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX request_log_merchant_account_id_path_created_at_id_idx ON request_log (merchant_account_id, path, created_at DESC, id DESC);
CREATE INDEX request_log_merchant_account_id_request_id_created_at_idx ON request_log (merchant_account_id, request_id, created_at DESC);
CREATE INDEX request_log_merchant_account_id_status_created_at_id_idx ON request_log (merchant_account_id, status, created_at DESC, id DESC);

-- The nonces of signed requests. A nonce is worth nothing once the timestamp of its request has expired: it need not survive
-- the crash of the server.
CREATE UNLOGGED TABLE "request_nonce" (
  "api_key_id" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "request_nonce_pkey" PRIMARY KEY (api_key_id, nonce)
);
CREATE INDEX request_nonce_created_at_idx ON request_nonce (created_at);

CREATE TABLE "routing_setting" (
  "merchant_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "ordering" TEXT NOT NULL,
  "exploration_share" DOUBLE PRECISION NOT NULL,
  "minimum_attempts" INTEGER NOT NULL,
  "window_hours" INTEGER NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "routing_setting_pkey" PRIMARY KEY (merchant_id, environment, method)
);

CREATE TABLE "saved_payment_method" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "customer_id" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "status_reason" TEXT,
  "masked" JSONB NOT NULL,
  "usage" TEXT NOT NULL,
  "consent" JSONB,
  "initial_payment_intent_id" TEXT NOT NULL,
  "is_default" BOOLEAN NOT NULL DEFAULT false,
  "metadata" JSONB NOT NULL DEFAULT '{}'::jsonb,
  "card_fingerprint" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "card_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  "next_due_at" TIMESTAMPTZ(3),
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "saved_payment_method_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX saved_payment_method_account_key ON saved_payment_method (id, merchant_account_id, environment);
-- A card is kept once for a customer, and may be kept for any number of customers.
CREATE UNIQUE INDEX saved_payment_method_card ON saved_payment_method (customer_id, card_fingerprint) WHERE (status = ANY (ARRAY['active'::text, 'invalid'::text]));
CREATE INDEX saved_payment_method_card_expires_at_idx ON saved_payment_method (card_expires_at) WHERE (status = ANY (ARRAY['active'::text, 'invalid'::text]));
CREATE INDEX saved_payment_method_last_used_at_idx ON saved_payment_method (last_used_at) WHERE (status = ANY (ARRAY['active'::text, 'invalid'::text]));
CREATE INDEX saved_payment_method_merchant_account_id_created_at_id_idx ON saved_payment_method (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX saved_payment_method_merchant_account_id_customer_id_create_idx ON saved_payment_method (merchant_account_id, customer_id, created_at DESC, id DESC);
CREATE INDEX saved_payment_method_next_due_at_idx ON saved_payment_method (next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX saved_payment_method_updated_at_idx ON saved_payment_method (updated_at) WHERE (status = 'detached'::text);

CREATE TABLE "saved_payment_method_credential" (
  "saved_payment_method_id" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "key_id" TEXT,
  "ciphertext" BYTEA,
  "has_network_transaction_id" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "saved_payment_method_credential_pkey" PRIMARY KEY (saved_payment_method_id, provider)
);

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
  CONSTRAINT "saved_view_pkey" PRIMARY KEY (id)
);
CREATE UNIQUE INDEX saved_view_person_id_merchant_account_id_list_name_key ON saved_view (person_id, merchant_account_id, list, name);

-- Up to which event they are kept; one row.
CREATE TABLE "statistics_cursor" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "position" BIGINT NOT NULL,
  CONSTRAINT "statistics_cursor_pkey" PRIMARY KEY (id)
);

-- Money that a provider took for an attempt which had ended without a charge; it is given back.
CREATE TABLE "stray_charge" (
  "attempt_id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending'::text,
  "provider_payment_id" TEXT,
  "amount_minor" BIGINT,
  "currency" TEXT,
  "next_due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "stray_charge_pkey" PRIMARY KEY (attempt_id)
);
CREATE INDEX stray_charge_account_due_idx ON stray_charge (merchant_account_id, next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX stray_charge_due_idx ON stray_charge (next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX stray_charge_payment_intent_id_idx ON stray_charge (payment_intent_id);
CREATE INDEX stray_charge_provider_payment_id_idx ON stray_charge (provider_payment_id) WHERE (provider_payment_id IS NOT NULL);
CREATE INDEX stray_charge_unresolved_idx ON stray_charge (updated_at) WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text]));
CREATE INDEX stray_charge_updated_at_idx ON stray_charge (updated_at);

-- How far the time of a sandbox account was advanced. An account without a row was never advanced.
CREATE TABLE "test_clock" (
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "advanced_seconds" INTEGER NOT NULL,
  "last_advance_id" TEXT NOT NULL,
  "advanced_at" TIMESTAMPTZ(3) NOT NULL,
  "next_pass_at" TIMESTAMPTZ(3),
  CONSTRAINT "test_clock_pkey" PRIMARY KEY (merchant_account_id, environment)
);
CREATE INDEX test_clock_next_pass_at_idx ON test_clock (next_pass_at) WHERE (next_pass_at IS NOT NULL);

CREATE TABLE "timeline_entry" (
  "payment_intent_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "ordinal" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "summary" TEXT NOT NULL,
  "details" JSONB,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "step_id" TEXT,
  CONSTRAINT "timeline_entry_pkey" PRIMARY KEY (payment_intent_id, version, ordinal)
);

CREATE TABLE "transaction" (
  "id" TEXT NOT NULL,
  "payment_intent_id" TEXT NOT NULL,
  "attempt_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "amount_minor" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "provider_payment_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "refund_id" TEXT,
  CONSTRAINT "transaction_pkey" PRIMARY KEY (id)
);
CREATE INDEX transaction_merchant_account_id_created_at_id_idx ON transaction (merchant_account_id, created_at DESC, id DESC);
CREATE INDEX transaction_merchant_account_id_type_created_at_id_idx ON transaction (merchant_account_id, type, created_at DESC, id DESC);
CREATE INDEX transaction_payment_intent_id_created_at_id_idx ON transaction (payment_intent_id, created_at DESC, id DESC);

CREATE TABLE "webhook_attempt" (
  "delivery_id" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "duration_ms" INTEGER NOT NULL,
  "status_code" INTEGER,
  "error" TEXT,
  "response_body" TEXT,
  CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY (delivery_id, number)
);

CREATE TABLE "webhook_cursor" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "position" BIGINT NOT NULL,
  CONSTRAINT "webhook_cursor_pkey" PRIMARY KEY (id)
);

CREATE TABLE "webhook_delivery" (
  "id" TEXT NOT NULL,
  "event_id" TEXT NOT NULL,
  "webhook_endpoint_id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "event_type" TEXT NOT NULL,
  "payment_intent_id" TEXT,
  "position" BIGINT NOT NULL,
  "round" INTEGER NOT NULL DEFAULT 1,
  "status" TEXT NOT NULL DEFAULT 'pending'::text,
  "reason" TEXT,
  "attempt_count" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(3),
  "blocked_by" TEXT,
  "claimed_at" TIMESTAMPTZ(3),
  "workflow_started_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),
  "is_held" BOOLEAN NOT NULL DEFAULT false,
  "is_requested" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY (id)
);
CREATE INDEX webhook_delivery_blocked_by_idx ON webhook_delivery (blocked_by) WHERE (blocked_by IS NOT NULL);
CREATE INDEX webhook_delivery_blocked_held_idx ON webhook_delivery (blocked_by) WHERE ((blocked_by IS NOT NULL) AND is_held);
-- Blocked deliveries, apart from the very many that may wait for failing endpoints.
CREATE INDEX webhook_delivery_blocked_idx ON webhook_delivery (blocked_by) WHERE ((blocked_by IS NOT NULL) AND (NOT is_held));
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_ended_idx ON webhook_delivery (webhook_endpoint_id, status, created_at DESC, id DESC) WHERE (status <> 'pending'::text);
CREATE UNIQUE INDEX webhook_delivery_event_id_webhook_endpoint_id_round_key ON webhook_delivery (event_id, webhook_endpoint_id, round);
CREATE INDEX webhook_delivery_held_idx ON webhook_delivery (webhook_endpoint_id, "position") WHERE ((status = 'pending'::text) AND is_held AND (blocked_by IS NULL));
-- Deliveries whose next attempt may be overdue, those that were looked at longest ago first.
CREATE INDEX webhook_delivery_overdue_idx ON webhook_delivery (GREATEST(claimed_at, COALESCE(next_attempt_at, workflow_started_at))) WHERE ((status = 'pending'::text) AND (workflow_started_at IS NOT NULL));
-- All that waits for an endpoint, the oldest first.
CREATE INDEX webhook_delivery_pending_idx ON webhook_delivery (webhook_endpoint_id, created_at DESC, id DESC) WHERE (status = 'pending'::text);
-- Deliveries with a workflow, by endpoint and by the time of their attempt.
CREATE INDEX webhook_delivery_started_idx ON webhook_delivery (webhook_endpoint_id, COALESCE(next_attempt_at, created_at)) WHERE ((status = 'pending'::text) AND (workflow_started_at IS NOT NULL));
-- What waits until its endpoint answers: which one the next probe sends, and in which order the rest goes out.
CREATE INDEX webhook_delivery_to_probe_idx ON webhook_delivery (webhook_endpoint_id, COALESCE(next_attempt_at, '-infinity'::timestamp with time zone), "position" DESC) WHERE ((status = 'pending'::text) AND is_held AND (blocked_by IS NULL));
-- What may be started now, what waits for another, and which delivery of a payment is the last one under way.
CREATE INDEX webhook_delivery_to_start_idx ON webhook_delivery (webhook_endpoint_id, COALESCE(next_attempt_at, created_at), "position") WHERE ((status = 'pending'::text) AND (workflow_started_at IS NULL) AND (blocked_by IS NULL) AND (NOT is_held));
CREATE INDEX webhook_delivery_under_way_idx ON webhook_delivery (webhook_endpoint_id, payment_intent_id, "position") WHERE (status = 'pending'::text);

CREATE TABLE "webhook_endpoint" (
  "id" TEXT NOT NULL,
  "merchant_account_id" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "description" TEXT,
  "enabled_events" TEXT[],
  "status" TEXT NOT NULL DEFAULT 'enabled'::text,
  "disabled_reason" TEXT,
  "disabled_at" TIMESTAMPTZ(3),
  "secret_key_id" TEXT NOT NULL,
  "secret_ciphertext" BYTEA NOT NULL,
  "previous_secret_expires_at" TIMESTAMPTZ(3),
  "rotation_id" TEXT,
  "failing_since" TIMESTAMPTZ(3),
  "last_success_at" TIMESTAMPTZ(3),
  "last_failure_at" TIMESTAMPTZ(3),
  "last_failure" TEXT,
  "version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
  "probe_count" INTEGER NOT NULL DEFAULT 0,
  "next_probe_at" TIMESTAMPTZ(3),
  "recovery_due_at" TIMESTAMPTZ(3),
  "created_by_id" TEXT,
  "created_by_key_id" TEXT,
  "failing_mailed_for" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoint_created_by_id_idx ON webhook_endpoint (created_by_id);
CREATE INDEX webhook_endpoint_created_by_key_id_idx ON webhook_endpoint (created_by_key_id);
-- Failing endpoints, which are counted.
CREATE INDEX webhook_endpoint_failing_idx ON webhook_endpoint (failing_since) WHERE (next_probe_at IS NOT NULL);
CREATE INDEX webhook_endpoint_merchant_account_id_created_at_id_idx ON webhook_endpoint (merchant_account_id, created_at DESC, id DESC);
-- Endpoints whose recovery workflow is to be started, the longest overdue first.
CREATE INDEX webhook_endpoint_recovery_due_idx ON webhook_endpoint (recovery_due_at) WHERE (recovery_due_at IS NOT NULL);

-- Each secret that was rotated away signs until its own overlap ends, however often the endpoint's secret is rotated meanwhile.
CREATE TABLE "webhook_previous_secret" (
  "webhook_endpoint_id" TEXT NOT NULL,
  "rotation_id" TEXT NOT NULL,
  "secret_key_id" TEXT NOT NULL,
  "secret_ciphertext" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "webhook_previous_secret_pkey" PRIMARY KEY (webhook_endpoint_id, rotation_id)
);

ALTER TABLE "account_logo" ADD CONSTRAINT "account_logo_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_fkey" FOREIGN KEY (merchant_account_id, merchant_id, environment) REFERENCES merchant_account(id, merchant_id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "api_key_use" ADD CONSTRAINT "api_key_use_api_key_id_fkey" FOREIGN KEY (api_key_id) REFERENCES api_key(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "approval_rate" ADD CONSTRAINT "approval_rate_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "card_group" ADD CONSTRAINT "card_group_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "channel_limit" ADD CONSTRAINT "channel_limit_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "customer" ADD CONSTRAINT "customer_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "customer_return" ADD CONSTRAINT "customer_return_payment_intent_id_fkey" FOREIGN KEY (payment_intent_id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "deposit_address" ADD CONSTRAINT "deposit_address_payment_intent_id_fkey" FOREIGN KEY (payment_intent_id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "deposit_transfer" ADD CONSTRAINT "deposit_transfer_attempt_id_fkey" FOREIGN KEY (attempt_id) REFERENCES deposit_address(attempt_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_intent_fkey" FOREIGN KEY (payment_intent_id, merchant_account_id, environment) REFERENCES payment_intent(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "dispute_file" ADD CONSTRAINT "dispute_file_dispute_fkey" FOREIGN KEY (dispute_id, merchant_account_id, environment) REFERENCES dispute(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "membership" ADD CONSTRAINT "membership_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "membership" ADD CONSTRAINT "membership_person_id_fkey" FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "merchant_account" ADD CONSTRAINT "merchant_account_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_attempt" ADD CONSTRAINT "payment_attempt_payment_intent_id_fkey" FOREIGN KEY (payment_intent_id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payment_card" ADD CONSTRAINT "payment_card_id_fkey" FOREIGN KEY (id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payment_error_code" ADD CONSTRAINT "payment_error_code_id_fkey" FOREIGN KEY (id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payment_intent" ADD CONSTRAINT "payment_intent_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_link_payment" ADD CONSTRAINT "payment_link_payment_intent_fkey" FOREIGN KEY (id, merchant_account_id, environment) REFERENCES payment_intent(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "payment_link_payment" ADD CONSTRAINT "payment_link_payment_link_fkey" FOREIGN KEY (payment_link_id, merchant_account_id, environment) REFERENCES payment_link(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_method_save" ADD CONSTRAINT "payment_method_save_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_route" ADD CONSTRAINT "payment_route_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "payment_statistic" ADD CONSTRAINT "payment_statistic_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "person_second_factor" ADD CONSTRAINT "person_second_factor_person_id_fkey" FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "person_session" ADD CONSTRAINT "person_session_person_id_fkey" FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "person_sign_in" ADD CONSTRAINT "person_sign_in_person_id_fkey" FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "platform_staff" ADD CONSTRAINT "platform_staff_person_id_fkey" FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "provider_account" ADD CONSTRAINT "provider_account_account_fkey" FOREIGN KEY (merchant_account_id, merchant_id, environment) REFERENCES merchant_account(id, merchant_id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "provider_account_previous_credentials" ADD CONSTRAINT "provider_account_previous_credentials_account_fkey" FOREIGN KEY (provider_account_id) REFERENCES provider_account(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "provider_customer" ADD CONSTRAINT "provider_customer_customer_fkey" FOREIGN KEY (customer_id, merchant_account_id, environment) REFERENCES customer(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "reconciliation_account" ADD CONSTRAINT "reconciliation_account_run_id_fkey" FOREIGN KEY (run_id) REFERENCES reconciliation_run(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "reconciliation_difference" ADD CONSTRAINT "reconciliation_difference_run_id_fkey" FOREIGN KEY (run_id) REFERENCES reconciliation_run(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "reconciliation_match" ADD CONSTRAINT "reconciliation_match_run_id_fkey" FOREIGN KEY (run_id) REFERENCES reconciliation_run(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "reconciliation_run" ADD CONSTRAINT "reconciliation_run_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "refund" ADD CONSTRAINT "refund_intent_fkey" FOREIGN KEY (payment_intent_id, merchant_account_id, environment) REFERENCES payment_intent(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "routing_setting" ADD CONSTRAINT "routing_setting_merchant_id_fkey" FOREIGN KEY (merchant_id) REFERENCES merchant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "saved_payment_method" ADD CONSTRAINT "saved_payment_method_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "saved_payment_method_credential" ADD CONSTRAINT "saved_payment_method_credential_method_fkey" FOREIGN KEY (saved_payment_method_id, merchant_account_id, environment) REFERENCES saved_payment_method(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_person_id_fkey" FOREIGN KEY (person_id) REFERENCES membership(person_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "stray_charge" ADD CONSTRAINT "stray_charge_intent_fkey" FOREIGN KEY (payment_intent_id, merchant_account_id, environment) REFERENCES payment_intent(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "test_clock" ADD CONSTRAINT "test_clock_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "timeline_entry" ADD CONSTRAINT "timeline_entry_payment_intent_id_fkey" FOREIGN KEY (payment_intent_id) REFERENCES payment_intent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "transaction" ADD CONSTRAINT "transaction_intent_fkey" FOREIGN KEY (payment_intent_id, merchant_account_id, environment) REFERENCES payment_intent(id, merchant_account_id, environment) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_account_fkey" FOREIGN KEY (merchant_account_id, environment) REFERENCES merchant_account(id, environment) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE "webhook_previous_secret" ADD CONSTRAINT "webhook_previous_secret_webhook_endpoint_id_fkey" FOREIGN KEY (webhook_endpoint_id) REFERENCES webhook_endpoint(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_audit_event_change();
CREATE TRIGGER audit_event_not_truncated BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change();
CREATE TRIGGER customer_metadata_deleted AFTER DELETE ON customer FOR EACH ROW WHEN ((old.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER customer_metadata_inserted AFTER INSERT ON customer FOR EACH ROW WHEN ((new.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER customer_metadata_updated AFTER UPDATE OF metadata ON customer FOR EACH ROW WHEN ((old.metadata <> new.metadata)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER payment_attempt_code_inserted AFTER INSERT ON payment_attempt FOR EACH ROW WHEN ((new.code IS NOT NULL)) EXECUTE FUNCTION write_attempt_error_code();
CREATE TRIGGER payment_attempt_code_updated AFTER UPDATE OF code ON payment_attempt FOR EACH ROW WHEN (((new.code IS NOT NULL) AND (old.code IS DISTINCT FROM new.code))) EXECUTE FUNCTION write_attempt_error_code();
CREATE TRIGGER payment_intent_authorized_or_ended AFTER UPDATE OF status ON payment_intent FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status = ANY (ARRAY['requires_capture'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'expired'::text])))) EXECUTE FUNCTION erase_card_secrets();
CREATE TRIGGER payment_intent_card_inserted AFTER INSERT ON payment_intent FOR EACH ROW WHEN ((new.card_last4 IS NOT NULL)) EXECUTE FUNCTION write_payment_card();
CREATE TRIGGER payment_intent_card_updated AFTER UPDATE OF card_last4 ON payment_intent FOR EACH ROW WHEN (((new.card_last4 IS NOT NULL) AND (old.card_last4 IS DISTINCT FROM new.card_last4))) EXECUTE FUNCTION write_payment_card();
CREATE TRIGGER payment_intent_last_error_inserted AFTER INSERT ON payment_intent FOR EACH ROW WHEN (((new.last_error ->> 'code'::text) IS NOT NULL)) EXECUTE FUNCTION write_payment_error_code();
CREATE TRIGGER payment_intent_last_error_updated AFTER UPDATE OF last_error ON payment_intent FOR EACH ROW WHEN ((((new.last_error ->> 'code'::text) IS NOT NULL) AND (old.last_error IS DISTINCT FROM new.last_error))) EXECUTE FUNCTION write_payment_error_code();
CREATE TRIGGER payment_intent_metadata_deleted AFTER DELETE ON payment_intent FOR EACH ROW WHEN ((old.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER payment_intent_metadata_inserted AFTER INSERT ON payment_intent FOR EACH ROW WHEN ((new.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER payment_intent_metadata_updated AFTER UPDATE OF metadata ON payment_intent FOR EACH ROW WHEN ((old.metadata <> new.metadata)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER platform_audit_event_append_only BEFORE DELETE OR UPDATE ON platform_audit_event FOR EACH ROW EXECUTE FUNCTION refuse_audit_event_change();
CREATE TRIGGER platform_audit_event_not_truncated BEFORE TRUNCATE ON platform_audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change();
CREATE TRIGGER provider_event_account BEFORE INSERT ON provider_event FOR EACH ROW EXECUTE FUNCTION set_account_of_provider_event();
CREATE TRIGGER refund_metadata_deleted AFTER DELETE ON refund FOR EACH ROW WHEN ((old.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER refund_metadata_inserted AFTER INSERT ON refund FOR EACH ROW WHEN ((new.metadata <> '{}'::jsonb)) EXECUTE FUNCTION write_metadata_pairs();
CREATE TRIGGER webhook_delivery_same_account BEFORE INSERT ON webhook_delivery FOR EACH ROW EXECUTE FUNCTION refuse_foreign_delivery();

-- The rows that each have one.
INSERT INTO "statistics_cursor" ("id", "position") VALUES (1, 0);
INSERT INTO "webhook_cursor" ("id", "position") VALUES (1, 0);

-- What finds no partition goes to NAME_default.
SELECT add_partition(name, name || '_default', 'DEFAULT', append_only) FROM partitioned_tables();
SELECT make_partitions();
