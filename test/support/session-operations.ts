import type { ApiOperation } from '../../api/resources/api-operation.ts';
import { createSessionOperations } from '../../api/resources/api-operations.ts';
import { placeholderDependencies } from '../../docs/site/described-api.ts';

/** The descriptions of the operations that only people in a session may execute; their handlers do not work. */
export const SESSION_OPERATIONS: readonly ApiOperation[] = createSessionOperations(placeholderDependencies({}));
