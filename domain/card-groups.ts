/** Cards that routes treat alike, by the first digits of their numbers. */
export interface CardGroup {
  readonly id: string;
  /** 6 to 8 digits each. */
  readonly prefixes: readonly string[];
}

/** How many digits a prefix of a group may have: with fewer the brand says as much, with more it could name a single card. */
export const CARD_PREFIX_DIGITS = { minimum: 6, maximum: 8 } as const;

/** The ids of the groups with a prefix that the number begins with, sorted. */
export function matchingCardGroups(number: string, groups: readonly CardGroup[]): readonly string[] {
  return groups
    .filter(({ prefixes }) => prefixes.some((prefix) => number.startsWith(prefix)))
    .map(({ id }) => id)
    .sort();
}
