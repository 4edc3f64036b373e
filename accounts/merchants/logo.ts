import { createHash } from 'node:crypto';
import type { MerchantAccount, Prisma } from '../../prisma/generated/client.ts';

/** SHA-256, hex. @param logo in Base64 */
export function digestOfLogo(logo: string): string {
  return createHash('sha256').update(Buffer.from(logo, 'base64')).digest('hex');
}

/** Stores the logo of an account, or removes it. @param logo in Base64, null for none */
export async function writeLogo(
  { accountLogo }: Prisma.TransactionClient,
  { id: merchantAccountId, environment }: MerchantAccount,
  logo: string | null,
): Promise<void> {
  const place = { merchantAccountId, environment };
  if (logo === null) return void (await accountLogo.deleteMany({ where: place }));
  const image = { digest: digestOfLogo(logo), png: Buffer.from(logo, 'base64') };
  await accountLogo.upsert({
    where: { merchantAccountId_environment: place },
    create: { ...place, ...image },
    update: image,
  });
}
