import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ApiHandler } from '../../http/request-context.ts';

/** What the build has written beside the files, the smallest first. */
const ENCODINGS = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
] as const;

/**
 * Answers with the compressed copy of a file where there is one that the browser takes. It only changes the path, so that
 * `express.static` goes on. Nothing is compressed here: responses of the API, which have secrets, stay as they are.
 */
export function preferCompressed(folder: string): ApiHandler {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  return (request, response, next) => {
    const name = request.path.slice(1);
    const copies = ENCODINGS.filter(({ extension }) => names.has(name + extension));
    if (copies.length === 0) return next();
    response.vary('Accept-Encoding');
    const accepted = request.acceptsEncodings(copies.map(({ encoding }) => encoding));
    const copy = copies.find(({ encoding }) => encoding === accepted);
    if (copy === undefined) return next();
    response.type(path.extname(name));
    response.setHeader('Content-Encoding', copy.encoding);
    request.url = `/${name}${copy.extension}`;
    next();
  };
}
