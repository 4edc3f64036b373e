import { parseJson } from '../domain/json.ts';
import { ApiError } from '../domain/api-error.ts';
import { describeValue } from '../contract/field-messages.ts';

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/i;
const UTF8_NAMES = ['utf-8', 'utf8'];
const MAXIMUM_DEPTH = 32;
/** Far more than a valid body has. Parsing and validating 1 MiB of members takes a third of a second. */
const MAXIMUM_VALUES = 10_000;

/** A JSON object whose members are yet to be validated. */
export type JsonBody = Readonly<Record<string, unknown>>;

/**
 * The body as a JSON object; a request without a body counts as `{}`.
 * @throws ApiError `INVALID_REQUEST` for a wrong content type, broken UTF-8, malformed or too deeply nested JSON, too
 * many values, a member that is there twice, and anything but an object
 */
export function parseJsonBody(rawBody: Buffer, contentType: string | undefined): JsonBody {
  if (rawBody.length === 0) return {};
  if (contentType === undefined || !isUtf8Json(contentType)) {
    throw invalid(
      'content_type',
      `Expected the header Content-Type: application/json, in UTF-8; got ${receivedType(contentType)}.`,
    );
  }
  const commas = countCommas(rawBody, MAXIMUM_VALUES);
  if (commas >= MAXIMUM_VALUES) {
    throw invalid('too_many_values', `Expected a body of at most ${MAXIMUM_VALUES} values; got more.`);
  }
  const value = parseJson(decodeUtf8(rawBody));
  if (value === undefined) throw invalid('malformed_json', malformedMessage(rawBody));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('not_an_object', 'Expected a JSON object, such as {"amount": 1999}; got JSON of another kind.');
  }
  if (isDeeperThan(value, MAXIMUM_DEPTH))
    throw invalid('too_deep', `Expected objects and lists nested at most ${MAXIMUM_DEPTH} deep; got more.`);
  if (commasOf(value) < commas)
    throw invalid('duplicate_member', 'Expected each member of an object once; got one of them twice. Send it once.');
  return { ...value };
}

function isUtf8Json(contentType: string): boolean {
  const [, charset = 'utf-8'] = CHARSET.exec(contentType) ?? [];
  return JSON_TYPE.test(contentType) && UTF8_NAMES.includes(charset.toLowerCase());
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('encoding', 'Expected a body in UTF-8; got other bytes. Encode the text in UTF-8.');
  }
}

/** Names the position of the fault if the parser does, but never the character at that position, which may be card data. */
function malformedMessage(rawBody: Buffer): string {
  const problem = parseProblem(rawBody.toString('utf8'));
  const where = POSITION.exec(problem)?.[1];
  const fault = where === undefined ? 'that is not JSON' : `that is not JSON from character ${where} on`;
  const place = ENDS_TOO_SOON.test(problem) ? 'that ends too soon' : fault;
  return `Expected valid JSON; got a text ${place}. Check quotes, commas and braces, or let a JSON library write the body.`;
}

const POSITION = / at position (\d+)/;
const ENDS_TOO_SOON = /^SyntaxError: (?:Unexpected end|Unterminated)/;

function parseProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return String(error);
  }
}

function receivedType(contentType: string | undefined): string {
  return contentType === undefined ? 'no such header' : describeValue(contentType);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1));
}

const [QUOTE, BACKSLASH, COMMA] = [...Buffer.from('"\\,')];

/** The commas between the values of a JSON text, at most the maximum; counted before the text is parsed. */
function countCommas(bytes: Buffer, maximum: number): number {
  let commas = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length && commas < maximum; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) isInString = !isInString;
    else if (byte === BACKSLASH) index += 1;
    else if (byte === COMMA && !isInString) commas += 1;
  }
  return commas;
}

/** The commas that the text of a value needs. The parser keeps the last member of a name in silence, so that a text with two has more. */
function commasOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  return values.reduce<number>((sum, each) => sum + commasOf(each), Math.max(0, values.length - 1));
}

function invalid(reason: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', { message, details: { reason } });
}
