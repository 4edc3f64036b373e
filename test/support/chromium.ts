import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { timeStart } from './test-times.ts';

/** The first one that is installed is used. A headless shell takes less than half the processor time of a browser with windows. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of the installed browser, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return PROGRAMS.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(existsSync);
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return timeStart('browser', () =>
    chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] }),
  );
}
