/** Part of the keys that is freed at once, so that making room stays rare. */
const FREED_SHARE = 0.05;

/** Entries by their key, oldest first, found under other names too. Full shelves let the oldest that may go, go. */
export interface Shelf<Kept, IndexName extends string> {
  find(key: string): Kept | undefined;
  /** Those with a name in an index, oldest first. */
  named(index: IndexName, name: string): readonly Kept[];
  all(): readonly Kept[];
  size(): number;
  /** Whether an entry can be kept; makes room where it can. */
  makeRoomFor(key: string): boolean;
  keep(entry: Kept): void;
}

export interface ShelfRules<Kept, IndexName extends string> {
  readonly maximumEntries: number;
  /** What an entry is called in each index; null where it has no name. */
  readonly nameIn: Readonly<Record<IndexName, (entry: Kept) => string | null>>;
  readonly mayGo: (entry: Kept) => boolean;
}

export function createShelf<Kept extends { readonly key: string }, IndexName extends string>(
  indexNames: readonly IndexName[],
  { maximumEntries, nameIn, mayGo }: ShelfRules<Kept, IndexName>,
): Shelf<Kept, IndexName> {
  const entryByKey = new Map<string, Kept>();
  const indexes = new Map(indexNames.map((index) => [index, createIndex()]));

  const keep = (entry: Kept) => {
    if (!entryByKey.has(entry.key) && entryByKey.size >= maximumEntries) dropOldest();
    entryByKey.set(entry.key, entry);
    for (const [index, keys] of indexes) keys.add(nameIn[index](entry), entry.key);
  };

  const drop = (entry: Kept) => {
    entryByKey.delete(entry.key);
    for (const [index, keys] of indexes) keys.remove(nameIn[index](entry), entry.key);
  };

  const dropOldest = () => {
    let excess = Math.max(1, Math.floor(maximumEntries * FREED_SHARE));
    for (const entry of entryByKey.values()) {
      if (excess === 0) return;
      if (!mayGo(entry)) continue;
      drop(entry);
      excess -= 1;
    }
  };

  return {
    find: (key) => entryByKey.get(key),
    named: (index, name) => (indexes.get(index)?.get(name) ?? []).flatMap((key) => entryByKey.get(key) ?? []),
    all: () => [...entryByKey.values()],
    size: () => entryByKey.size,
    makeRoomFor(key) {
      if (entryByKey.has(key) || entryByKey.size < maximumEntries) return true;
      dropOldest();
      return entryByKey.size < maximumEntries;
    },
    keep,
  };
}

interface Index {
  get(name: string): readonly string[];
  add(name: string | null, key: string): void;
  remove(name: string | null, key: string): void;
}

function createIndex(): Index {
  const keysByName = new Map<string, readonly string[]>();
  const get = (name: string) => keysByName.get(name) ?? [];
  return {
    get,
    add(name, key) {
      if (name !== null && !get(name).includes(key)) keysByName.set(name, [...get(name), key]);
    },
    remove(name, key) {
      if (name === null) return;
      const left = get(name).filter((candidate) => candidate !== key);
      if (left.length > 0) keysByName.set(name, left);
      else keysByName.delete(name);
    },
  };
}
