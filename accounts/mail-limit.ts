import { hash } from 'node:crypto';
import { DAY_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import { incrementCounts } from '../prisma/queries/decline-count.ts';

/** Mails in 24 hours that strangers can have sent to one e-mail address, of all kinds and by all processes together. */
export const MAILS_BY_STRANGERS_PER_ADDRESS = 20;

/** Counts a mail to an address. @returns whether the address may get it */
export function createMailLimit({ direct }: Pick<Database, 'direct'>): (to: string) => Promise<boolean> {
  return async (to) => {
    const key = `mail-address:${hash('sha256', to.trim().toLowerCase(), 'hex')}`;
    const row = await direct.row(incrementCounts([key], { nowMs: Date.now(), windowMs: DAY_MS }));
    return (row?.points ?? 0) <= MAILS_BY_STRANGERS_PER_ADDRESS;
  };
}
