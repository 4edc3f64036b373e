/** The share of keys that is evicted at once, so that evictions stay rare. */
const EVICTED_SHARE = 0.05;

/** Items by key, oldest first, with secondary indexes. A full store evicts the oldest items that may be evicted. */
export interface IndexedStore<Item, IndexName extends string> {
  find(key: string): Item | undefined;
  /** Items with a value in an index, oldest first. */
  findBy(index: IndexName, value: string): readonly Item[];
  all(): readonly Item[];
  size(): number;
  /** Whether an item with this key can be stored; evicts others where it has to. */
  makeRoomFor(key: string): boolean;
  put(item: Item): void;
}

export interface IndexedStoreOptions<Item, IndexName extends string> {
  readonly maximumItems: number;
  /** The value of an item in each index; null leaves it out of the index. */
  readonly indexedValues: Readonly<Record<IndexName, (item: Item) => string | null>>;
  readonly isEvictable: (item: Item) => boolean;
}

export function createIndexedStore<Item extends { readonly key: string }, IndexName extends string>(
  indexNames: readonly IndexName[],
  { maximumItems, indexedValues, isEvictable }: IndexedStoreOptions<Item, IndexName>,
): IndexedStore<Item, IndexName> {
  const itemByKey = new Map<string, Item>();
  const indexes = new Map(indexNames.map((index) => [index, createIndex()]));

  const put = (item: Item) => {
    if (!itemByKey.has(item.key) && itemByKey.size >= maximumItems) evictOldest();
    itemByKey.set(item.key, item);
    for (const [index, keys] of indexes) keys.add(indexedValues[index](item), item.key);
  };

  const remove = (item: Item) => {
    itemByKey.delete(item.key);
    for (const [index, keys] of indexes) keys.remove(indexedValues[index](item), item.key);
  };

  const evictOldest = () => {
    let excess = Math.max(1, Math.floor(maximumItems * EVICTED_SHARE));
    for (const item of itemByKey.values()) {
      if (excess === 0) return;
      if (!isEvictable(item)) continue;
      remove(item);
      excess -= 1;
    }
  };

  return {
    find: (key) => itemByKey.get(key),
    findBy: (index, value) => (indexes.get(index)?.get(value) ?? []).flatMap((key) => itemByKey.get(key) ?? []),
    all: () => [...itemByKey.values()],
    size: () => itemByKey.size,
    makeRoomFor(key) {
      if (itemByKey.has(key) || itemByKey.size < maximumItems) return true;
      evictOldest();
      return itemByKey.size < maximumItems;
    },
    put,
  };
}

interface Index {
  get(value: string): readonly string[];
  add(value: string | null, key: string): void;
  remove(value: string | null, key: string): void;
}

function createIndex(): Index {
  const keysByValue = new Map<string, readonly string[]>();
  const get = (value: string) => keysByValue.get(value) ?? [];
  return {
    get,
    add(value, key) {
      if (value !== null && !get(value).includes(key)) keysByValue.set(value, [...get(value), key]);
    },
    remove(value, key) {
      if (value === null) return;
      const left = get(value).filter((candidate) => candidate !== key);
      if (left.length > 0) keysByValue.set(value, left);
      else keysByValue.delete(value);
    },
  };
}
