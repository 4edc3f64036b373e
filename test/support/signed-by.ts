import { isSameHash, type SignedRequest, saltHashOfSigner } from '../../api/middleware/authentication/signature.ts';

/** Whether salt and signature of a request are right, as authentication asks once it knows the key. */
export function isSignedBy(request: SignedRequest, saltHash: string): boolean {
  return isSameHash(saltHashOfSigner(request), saltHash);
}
