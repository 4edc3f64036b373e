import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:js|css|svg)$/;
/** A shorter file fits into one packet as it is. */
const SHORTEST_BYTES = 1_024;

/** Writes a copy with Brotli and one with gzip beside each text file of a folder, which a server sends as they are. */
export async function compressFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name));
  await Promise.all(names.map((name) => compressFile(path.join(folder, name))));
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < SHORTEST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
