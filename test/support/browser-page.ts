import type { Page } from 'playwright-core';

export const WIDE = { width: 1_280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** The sizes and colour schemes in which pages are checked. */
export const LOOKS = [
  { colorScheme: 'light', size: WIDE },
  { colorScheme: 'dark', size: NARROW },
  { colorScheme: 'dark', size: WIDE },
  { colorScheme: 'light', size: NARROW },
] as const;

/** Adds each failed script, each violation of the content security policy and, given an origin, each request to another origin. */
export function collectComplaints(page: Page, complaints: string[], origin?: string): void {
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (sent) => {
    const isOwn = origin === undefined || /^(data:|blob:)/.test(sent.url()) || sent.url().startsWith(`${origin}/`);
    if (!isOwn) complaints.push(sent.url());
  });
}
