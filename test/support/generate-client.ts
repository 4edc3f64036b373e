import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { clientSources } from './client-sources.ts';
import { describeApi } from './described-api.ts';

/** `npm run generate-client`: generates the sources of the server client from the OpenAPI document. */
for (const [file, source] of await clientSources(describeApi())) {
  await writeFile(path.join(PROJECT_ROOT, file), source);
  console.log(file);
}
