/**
 * The address of a namespace's workflows in the Temporal UI; a workflow's id is its last part.
 * @param temporalUi the address of the UI, which may end with a slash
 */
export function workflowsUrlOf(temporalUi: string, namespace: string): string {
  return `${temporalUi.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
