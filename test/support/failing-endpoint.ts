import type { DashboardPage } from './dashboard-page.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** On the page of webhook endpoints: makes one of the receiver, which refuses a test event. Ends on the page of the event. */
export async function sendFailingTestEvent(opened: DashboardPage, receiver: WebhookReceiver): Promise<void> {
  const { page, fill, button, inDialog, heading, shownSecret } = opened;
  receiver.answerWith(() => ({ status: 500, body: 'out of order' }));
  await button('Create webhook endpoint').click();
  await fill({ Address: receiver.url });
  await inDialog('Create webhook endpoint').click();
  await shownSecret(/whsec_/);
  await button('I have copied it').click();
  await page.getByRole('cell', { name: receiver.url }).click();
  await button('Send test event').click();
  await inDialog('Send test event').click();
  await heading('webhook_endpoint.test').waitFor();
  await page
    .getByText(/status not 2xx/i)
    .first()
    .waitFor();
}

/** On the page of an event: delivers it again, to the receiver that takes it by now. */
export async function redeliver({ page, button, inDialog }: DashboardPage, receiver: WebhookReceiver): Promise<void> {
  receiver.answerWith(() => ({ status: 204 }));
  await button('Redeliver').first().click();
  await inDialog('Redeliver').click();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
}
