import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page that has loaded it, and whether the page is wider than the window. Tooltips are left out:
 * they are outside the page's regions by design, and one can still be closing after the focus has moved on.
 */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // The page draws itself anew after a change of the window's size.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const violations = await page.evaluate<readonly axe.Result[]>(
    "axe.run({ exclude: ['[role=tooltip]'] }, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
    ...(overflow === 0 ? [] : [`it is ${String(overflow)} pixels too wide`]),
  ];
}
