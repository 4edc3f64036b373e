/** Every kind of fault that a run can inject; `--faults` chooses among them. */
export const FAULT_KINDS = [
  'kill',
  'pause',
  'connections_cut',
  'connections_refused',
  'connections_slow',
  'requests_swallowed',
  'replies_swallowed',
  'provider_drops_replies',
  'provider_errors',
  'provider_slow',
  'provider_webhooks_late',
  'provider_webhooks_lost',
  'provider_webhooks_doubled',
  'provider_webhooks_reordered',
  'provider_webhooks_mixed',
  'provider_refuses_credentials',
  'provider_away',
  'workers_away',
  'route_off',
  'account_off',
  'merchant_off',
  'operator_cancel',
  'operator_terminate',
  'operator_reset',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Injected only where they are named: they leave little traffic to a run of few minutes. */
const ON_DEMAND: readonly FaultKind[] = [
  'provider_refuses_credentials',
  'provider_away',
  'workers_away',
  'route_off',
  'account_off',
  'merchant_off',
];

/** Injected where no kinds are named. */
export const DEFAULT_FAULT_KINDS = FAULT_KINDS.filter((kind) => !ON_DEMAND.includes(kind));

/** Injected at planned times; an operator's actions belong to the plans of payments instead. */
export const SCHEDULED_FAULT_KINDS = FAULT_KINDS.filter((kind): kind is ScheduledFaultKind => !isOperatorKind(kind));

export type OperatorFaultKind = Extract<FaultKind, `operator_${string}`>;
export type ScheduledFaultKind = Exclude<FaultKind, OperatorFaultKind>;

export function isOperatorKind(kind: FaultKind): kind is OperatorFaultKind {
  return kind.startsWith('operator_');
}
