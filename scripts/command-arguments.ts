import path from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '../domain/message-of.ts';
import { UserError } from '../domain/user-error.ts';

/** Ends the process for any argument, such as `--help`: a command that takes none must not start its work for it. */
export function refuseArguments(command: string): void {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  console.error(`npm run ${command} takes no arguments, but got ${first}.`);
  process.exit(1);
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

/**
 * Reads the arguments of a command. For `--help` it prints how the command is used, and ends the process.
 * @throws UserError that says what is wrong with them, and how the command is used
 */
export function readArguments<Options>(usage: string, read: () => Options): Options {
  showHelp(usage);
  try {
    return read();
  } catch (error) {
    throw new UserError(`${problemOf(error)}\n${usage}`);
  }
}

/** The words and options of a script with several commands: `npm run merchant -- COMMAND [TARGET] [--option …]`. @throws UserError */
export function readNamedCommand<const Options extends ParseArgsConfig['options']>(usage: string, options: Options) {
  return readArguments(usage, () => {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [command = '', target, ...others] = positionals;
    if (others.length > 0) throw new Error(`This is one word too many: ${others[0]}`);
    return { ...values, command, target };
  });
}

/** Prints how a command is used, and ends the process, if somebody asks for that. */
export function showHelp(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit();
}

/** The first sentence. Node adds advice about arguments that begin with a dash, which no command takes. */
function problemOf(error: unknown): string {
  return messageOf(error).replace(/\.\s[\s\S]*$/, '.');
}
