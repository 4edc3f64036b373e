import { redactText } from './redaction.ts';

/** The pages whose content security policy reports to us. */
export const POLICY_PAGES = ['payment-page', 'card-fields'] as const;
export type PolicyPage = (typeof POLICY_PAGES)[number];

/** What a browser refused on a page. */
export interface PolicyViolation {
  /** Such as `script-src-elem`. */
  readonly directive: string;
  /** The origin of what was refused, or a word such as `inline`. */
  readonly blocked: string;
}

const DIRECTIVE = /^[a-z][a-z-]{2,39}$/;
const WORD = /^[a-z][a-z-]{1,29}$/;
const LONGEST_ORIGIN = 200;
/** What reports say beside words and addresses. */
const UNKNOWN = 'unknown';
/** Scripts, and where a script could send a card. */
const SERIOUS = /^(?:script-src|connect-src|form-action|frame-src|require-trusted-types-for|trusted-types)/;
/** What browser extensions and the browser itself put into every page. */
const OF_EXTENSION = /^(?:[a-z-]*extension|about)$/;

/** A violation as it is counted: without paths, which can have anything in them. */
export function violationOf(directive: unknown, blocked: unknown): PolicyViolation {
  return {
    directive: typeof directive === 'string' && DIRECTIVE.test(directive) ? directive : UNKNOWN,
    blocked: typeof blocked === 'string' ? sourceOf(blocked) : UNKNOWN,
  };
}

function sourceOf(blocked: string): string {
  if (WORD.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return UNKNOWN;
  const { origin, protocol } = new URL(blocked);
  const scheme = protocol.slice(0, -1);
  if (origin !== 'null' && origin.length <= LONGEST_ORIGIN) return redactText(origin);
  return WORD.test(scheme) ? scheme : UNKNOWN;
}

/** Whether it may be a script of somebody else, or one that sends what it has read: somebody has to look. */
export function isSerious({ directive, blocked }: PolicyViolation): boolean {
  return SERIOUS.test(directive) && !OF_EXTENSION.test(blocked);
}
