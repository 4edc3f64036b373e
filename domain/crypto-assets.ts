/** Digits after the point of each asset, and the networks it can be deposited on. */
const CRYPTO_ASSETS: Readonly<Record<string, { readonly decimals: number; readonly networks: readonly string[] }>> = {
  BTC: { decimals: 8, networks: ['bitcoin'] },
  ETH: { decimals: 18, networks: ['ethereum'] },
  USDC: { decimals: 6, networks: ['ethereum', 'polygon'] },
  USDT: { decimals: 6, networks: ['ethereum', 'tron'] },
};

/** Codes of the assets a payment can be made in. */
export const CRYPTO_ASSET_CODES: readonly string[] = Object.keys(CRYPTO_ASSETS);

/** Networks that at least one asset can be deposited on. */
export const CRYPTO_NETWORKS: readonly string[] = [
  ...new Set(Object.values(CRYPTO_ASSETS).flatMap(({ networks }) => networks)),
];

/** Digits after the point in amounts of an asset, or undefined for an asset that is not supported. */
export function decimalsOfAsset(asset: string): number | undefined {
  return Object.hasOwn(CRYPTO_ASSETS, asset) ? CRYPTO_ASSETS[asset]?.decimals : undefined;
}

/** Whether an asset can be deposited on a network. */
export function isOnNetwork(asset: string, network: string): boolean {
  return Object.hasOwn(CRYPTO_ASSETS, asset) && (CRYPTO_ASSETS[asset]?.networks.includes(network) ?? false);
}

/**
 * An amount of an asset as a decimal with all its digits, such as `19.990000`.
 * @param units in the asset's smallest unit, zero or more
 */
export function decimalUnits(units: bigint, decimals: number): string {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
