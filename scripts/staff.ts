import { UserError } from '../domain/user-error.ts';
import type { Database } from '../prisma/connection/client.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { enrolmentPath } from '../prisma/stores/staff-enrolment.ts';
import { addStaff, enrolStaff, listStaff, removeStaff } from './manage-staff.ts';
import { readNamedCommand } from './command-arguments.ts';
import { runNamedCommand } from './installed-database.ts';

const USAGE = `Use one of:
  npm run staff -- add EMAIL [--name NAME]
  npm run staff -- enrol EMAIL
  npm run staff -- list
  npm run staff -- remove EMAIL`;

type Options = ReturnType<typeof readCommand>;

const COMMANDS: Readonly<Record<string, (database: Database, options: Options) => Promise<void>>> = {
  add: async (database, { target: email, name }) => {
    const { isNew, enrolmentToken } = await addStaff(database, { email: requireEmail(email), name });
    console.log(`${email} is one of the staff, and opens the console at /console of the dashboard.`);
    if (isNew)
      console.log('There was no such person. They choose a password by "Forgot password" on the sign-in page.');
    if (enrolmentToken === null) console.log('They sign in with the second factor that they have.');
    else console.log(linkText(enrolmentToken));
  },
  enrol: async (database, { target: email }) => {
    const token = await enrolStaff(database, requireEmail(email));
    console.log(`${email} is signed out everywhere, and has no second factor now.`);
    console.log(linkText(token));
  },
  list: async (database) => {
    for (const { person, addedBy, createdAt } of await listStaff(database)) {
      const factor = person.twoFactorEnabled ? 'second factor on' : 'no second factor yet';
      console.log(`${person.email}  ${factor}  added by ${addedBy} on ${createdAt.toISOString()}`);
    }
  },
  remove: async (database, { target: email }) => {
    await removeStaff(database, requireEmail(email));
    console.log(`${email} is none of the staff any more, and is signed out everywhere.`);
  },
};

/** `npm run staff`: who may use the console of the platform, in the database of DATABASE_URL or of `npm start`. */
await runScript(() => runNamedCommand(USAGE, COMMANDS, readCommand()));

function linkText(token: string): string {
  return (
    'They sign in with their password, then set a second factor up by this address of the dashboard, within a day and once:\n' +
    `${enrolmentPath(token)}\n` +
    'Give it to nobody else, and not by the mail address above.'
  );
}

function readCommand() {
  return readNamedCommand(USAGE, { name: { type: 'string' } });
}

function requireEmail(email: string | undefined): string {
  if (email === undefined) throw new UserError(USAGE);
  return email;
}
