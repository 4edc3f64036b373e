import { readVariables, type Settings, throwIfAny } from './read-variables.ts';
import { toolFolders } from './tool-folders.mjs';

/** The folders of programs that are not npm packages. */
export interface ToolsConfig {
  readonly cacheDir: string;
  readonly searchPath: readonly string[];
  /** The test server to use; null means to search for one. */
  readonly testServer: string | null;
}

/** Reads the folders of those programs. @throws ConfigError */
export function readToolsConfig(settings: Settings = process.env): ToolsConfig {
  const { values, problems } = readVariables(settings, ['TEMPORAL_TEST_SERVER']);
  throwIfAny(problems);
  return { ...toolFolders(settings), testServer: values.TEMPORAL_TEST_SERVER };
}
