import { readFile } from 'node:fs/promises';

/** The page of payment links as it was built. */
export interface BuiltPaymentPage {
  readonly html: string;
  readonly script: Buffer;
  readonly style: Buffer;
}

const BUILT_FOLDER = new URL('../../../sdk/payment-page/dist/', import.meta.url);

/** Reads the build of `sdk/payment-page`. @throws Error when it was not built */
export async function readPaymentPage(): Promise<BuiltPaymentPage> {
  const [html, script, style] = await Promise.all(
    ['index.html', 'payment-page.js', 'payment-page.css'].map((name) => readFile(new URL(name, BUILT_FOLDER))),
  );
  if (html === undefined || script === undefined || style === undefined) {
    throw new Error('the payment page was not built');
  }
  return { html: html.toString('utf8'), script, style };
}
