import { newId } from '../../domain/new-id.ts';
import { routesToSimulators, SIMULATOR_LIMITS } from '../../domain/simulator-routes.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { type Author, recordCreations } from '../audit.ts';
import { auditOfNewLimits } from '../channel-limits/stored-limit.ts';
import { describeRoute } from './stored-route.ts';
import { creatorOf } from '../created-by.ts';

/**
 * Gives a new merchant of the sandbox routes to the simulators, so that its first payment is taken, with limits.
 * @param names of the installation's simulators; nothing is written where there are none
 */
export async function createSimulatorRoutes(
  transaction: Prisma.TransactionClient,
  author: Author,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const owner = { merchantId: author.merchantId, environment: author.environment };
  const creator = await creatorOf(transaction, author);
  const routes = await transaction.paymentRoute.createManyAndReturn({
    data: routesToSimulators(names).map((route) => ({ ...route, ...owner, ...creator, id: newId('paymentRoute') })),
  });
  const limits = await transaction.channelLimit.createManyAndReturn({
    data: SIMULATOR_LIMITS.map((limit) => ({ ...limit, ...owner })),
  });
  await recordCreations(transaction, { author, action: 'payment_route.created', describe: describeRoute }, routes);
  await recordCreations(transaction, auditOfNewLimits(author), limits);
}
