/** Free text of merchants: stored in the database, but in no workflow history and no log. */
export const PRIVATE_TEXT = { description: 'Lamp for Ms Zaphira', metadata: { note: 'Quibble lane 17' } } as const;
