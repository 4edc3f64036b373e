import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { escapeHtml } from '../escape-html.ts';

/** A view of the list of workflows for support staff. */
export interface SupportView {
  readonly name: string;
  /** In the query language of Temporal's list filters. */
  readonly query: string;
}

/** What `npm start` opens the UI with: "All Workflows" lists several webhook deliveries for each payment. */
export const PAYMENTS_VIEW: SupportView = { name: 'Payments', query: 'WorkflowType="paymentIntentWorkflow"' };

/** The views that keep webhook deliveries out of the way. */
export const SUPPORT_VIEWS: readonly SupportView[] = [
  PAYMENTS_VIEW,
  { name: 'Payments that failed', query: 'WorkflowType="paymentIntentWorkflow" AND ExecutionStatus="Failed"' },
  { name: 'Payments with an error', query: 'WorkflowType="paymentIntentWorkflow" AND PaymentErrorCode IS NOT NULL' },
  { name: 'Payments that are stuck', query: 'PaymentErrorCode="PAYMENT_STUCK" AND ExecutionStatus="Running"' },
  { name: 'Waiting for a provider', query: 'PaymentErrorCode="WAITING_FOR_PROVIDER" AND ExecutionStatus="Running"' },
  { name: 'Refunds', query: 'WorkflowType="refundWorkflow"' },
  { name: 'Stray charges', query: 'WorkflowType="strayChargeWorkflow"' },
  { name: 'Disputes', query: 'WorkflowType="disputeWorkflow"' },
  { name: 'Webhooks not delivered', query: 'WorkflowType="webhookDeliveryWorkflow" AND PaymentStatus!="delivered"' },
];

/** The address that opens the list with the query of a view. */
export function listUrlOf({ query }: SupportView, workflowsUrl: string): string {
  return `${workflowsUrl}?${new URLSearchParams({ query }).toString()}`;
}

/** The address that opens a view, and saves it in the browser: each time it is opened, once more. */
export function viewUrlOf({ name, query }: SupportView, workflowsUrl: string): string {
  return `${workflowsUrl}?${new URLSearchParams({ query, savedQuery: name }).toString()}`;
}

/**
 * Writes the page with the views. The Temporal UI keeps saved views in the browser, so that no server can make them.
 * @returns its path
 */
export async function writeSupportViews(dataDir: string, workflowsUrl: string): Promise<string> {
  const file = path.join(dataDir, 'support-views.html');
  await writeFile(file, pageOf(workflowsUrl), { mode: 0o600 });
  return file;
}

function pageOf(workflowsUrl: string): string {
  const links = SUPPORT_VIEWS.map(
    (view) => `<li><a href="${escapeHtml(viewUrlOf(view, workflowsUrl))}" target="temporal">${view.name}</a></li>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><title>Views for support staff</title>',
    '<main><h1>Views for support staff</h1>',
    '<p>Click each once: the Temporal UI keeps it in this browser, under "Custom Views". A second click adds it once more.</p>',
    `<ul>${links.join('')}</ul></main>`,
    '</html>',
    '',
  ].join('\n');
}
