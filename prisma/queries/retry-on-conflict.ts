/** Few others write the same payment, and each writes once. */
const MAXIMUM_CONFLICTS = 20;

/**
 * Repeats a read and the write that depends on it (optimistic concurrency).
 * @param readAndWrite returns null when another writer has changed the payment in between
 * @throws Error when every one of 21 tries finds a conflict
 */
export async function retryOnConflict<Result>(
  paymentIntentId: string,
  readAndWrite: () => Promise<Result | null>,
): Promise<Result> {
  for (let conflicts = 0; conflicts <= MAXIMUM_CONFLICTS; conflicts += 1) {
    const result = await readAndWrite();
    if (result !== null) return result;
  }
  throw new Error(`${paymentIntentId} was changed by others again and again`);
}
