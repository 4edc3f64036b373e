import type { PageRequest } from './read-page.ts';

/** One page, newest first, as Prisma asks for it: for tables whose rows have a limit, which can simply be counted. */
export function smallPage({ page, limit }: PageRequest) {
  return {
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    skip: (page - 1) * limit,
    take: limit,
  };
}
