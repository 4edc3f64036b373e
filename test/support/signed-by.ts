import { isSameHash, type SignedRequest, saltHashOfSigner } from '../../http/authentication/signature.ts';

/** Whether the salt and signature of a request are valid for a key's salt hash. */
export function isSignedBy(request: SignedRequest, saltHash: string): boolean {
  return isSameHash(saltHashOfSigner(request), saltHash);
}
