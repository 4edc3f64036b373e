import { SUPPORT_SCOPE } from '../../domain/scopes.ts';
import type { Principal } from '../../domain/principal.ts';

/** Where support staff read workflows. */
export interface WorkflowLinks {
  /** The list of workflows in the Temporal UI; null or absent where its address is not set. */
  readonly workflowsUrl?: string | null;
}

/** `workflowUrl` of a resource, for keys with the support scope; nothing for others. */
export function workflowUrlFor(
  { scopes }: Pick<Principal, 'scopes'>,
  { workflowsUrl }: WorkflowLinks,
  workflowId: string,
): { readonly workflowUrl?: string } {
  if (workflowsUrl == null || !scopes.includes(SUPPORT_SCOPE)) return {};
  return { workflowUrl: `${workflowsUrl}/${encodeURIComponent(workflowId)}` };
}
