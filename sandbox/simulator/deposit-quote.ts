import { decimalsOfAsset } from '../../domain/crypto-assets.ts';

/** The sandbox's price of one whole unit of each asset, in minor units of the currencies it is sold for. */
const PRICE_MINOR_BY_ASSET: Readonly<Record<string, Readonly<Record<string, bigint>>>> = {
  BTC: { USD: 6_400_000n, EUR: 5_900_000n },
  ETH: { USD: 320_000n, EUR: 295_000n },
  USDC: { USD: 100n, EUR: 92n },
  USDT: { USD: 100n, EUR: 92n },
};

/**
 * What has to be deposited for an amount, in the smallest unit of the asset, rounded up so that it never falls short.
 * @param amountMinor in minor units of the currency
 * @returns null where the asset is not sold for the currency
 */
export function quoteUnits(asset: string, currency: string, amountMinor: number): bigint | null {
  const decimals = decimalsOfAsset(asset);
  const priceMinor = PRICE_MINOR_BY_ASSET[asset]?.[currency];
  if (decimals === undefined || priceMinor === undefined) return null;
  return (BigInt(amountMinor) * 10n ** BigInt(decimals) + priceMinor - 1n) / priceMinor;
}

/** Smallest units of an asset as a decimal string with all digits of the asset's precision: `0.00031250`. */
export function formatUnits(units: bigint, asset: string): string {
  const decimals = decimalsOfAsset(asset) ?? 0;
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
