import { currencyExponent } from '../../domain/currencies.ts';

/** A price in USD, as an integer with that many digits after the point. */
export interface Price {
  readonly value: bigint;
  readonly decimals: number;
}

export interface QuoteTerms {
  /** In minor units of the currency. */
  readonly amountMinor: number;
  readonly currency: string;
  /** The price of one unit of the currency. */
  readonly currencyPrice: Price;
  /** The price of one token. */
  readonly tokenPrice: Price;
  readonly tokenDecimals: number;
}

/** The price of USD. */
export const PAR: Price = { value: 1n, decimals: 0 };

/** How many of the token's smallest units pay an amount, rounded up, so that they are never worth less than it. */
export function tokensFor({ amountMinor, currency, currencyPrice, tokenPrice, tokenDecimals }: QuoteTerms): bigint {
  const numerator = BigInt(amountMinor) * currencyPrice.value * 10n ** BigInt(tokenPrice.decimals + tokenDecimals);
  const denominator = tokenPrice.value * 10n ** BigInt(currencyExponent(currency) + currencyPrice.decimals);
  return (numerator + denominator - 1n) / denominator;
}
