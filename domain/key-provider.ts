/** Whether the settings hold keys in plain text, and if not, which service decrypts them. */
export type KeyProviderSettings =
  | { readonly name: 'plain' }
  /** Region, credentials and endpoint come from AWS's own variables and files. */
  | { readonly name: 'aws-kms'; readonly timeoutMs: number }
  | { readonly name: 'vault-transit'; readonly timeoutMs: number; readonly transit: TransitSettings };

/** The Transit engine of HashiCorp Vault or OpenBao. */
export interface TransitSettings {
  readonly address: URL;
  readonly token: string;
  readonly namespace: string | null;
  readonly mount: string;
  /** The name of the key in Transit. */
  readonly key: string;
}
