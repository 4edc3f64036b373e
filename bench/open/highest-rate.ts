/**
 * Closes in on the highest rate that holds, by halves.
 * @param limit a rate that is not believed to hold; the answer is below it
 * @returns 0 where none of those that were tried holds
 */
export async function highestRate(
  holds: (perSecond: number) => Promise<boolean>,
  limit: number,
  steps: number,
): Promise<number> {
  let [highest, tooHigh] = [0, limit];
  for (let step = 0; step < steps; step += 1) {
    const middle = (highest + tooHigh) / 2;
    if (await holds(middle)) highest = middle;
    else tooHigh = middle;
  }
  return highest;
}
