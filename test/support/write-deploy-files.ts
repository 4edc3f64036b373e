import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHART, helmProcesses, helmValuesSchema } from './deploy-files.ts';

/** Brings what the Helm chart knows of settings up to date: `node dist/test/support/write-deploy-files.js`. */
await writeJson('files/processes.json', helmProcesses());
await writeJson('values.schema.json', helmValuesSchema());

async function writeJson(file: string, content: unknown): Promise<void> {
  await writeFile(path.join(CHART, file), `${JSON.stringify(content, null, 2)}\n`);
}
