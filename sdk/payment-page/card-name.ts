/** How people write a brand whose name is more than a word with a capital. */
const TITLES: Readonly<Record<string, string>> = { jcb: 'JCB', rupay: 'RuPay', unionpay: 'UnionPay' };

/** The brand as people write it; null where it is not known. @param brand as the API names it: `american_express` */
export function brandTitle(brand: string): string | null {
  if (brand === 'unknown') return null;
  return TITLES[brand] ?? brand.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}
