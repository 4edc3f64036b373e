/** Numbers that are taken as a card's, with the brand. */
export const CARD_NUMBERS: readonly (readonly [number: string, brand: string])[] = [
  ['4242424242424242', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['8172000000000005', 'rupay'],
  ['8201000000000000', 'rupay'],
  ['8201999123456785', 'rupay'],
  ['5085000000000007', 'rupay'],
  ['6071234567890120', 'rupay'],
  ['6522000000000006', 'rupay'],
  ['6011111111111117', 'discover'],
  ['9860123456789015', 'unknown'],
  ['8600123456789012', 'unknown'],
  ['1234567890123456785', 'unknown'],
];

/** Digits that are no card's: a wrong check digit, too few, too many. */
export const NO_CARD_NUMBERS = ['8172000000000006', '9860123456789014', '18', '00000000000000000000'];
