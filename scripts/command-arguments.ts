import path from 'node:path';
import { UserError } from '../domain/user-error.ts';

/** @throws UserError for any argument, such as `--help`: a command that takes none must not start its work for it */
export function refuseArguments(command: string): void {
  const [first] = process.argv.slice(2);
  if (first !== undefined) throw new UserError(`npm run ${command} takes no arguments, but got ${first}.`);
}

/**
 * The absolute path of the folder that is the only argument of a command.
 * @throws UserError for none, for more, and for an option, such as `--help`
 */
export function folderArgument(command: string): string {
  const [folder, ...others] = process.argv.slice(2);
  if (folder === undefined || folder.startsWith('-') || others.length > 0) {
    throw new UserError(`Use: npm run ${command} -- FOLDER`);
  }
  return path.resolve(folder);
}
