import { WebhookVerificationError as SignatureError, Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from '../provider-errors.ts';

type VerifySignature = (rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>) => void;

/**
 * Creates the check of the simulator's webhooks, which are signed as the Standard Webhooks specification says.
 * @param secret `whsec_` and base64
 * @returns a function that throws `WebhookVerificationError` when a header is missing, or the signature or its time is wrong
 */
export function createSignatureVerifier(secret: string): VerifySignature {
  const verifier = new Webhook(secret);
  return (rawBody, headers) => {
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
      const value = headers[name];
      if (typeof value !== 'string') throw new WebhookVerificationError(`the header ${name} is missing`);
      return [name, value] as const;
    });
    try {
      verifier.verify(rawBody, Object.fromEntries(signed), { jsonParse: false });
    } catch (error) {
      if (error instanceof SignatureError) throw new WebhookVerificationError(error.message);
      throw error;
    }
  };
}
