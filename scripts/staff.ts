import { UserError } from '../domain/user-error.ts';
import type { Database } from '../prisma/client.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { parseArguments } from './command-arguments.ts';
import { addStaff, listStaff, removeStaff } from './manage-staff.ts';
import { withInstalledDatabase } from './installed-database.ts';

const USAGE = `Use one of:
  npm run staff -- add EMAIL [--name NAME]
  npm run staff -- list
  npm run staff -- remove EMAIL`;

type Options = ReturnType<typeof readOptions>;

const COMMANDS: Readonly<Record<string, (database: Database, options: Options) => Promise<void>>> = {
  add: async (database, { email, name }) => {
    const { isNew } = await addStaff(database, { email: requireEmail(email), name });
    console.log(`${email} is one of the staff, and opens the console at /console of the dashboard.`);
    if (isNew)
      console.log('There was no such person. They choose a password by "Forgot password" on the sign-in page.');
    console.log('The console lets them in once they have set up a second factor, which it asks for.');
  },
  list: async (database) => {
    for (const { person, addedBy, createdAt } of await listStaff(database)) {
      const factor = person.twoFactorEnabled ? 'second factor on' : 'no second factor yet';
      console.log(`${person.email}  ${factor}  added by ${addedBy} on ${createdAt.toISOString()}`);
    }
  },
  remove: async (database, { email }) => {
    await removeStaff(database, requireEmail(email));
    console.log(`${email} is none of the staff any more, and is signed out everywhere.`);
  },
};

/** `npm run staff`: who may use the console of the platform, in the database of DATABASE_URL or of `npm start`. */
await runScript(async () => {
  const options = readOptions();
  const command = Object.hasOwn(COMMANDS, options.command) ? COMMANDS[options.command] : undefined;
  if (command === undefined) throw new UserError(USAGE);
  await withInstalledDatabase((database) => command(database, options));
});

function readOptions() {
  const { values, positionals } = parseArguments(USAGE, {
    allowPositionals: true,
    options: { name: { type: 'string' } },
  });
  const [command = '', email, ...others] = positionals;
  if (others.length > 0) throw new UserError(`This is one word too many: ${others[0]}\n${USAGE}`);
  return { ...values, command, email };
}

function requireEmail(email: string | undefined): string {
  if (email === undefined) throw new UserError(USAGE);
  return email;
}
