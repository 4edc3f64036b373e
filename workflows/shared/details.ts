import { workflowInfo } from '@temporalio/workflow';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import {
  DISPUTE_WORKFLOW,
  REFUND_WORKFLOW,
  STRAY_CHARGE_WORKFLOW,
  WEBHOOK_DELIVERY_WORKFLOW,
} from '../../protocol/messages.ts';

/**
 * The Temporal UI shows details in a frame that is 24 pixels shorter than its content. It cuts off these empty lines instead of
 * the last line.
 */
const BELOW_THE_FRAME = ['', '<br><br>'];

/** Details of a workflow for support staff, in markdown. */
export function detailsText(lines: readonly string[]): string {
  return [...lines, ...BELOW_THE_FRAME].join('\n');
}

/** A link to a workflow in the Temporal UI. Relative, so that it works at any address of the UI. */
export function workflowLink(workflowId: string): string {
  return `[${workflowId}](${namespacePath()}/${encodeURIComponent(workflowId)})`;
}

/**
 * A line with links to what belongs to a payment. The links lead to lists: a payment's own workflow has ended when its money is
 * refunded, and the details of an ended workflow change no more.
 */
export function linksOfPayment(paymentIntentId: string): string {
  const links = [
    listLink('refunds', paymentIntentId, REFUND_WORKFLOW),
    listLink('stray charges', paymentIntentId, STRAY_CHARGE_WORKFLOW),
    listLink('disputes', paymentIntentId, DISPUTE_WORKFLOW),
    listLink('webhooks', paymentIntentId, WEBHOOK_DELIVERY_WORKFLOW),
  ];
  return `- Of this payment: ${links.join(', ')}.`;
}

function listLink(text: string, paymentIntentId: string, workflowType: string): string {
  const query = `PaymentIntent = "${paymentIntentId}" AND WorkflowType = "${workflowType}"`;
  return `[${text}](${namespacePath()}?query=${encodeURIComponent(query)})`;
}

function namespacePath(): string {
  return `namespaces/${encodeURIComponent(workflowInfo().namespace)}/workflows`;
}

/** The merchant's own identifier for support staff, as a line of a markdown list; no line where there is none. */
export function referenceLine(reference: string | null | undefined): readonly string[] {
  return reference == null ? [] : [`- Reference: ${codeSpan(reference)}.`];
}

/** Why something failed, as lines of a markdown list: the engine's own reason, and the provider's answer as its adapter has redacted it. */
export function reasonLines(provider: string, details: JsonObject | undefined): readonly string[] {
  const { reason, providerResponse } = details ?? {};
  return [
    ...(reason === undefined ? [] : [`- Reason: ${codeSpan(textOf(reason))}.`]),
    ...(providerResponse === undefined ? [] : [`- ${provider}'s answer: ${codeSpan(textOf(providerResponse))}.`]),
  ];
}

const MAXIMUM_LENGTH = 500;

function textOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH)} …`;
}

/** A text from outside as a code span of markdown, which a backtick or an empty line in it would end. */
function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
}
