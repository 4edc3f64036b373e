import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { collectComplaints, WIDE } from './browser-page.ts';
import { dashboardOfStack, type SignedInMember } from './dashboard.ts';

/** A page of the dashboard in a browser of its own, with what tests look for. */
export interface DashboardPage {
  readonly context: BrowserContext;
  readonly page: Page;
  button(name: string): Locator;
  /** A button of the dialog that is open. */
  inDialog(name: string): Locator;
  heading(name: string | RegExp): Locator;
  /** A secret in the dialog that shows it once. */
  shownSecret(form: RegExp): Promise<string>;
  /** Makes it the browser of a person who is signed in. */
  takeSession(person: SignedInMember): Promise<void>;
  /** Fills the fields with these labels. */
  fill(values: Readonly<Record<string, string>>): Promise<void>;
  /** @throws AssertionError where a script failed, the content security policy was broken, or another site was asked */
  close(): Promise<void>;
}

/** Opens a browser at the dashboard without a session; its addresses may be paths. */
export async function openDashboardPage(browser: Browser): Promise<DashboardPage> {
  const { url } = dashboardOfStack();
  const complaints: string[] = [];
  const context = await browser.newContext({
    viewport: WIDE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    baseURL: url,
  });
  context.setDefaultTimeout(MINUTE_MS);
  const page = await context.newPage();
  collectComplaints(page, complaints, url);
  return {
    context,
    page,
    button: (name) => page.getByRole('button', { name, exact: true }),
    inDialog: (name) => page.getByRole('dialog').getByRole('button', { name, exact: true }),
    heading: (name) => page.getByRole('heading', { level: 1, name }),
    async shownSecret(form) {
      const secret = page.getByRole('dialog').getByText(form);
      await secret.waitFor();
      return z.string().parse(await secret.textContent());
    },
    takeSession: ({ browser: { cookies } }) =>
      context.addCookies([...cookies].map(([name, value]) => ({ name, value, url }))),
    async fill(values) {
      for (const [label, value] of Object.entries(values)) await page.getByLabel(labelled(label)).fill(value);
    },
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

/** A whole label, with the sign of a field that must be filled or without it. */
function labelled(label: string): RegExp {
  return new RegExp(`^${label.replaceAll(/[()]/g, String.raw`\$&`)}\\s*\\*?$`);
}
