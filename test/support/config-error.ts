import assert from 'node:assert/strict';
import { ConfigError } from '../../config/read-variables.ts';

/** The message with which settings are rejected. */
export function configErrorOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail('the settings were accepted');
}
