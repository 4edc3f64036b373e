import type { Settings } from './read-variables.ts';

/** Whether this runs in continuous integration, where nothing may go untested. */
export function isContinuousIntegration(settings: Settings = process.env): boolean {
  return settings.CI === 'true';
}
