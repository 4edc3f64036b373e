import path from 'node:path';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { wrapped } from './wrapped.ts';

export const ERROR_PAGE = path.join('docs', 'errors.md');
const WIDTH = 120;

/** The page that explains every error code. */
export function errorPage(): string {
  const sections = Object.entries(ERROR_CATALOGUE).map(([code, { why, whatToDo }]) =>
    [`## ${code}`, paragraph(`**Why.** ${why}`), paragraph(`**What to do.** ${whatToDo}`)].join('\n\n'),
  );
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

const HEAD = `# Errors

Every error response has the same envelope: \`success\` is \`false\`, and \`error\` has a \`code\` for programs, a \`message\` for
people, a \`type\` that groups codes, \`details\` that depend on the code, and the \`requestId\` to give to support. Decide by
\`code\`, not by \`message\`: messages may change. Events and webhooks of failed payments carry the same codes.

\`RATE_LIMIT_EXCEEDED\`, \`TSP_TIMEOUT\`, \`TSP_UNAVAILABLE\`, \`INTERNAL_ERROR\` and \`SERVICE_UNAVAILABLE\` may go away by
themselves. Repeat the request after 1, 2 and 4 seconds, not before \`Retry-After\`, and a POST with the same
\`X-Idempotency-Key\`. The SDKs do so by themselves. Any other request fails again until you change something.`;

function paragraph(text: string): string {
  return wrapped(text, WIDTH).join('\n');
}
