import { isLoopback } from '../domain/ip-address.ts';

/**
 * Says at the start that a program of the sandbox listens beyond this machine.
 * @param what others can do then
 */
export function warnOfReach(
  variable: string,
  host: string,
  what: string,
  warn: (line: string) => void = (line) => void process.stderr.write(line),
): void {
  if (!isLoopback(host)) warn(`Warning: ${variable}=${host} lets other machines in, and ${what}.\n`);
}
