/**
 * Finds the highest sustainable rate by bisection.
 * @param limit a rate that is assumed to be unsustainable; the result is below it
 * @returns 0 where no tried rate was sustainable
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
