import { open, rename, rm } from 'node:fs/promises';

/** Writes a file whole or not at all, also through a power cut; readable by the owner only. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
