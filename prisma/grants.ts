import pg from 'pg';

/** The processes of the engine, each of which has a role in PostgreSQL: `payment_engine_api` and so on. */
export const ENGINE_ROLES = ['api', 'worker', 'gateway', 'dashboard'] as const;
export type EngineRole = (typeof ENGINE_ROLES)[number];

export function roleNameOf(role: EngineRole): string {
  return `payment_engine_${role}`;
}

/**
 * What each process may do with each table, written as after GRANT. Columns in parentheses limit a privilege to them. Each new
 * table needs a row. While processes of two versions run, the row must suffice for both.
 *
 * - A process that locks rows (FOR UPDATE) needs UPDATE on one column. A process that only locks has it on an unimportant column.
 * - The purge finds rows by `ctid`, but those of tables with partitions by `id`: without the right to read `ctid`, the purge of
 *   an earlier release fails there, which would delete rows of other partitions.
 * - Attempts, transactions, refunds and timeline entries are deleted with their intent by foreign key, for which no process needs
 *   DELETE.
 */
export const GRANTS: Readonly<Record<string, Readonly<Partial<Record<EngineRole, string>>>>> = {
  merchant: {
    api: 'SELECT, UPDATE (created_at, platform_suspended_at, platform_suspension_reason, require_second_factor)',
    dashboard: 'SELECT, INSERT',
  },
  merchant_account: {
    api: `SELECT, INSERT, UPDATE (id, name, status, platform_suspended_at, status_before_suspension, attempt_budget,
      refund_window_days, require_idempotency_keys, refund_confirmation_minor, decline_retries_enabled, decline_retries_maximum,
      decline_retries_issuer_declines, public_name, color, support_email, support_phone, support_url, terms_url,
      return_url, logo_digest, version, updated_at)`,
    worker: 'SELECT',
    gateway: 'SELECT (id, merchant_id, environment, status, attempt_budget, require_idempotency_keys)',
    dashboard: 'SELECT, INSERT',
  },
  account_logo: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
  },
  api_key: {
    // A key stays with its account.
    api: `SELECT, INSERT, UPDATE (id, name, prefix, key_hash, salt_hash, signature_version, salt_key_id, salt_ciphertext, scopes,
      ip_restricted, ip_allowlist, account_bound, expires_at, revoked_at, replaced_by_id, created_by_id, created_by_key_id,
      last_used_at, last_used_from, version, updated_at)`,
    worker: 'SELECT (ctid, revoked_at, expires_at), DELETE',
    gateway: `SELECT (id, merchant_id, merchant_account_id, environment, key_hash, salt_hash, signature_version, salt_key_id,
      salt_ciphertext, scopes, ip_restricted, ip_allowlist, account_bound, expires_at, revoked_at, last_used_at),
      UPDATE (last_used_at, last_used_from)`,
  },
  // Deleted with their key by foreign key, and by the purge.
  api_key_use: {
    api: 'SELECT, INSERT, UPDATE (requests, refused, first_at, last_at)',
    worker: 'SELECT (ctid, last_at), DELETE',
    gateway: 'SELECT, INSERT, UPDATE (requests, refused, first_at, last_at)',
  },
  provider_account: {
    // An account at a provider stays with its merchant account, and with its kind.
    api: `SELECT, INSERT, UPDATE (id, name, status, credentials_key_id, credentials_ciphertext, credential_names,
      public_credentials, credentials_updated_at, credentials_refused_since, credentials_refused_operation, version,
      updated_at), DELETE`,
    worker: 'SELECT, UPDATE (created_at, credentials_refused_since, credentials_refused_operation)',
  },
  // Deleted with their account by foreign key.
  provider_account_previous_credentials: {
    api: 'SELECT, INSERT, DELETE',
    worker: 'SELECT',
  },
  test_clock: {
    api: 'SELECT, INSERT, UPDATE',
    worker: 'SELECT, UPDATE (next_pass_at)',
  },
  job_lease: {
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  payment_route: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT',
    dashboard: 'SELECT, INSERT',
  },
  card_group: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
  },
  route_set: {
    api: 'SELECT, INSERT, UPDATE (activated_at, replaced_set_id), DELETE',
  },
  routing_setting: {
    api: 'SELECT, INSERT, UPDATE',
    worker: 'SELECT',
  },
  approval_rate: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  channel_limit: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT',
    dashboard: 'SELECT, INSERT',
  },
  customer: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT (id, merchant_account_id, environment)',
  },
  payment_link: {
    // The amount of a link never changes, because customers may have seen it.
    api: 'SELECT, INSERT, UPDATE (description, active, paid_count, version, updated_at)',
    worker: 'SELECT (id, max_payments, paid_count), UPDATE (paid_count)',
  },
  // Deleted with the payment intent by foreign key.
  payment_link_payment: {
    api: 'SELECT, INSERT, UPDATE (outcome, confirmed_at, confirmed_from)',
    worker: 'SELECT (id, payment_link_id, outcome), UPDATE (outcome)',
  },
  payment_intent: {
    // Its state is written by workflows alone.
    api: 'SELECT, INSERT, UPDATE (amount_refunding_minor, reference, description, metadata, version, updated_at)',
    worker: 'SELECT, UPDATE, DELETE',
    gateway: 'SELECT (id, merchant_account_id, environment, status, status_since, client_secret_hash)',
  },
  // Written by triggers, with the rights of the process that writes the resource.
  metadata_pair: {
    api: 'SELECT, INSERT, DELETE',
    worker: 'SELECT, INSERT, DELETE',
  },
  // Written by triggers too; deleted with the payment by foreign key.
  payment_card: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, INSERT',
  },
  payment_error_code: {
    api: 'SELECT',
    worker: 'SELECT, INSERT',
  },
  payment_attempt: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE',
  },
  transaction: {
    api: 'SELECT',
    worker: 'SELECT, INSERT',
  },
  refund: {
    api: 'SELECT, INSERT',
    // The worker inserts those that nobody requested here.
    worker: 'SELECT, INSERT, UPDATE',
  },
  // Deleted with the payment by foreign key. The worker writes it from providers' reports, the API what a merchant answers.
  dispute: {
    api: 'SELECT, UPDATE (status, evidence, operation, operation_id, operation_called_at, last_error, next_due_at, updated_at)',
    worker: 'SELECT, INSERT, UPDATE',
  },
  // Deleted with the dispute by foreign key too.
  dispute_file: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT, UPDATE (created_at), DELETE',
  },
  payment_operation: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  stray_charge: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  timeline_entry: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, INSERT',
  },
  event: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, INSERT, UPDATE (position, sequence), DELETE',
    gateway: 'SELECT',
  },
  event_counter: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE',
    gateway: 'SELECT',
    // Read at the start, to see that the tables are there.
    dashboard: 'SELECT (scope)',
  },
  webhook_endpoint: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: `SELECT, UPDATE (status, disabled_reason, disabled_at, failing_since, consecutive_failures, probe_count,
      next_probe_at, recovery_due_at, last_success_at, last_failure_at, last_failure, version, updated_at)`,
    // It tells people of endpoints that fail.
    dashboard: `SELECT (id, merchant_account_id, environment, status, next_probe_at, failing_since, failing_mailed_for,
      last_failure), UPDATE (failing_mailed_for)`,
  },
  // Deleted with their endpoint by foreign key.
  webhook_previous_secret: {
    api: 'SELECT, INSERT, DELETE',
    worker: 'SELECT',
  },
  webhook_delivery: {
    api: 'SELECT, INSERT, UPDATE (workflow_started_at, claimed_at, is_held, is_requested, next_attempt_at)',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  webhook_attempt: {
    api: 'SELECT',
    worker: 'SELECT, INSERT',
  },
  webhook_cursor: {
    api: 'SELECT',
    worker: 'SELECT, UPDATE',
  },
  payment_statistic: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  statistics_cursor: {
    api: 'SELECT',
    worker: 'SELECT, UPDATE',
  },
  provider_event: {
    api: 'SELECT, INSERT, UPDATE (delivered_at)',
    worker: 'SELECT, INSERT, UPDATE (delivered_at, merchant_account_id), DELETE',
  },
  customer_return: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, INSERT, UPDATE (status, result_key_id, result_ciphertext), DELETE',
  },
  reconciliation_run: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  // These are deleted with their run by foreign key.
  reconciliation_account: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE',
  },
  reconciliation_difference: {
    api: 'SELECT',
    worker: 'SELECT, INSERT',
  },
  reconciliation_match: {
    worker: 'SELECT, INSERT, DELETE',
  },
  // The API confirms what the bank says, and resolves exceptions; it never changes money.
  settlement: {
    api: 'SELECT, UPDATE (bank, entries_exceptions, updated_at)',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  settlement_entry: {
    api: 'SELECT, UPDATE (resolution, note, resolved_at, updated_at)',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  settlement_expectation: {
    worker: 'SELECT, INSERT, UPDATE',
  },
  settlement_import: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  deposit_address: {
    worker: 'SELECT, INSERT, UPDATE (status, quote_expires_at, settled_amount, stray_amount)',
  },
  deposit_transfer: {
    worker: 'SELECT, INSERT, UPDATE (is_settled), DELETE',
  },
  deposit_cursor: {
    worker: 'SELECT, INSERT, UPDATE',
  },
  provider_health: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  payment_method: {
    api: 'SELECT, INSERT, UPDATE (card_groups)',
    worker: 'SELECT, UPDATE (ciphertext, masked, saved_payment_method_id), DELETE',
  },
  // The API agrees to a save; the worker carries it out.
  payment_method_save: {
    api: 'SELECT, INSERT, UPDATE (usage, consent)',
    worker: 'SELECT, UPDATE (created_at), DELETE',
  },
  saved_payment_method: {
    api: `SELECT, UPDATE (status, status_reason, masked, is_default, metadata, key_id, ciphertext, card_expires_at, next_due_at,
      version, updated_at)`,
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  saved_payment_method_credential: {
    api: 'SELECT, UPDATE (status, updated_at)',
    worker: 'SELECT, INSERT, UPDATE, DELETE',
  },
  provider_customer: {
    api: 'SELECT',
    worker: 'SELECT, INSERT, UPDATE (provider_customer_id)',
  },
  payment_method_cvc: {
    api: 'SELECT, INSERT, DELETE',
    worker: 'SELECT, UPDATE (created_at), DELETE',
  },
  card_digest: {
    api: 'SELECT, INSERT',
    worker: 'SELECT (ctid, payment_method_id, payment_intent_id, card, created_at), UPDATE (created_at), DELETE',
  },
  payment_intent_update: {
    api: 'SELECT, INSERT',
    worker: 'SELECT, UPDATE (created_at), DELETE',
  },
  idempotency_record: {
    api: 'SELECT, INSERT, UPDATE',
    worker: 'SELECT (ctid, created_at, locked_until), UPDATE (created_at), DELETE',
  },
  audit_event: {
    api: 'SELECT, INSERT',
    worker: 'SELECT (id, created_at), INSERT, DELETE',
    dashboard: 'INSERT',
  },
  request_log: {
    api: 'SELECT, INSERT',
    worker: 'SELECT (id, created_at), DELETE',
  },
  policy_report: {
    api: 'SELECT, INSERT, UPDATE (reports, last_at)',
    worker: 'SELECT (ctid, last_at), DELETE',
  },
  request_nonce: {
    api: 'SELECT, INSERT',
    worker: 'SELECT (ctid, created_at), UPDATE (created_at), DELETE',
    gateway: 'SELECT, INSERT',
  },
  rate_limit: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT, INSERT, UPDATE (points, expire), DELETE',
    gateway: 'SELECT, INSERT, UPDATE, DELETE',
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  person: {
    api: 'SELECT (id, name, email, email_verified, two_factor_enabled, created_at)',
    worker: 'SELECT (ctid, id, created_at, email_verified), DELETE',
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  person_session: {
    api: `SELECT (id, person_id, token, ip_address, user_agent, second_factor, authenticated_at, last_used_at, expires_at,
      created_at), UPDATE (last_used_at), DELETE`,
    worker: 'SELECT (ctid, expires_at), DELETE',
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  // These are deleted with their person by foreign key.
  person_sign_in: {
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  person_second_factor: {
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  person_verification: {
    worker: 'SELECT (ctid, expires_at), DELETE',
    dashboard: 'SELECT, INSERT, UPDATE, DELETE',
  },
  membership: {
    api: 'SELECT, UPDATE (role, version, updated_at), DELETE',
    worker: 'SELECT (person_id)',
    dashboard: 'SELECT, INSERT',
  },
  // These are deleted with the membership by foreign key.
  saved_view: {
    api: 'SELECT, INSERT, DELETE',
  },
  invitation: {
    api: 'SELECT, INSERT, UPDATE, DELETE',
    worker: 'SELECT (ctid, expires_at), DELETE',
    dashboard: 'SELECT, DELETE',
  },
  // Only an operator's command makes or removes staff.
  platform_staff: {
    api: 'SELECT',
    dashboard: 'SELECT (person_id)',
  },
  platform_audit_event: {
    api: 'SELECT, INSERT',
    worker: 'SELECT (id, created_at), DELETE',
    dashboard: 'INSERT',
  },
};

/** The sequences whose next value a process takes when it inserts. */
const SEQUENCES: Readonly<Record<string, readonly EngineRole[]>> = {
  event_insertion_seq: ['api', 'worker'],
  deposit_index: ['worker'],
};

/** The functions that act with the rights of the tables' owner, and who may call them; nobody else may. */
export const OWNERS_FUNCTIONS: Readonly<Record<string, readonly EngineRole[]>> = {
  'make_partitions()': ['worker'],
  'drop_old_partition(text, int)': ['worker'],
  'partition_problems()': ['worker'],
};

/**
 * Creates the roles that do not exist, without a password, and gives each exactly its grants.
 * @param client connected as the owner of the tables
 * @returns the names of the roles that do not exist because the owner may not create roles
 */
export async function applyGrants(client: pg.ClientBase): Promise<string[]> {
  const missing: string[] = [];
  const present: EngineRole[] = [];
  for (const role of ENGINE_ROLES) {
    if (await ensureRole(client, roleNameOf(role))) present.push(role);
    else missing.push(roleNameOf(role));
  }
  const statements = ['REVOKE CREATE ON SCHEMA public FROM PUBLIC', ...present.flatMap(grantStatements)];
  await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
  return missing;
}

/** Lets a process connect with a password. @param client connected as the user who created the role */
export async function setRolePassword(client: pg.ClientBase, role: EngineRole, password: string): Promise<void> {
  await client.query(`ALTER ROLE ${roleNameOf(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

const INSUFFICIENT_PRIVILEGE = '42501';
/** Another migration in the same cluster has created it meanwhile: duplicate object, or unique violation. */
const EXISTS: readonly string[] = ['42710', '23505'];

/** @returns false where the role does not exist and may not be created */
async function ensureRole(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount !== 0) return true;
  try {
    await client.query(`CREATE ROLE ${name} NOLOGIN`);
    return true;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (EXISTS.includes(code)) return true;
    if (code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

function grantStatements(role: EngineRole): string[] {
  const name = roleNameOf(role);
  const tables = Object.entries(GRANTS).flatMap(([table, { [role]: privileges }]) =>
    privileges === undefined ? [] : [`GRANT ${privileges} ON "${table}" TO ${name}`],
  );
  const sequences = Object.entries(SEQUENCES).flatMap(([sequence, users]) =>
    users.includes(role) ? [`GRANT USAGE ON SEQUENCE "${sequence}" TO ${name}`] : [],
  );
  // By name, because other functions may belong to extensions.
  const functions = Object.entries(OWNERS_FUNCTIONS).flatMap(([signature, users]) => [
    `REVOKE ALL ON FUNCTION ${signature} FROM ${name}`,
    ...(users.includes(role) ? [`GRANT EXECUTE ON FUNCTION ${signature} TO ${name}`] : []),
  ]);
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${name}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${name}`,
    `REVOKE ALL ON SCHEMA public FROM ${name}`,
    `GRANT USAGE ON SCHEMA public TO ${name}`,
    ...tables,
    ...sequences,
    ...functions,
  ];
}
