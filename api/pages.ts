/** What the query of every list has. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** The rows of one page, newest first, as Prisma asks for them. */
export function pageOf({ page, limit }: PageRequest) {
  return {
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    skip: (page - 1) * limit,
    take: limit,
  };
}
