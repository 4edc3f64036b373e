import type { Prisma } from '../../../prisma/generated/client.ts';
import type { Statement } from '../../../prisma/connection/statement.ts';

type Built = Statement<object> | Prisma.Sql;

/**
 * Arguments for each function of a module that builds a statement. The compiler rejects a list that lacks one.
 */
export type SamplesOf<Module> = {
  readonly [
    Name in keyof Module as Module[Name] extends (...args: never[]) => Built ? Name : never
  ]: Module[Name] extends (...args: infer Arguments) => Built ? readonly Arguments[] : never;
};
