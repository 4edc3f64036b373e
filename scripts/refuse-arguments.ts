import { UserError } from '../domain/user-error.ts';

/** @throws UserError for any argument, such as `--help`: a command that takes none must not start its work for it */
export function refuseArguments(command: string): void {
  const [first] = process.argv.slice(2);
  if (first !== undefined) throw new UserError(`npm run ${command} takes no arguments, but got ${first}.`);
}
