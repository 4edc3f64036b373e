import type { FrameLocator, Page } from 'playwright-core';

/** The columns that docs/support.md recommends. */
const ADDED = ['PaymentStatus', 'PaymentErrorCode', 'PaymentProvider', 'PaymentAmountMinor', 'PaymentCurrency'];
const REMOVED = ['Run ID', 'Type', 'End'];

/** Sets the columns of the list that is open. */
export async function showColumns(page: Page): Promise<void> {
  await page.getByTestId('workflows-summary-table-configuration-button').click();
  for (const name of ADDED) await page.getByTestId(`orderable-list-item-${name}-add-button`).click();
  for (const name of REMOVED) await page.getByTestId(`orderable-list-item-${name}-remove-button`).click();
  await page.keyboard.press('Escape');
}

/** Opens the details of a workflow. @returns the frame that shows its current details */
export async function openDetails(page: Page, workflowsUrl: string, workflowId: string): Promise<FrameLocator> {
  await page.goto(`${workflowsUrl}/${workflowId}`);
  await page.getByText('User Metadata', { exact: true }).first().click();
  const frame = page.frameLocator('iframe').last();
  await frame.getByText('Of this payment').waitFor();
  return frame;
}
