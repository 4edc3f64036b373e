import { workflowInfo } from '@temporalio/workflow';

/**
 * The Temporal UI shows details in a frame that is 24 pixels lower than its content, and would cut off the last line; these
 * empty lines are cut off instead.
 */
const BELOW_THE_FRAME = ['', '<br><br>'];

/** Details of a workflow for support staff, in markdown. */
export function detailsText(lines: readonly string[]): string {
  return [...lines, ...BELOW_THE_FRAME].join('\n');
}

/** A link to a workflow in the Temporal UI. Relative, so that it works wherever the UI is. */
export function workflowLink(workflowId: string): string {
  return `[${workflowId}](${namespacePath()}/${encodeURIComponent(workflowId)})`;
}

/** A link to the workflows of a type that belong to a payment. */
export function listLink(text: string, paymentIntentId: string, workflowType: string): string {
  const query = `PaymentIntent = "${paymentIntentId}" AND WorkflowType = "${workflowType}"`;
  return `[${text}](${namespacePath()}?query=${encodeURIComponent(query)})`;
}

function namespacePath(): string {
  return `namespaces/${encodeURIComponent(workflowInfo().namespace)}/workflows`;
}
