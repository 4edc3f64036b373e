import type { Context } from 'mocha';
import { readToolsConfig } from '../../config/tools.ts';
import { provideNode22 } from '../../sandbox/tools/node-22.ts';
import { UserError } from '../../domain/user-error.ts';
import { skipWithout } from './skip.ts';

/** The path of Node 22, which is fetched if need be; skips the tests of a hook where it cannot be had. */
export async function findNode22(context: Context): Promise<string> {
  try {
    return await provideNode22({ tools: readToolsConfig(), settings: process.env, report: console.log });
  } catch (error) {
    if (error instanceof UserError) return skipWithout('Node 22', context);
    throw error;
  }
}
