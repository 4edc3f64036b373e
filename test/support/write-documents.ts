import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { CHART, helmProcesses, helmValuesSchema } from './deploy-files.ts';
import { ERROR_PAGE, errorPage } from './error-document.ts';
import {
  ENVIRONMENT_EXAMPLE,
  environmentExample,
  SETTINGS_REFERENCE,
  settingsReference,
} from './settings-documents.ts';

/** Writes what is made from the settings (`.env.example`, their page, what the Helm chart knows of them) and from the errors. */
await write(ENVIRONMENT_EXAMPLE, environmentExample());
await write(ERROR_PAGE, errorPage());
await write(SETTINGS_REFERENCE, settingsReference());
await write(path.join(CHART, 'files', 'processes.json'), json(helmProcesses()));
await write(path.join(CHART, 'values.schema.json'), json(helmValuesSchema()));

function json(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

async function write(file: string, content: string): Promise<void> {
  await writeFile(path.resolve(PROJECT_ROOT, file), content);
  console.log(path.relative(PROJECT_ROOT, path.resolve(PROJECT_ROOT, file)));
}
