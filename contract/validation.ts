import type { z } from 'zod';
import { containsCardNumber } from '../domain/card-number.ts';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import { ApiError } from '../domain/api-error.ts';
import { describeIssue, NO_CARD_NUMBER } from './field-messages.ts';

/** What can be wrong with a field. */
export const FIELD_CODES = ['required', 'invalid', 'type', 'min', 'max', 'too_short', 'too_long', 'unknown'] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

export interface FieldError {
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
  /** The code of the whole response when this is the only field error. */
  readonly soleCode?: ErrorCode | undefined;
}

/** How a schema's own refinement describes its error: `params` of a custom issue. */
export interface RefinementParams {
  readonly fieldCode: FieldCode;
  readonly soleCode?: ErrorCode;
  /** What is expected and what to do; if absent, the schema's own `error` says so. */
  readonly message?: string;
}

const MAXIMUM_FIELD_ERRORS = 100;
const MAXIMUM_FIELD_LENGTH = 200;
const MAXIMUM_SHOWN_FIELD_LENGTH = 80;
/** Far more than is shown of a name, so that what is shown never contains a number that this limit truncates. */
const MAXIMUM_SCANNED_NAME_LENGTH = 400;

/** How many field errors are part of the message; all are in `details.fields`. */
const MAXIMUM_ERRORS_IN_MESSAGE = 3;

/**
 * The input as its schema describes it.
 * @param besides errors in other parts of the request, to be reported together
 * @throws ApiError with the one code that the contract assigns to these errors, listing all of them
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  besides: readonly FieldError[] = [],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success && besides.length === 0) return result.data;
  throw validationError([...besides, ...fieldErrorsOfResult(result, input)]);
}

/** The field errors of an input; empty when it matches its schema. */
export function fieldErrorsIn(schema: z.ZodType, input: unknown): readonly FieldError[] {
  return fieldErrorsOfResult(schema.safeParse(input, { error: describeIssue }), input);
}

function fieldErrorsOfResult({ error }: z.ZodSafeParseResult<unknown>, input: unknown): readonly FieldError[] {
  return (error?.issues ?? []).flatMap((issue) => fieldErrorsOfIssue(issue, input));
}

/** The error of one header or field that no schema describes. */
export function invalidField(field: string, code: FieldCode, message: string): ApiError {
  return validationError([{ field, code, message }]);
}

/** The errors of fields that no schema alone can check. */
export function invalidFields(errors: readonly FieldError[]): ApiError {
  return validationError(errors);
}

function validationError(found: readonly FieldError[]): ApiError {
  const errors = firstOfEachField(found).slice(0, MAXIMUM_FIELD_ERRORS);
  const fields = errors.map(({ field, message, code }) => ({ field, message, code }));
  const [only] = errors;
  if (only === undefined || errors.length > 1 || only.soleCode === undefined) {
    return new ApiError('VALIDATION_ERROR', { message: messageOf(errors), details: { fields } });
  }
  return new ApiError(only.soleCode, {
    message: messageOf(errors),
    details: only.code === 'required' ? { field: only.field, reason: only.code } : { fields },
  });
}

/** The message of the whole response. Names that a client made up are quoted and short. */
function messageOf(errors: readonly FieldError[]): string {
  const shown = errors.slice(0, MAXIMUM_ERRORS_IN_MESSAGE);
  const messages = shown.map(({ field, message }) => (field === '' ? message : `${printable(field)}: ${message}`));
  const others = errors.length - shown.length;
  return [...messages, ...(others === 0 ? [] : [`Another ${others} are in details.fields.`])].join(' ');
}

function printable(field: string): string {
  return JSON.stringify(field.slice(0, MAXIMUM_SHOWN_FIELD_LENGTH)).slice(1, -1);
}

function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.toReversed().map((one) => [one.field, one] as const)).values()].reverse();
}

/** A field that the selected payment method requires is below the name of that method. */
const METHOD_FIELD = /^paymentMethod\.(?!type$)/;

/** The fields that select a payment method. */
const NAMES_METHOD = /^paymentMethod(\.type)?$/;

function fieldError(field: string, code: FieldCode, message: string, soleCode?: ErrorCode): FieldError {
  return { field: field.slice(0, MAXIMUM_FIELD_LENGTH), code, message, soleCode };
}

function fieldErrorsOfIssue(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const field = fieldName(issue.path);
  const { message } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => fieldError(fieldName([...issue.path, key]), 'unknown', message));
    case 'custom':
      return [customFieldError(field, issue)];
    case 'too_small':
      return [bounded(field, isNumeric(issue.origin) ? 'min' : 'too_short', message)];
    case 'too_big':
      return [bounded(field, isNumeric(issue.origin) ? 'max' : 'too_long', message)];
    case 'invalid_key':
      return [invalidKey(field, issue)];
    default:
      return [mismatch(issue, field, valueAt(input, issue.path))];
  }
}

/** The error of a name in an object whose names the client chooses. */
function invalidKey(field: string, { path, issues }: z.core.$ZodIssueInvalidKey): FieldError {
  if (nameContainsCardNumber(String(path.at(-1)))) return fieldError(field, 'invalid', NO_CARD_NUMBER);
  const [issue] = issues;
  if (issue?.code === 'custom') return customFieldError(field, issue);
  return fieldError(field, issue?.code === 'too_big' ? 'too_long' : 'invalid', issue?.message ?? '');
}

/** The error of a value that is absent, of another type, or not among the allowed values. */
function mismatch(issue: z.core.$ZodIssue, field: string, value: unknown): FieldError {
  const { message } = issue;
  if (value === undefined) {
    return fieldError(
      field,
      'required',
      message,
      METHOD_FIELD.test(field) ? 'MISSING_REQUIRED_FIELD' : 'INVALID_REQUEST',
    );
  }
  // JSON numbers too large for a double arrive as infinite.
  if (value === Infinity || value === -Infinity) return bounded(field, value > 0 ? 'max' : 'min', message);
  if (issue.code === 'invalid_type' || typeof value !== 'string') return fieldError(field, 'type', message);
  return fieldError(field, 'invalid', message, NAMES_METHOD.test(field) ? 'INVALID_PAYMENT_METHOD' : undefined);
}

function bounded(field: string, code: FieldCode, message: string): FieldError {
  return fieldError(field, code, message, field === 'amount' ? 'INVALID_AMOUNT' : undefined);
}

function customFieldError(field: string, issue: z.core.$ZodIssueCustom): FieldError {
  const { fieldCode, soleCode, message = issue.message } = readParams(issue.params);
  return fieldError(field, fieldCode, message, soleCode);
}

function readParams(params: Readonly<Partial<RefinementParams>> | undefined): RefinementParams {
  return { fieldCode: 'invalid', ...params };
}

function isNumeric(origin: string): boolean {
  return ['number', 'int', 'bigint', 'date'].includes(origin);
}

/** A name that a client made up may be a card number; it is not repeated. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map(String)
    .map((name) => (nameContainsCardNumber(name) ? '[redacted]' : name))
    .join('.');
}

/** Whether a name contains a card number in its first 400 characters: a client may send a name as long as a body. */
function nameContainsCardNumber(name: string): boolean {
  return containsCardNumber(name.slice(0, MAXIMUM_SCANNED_NAME_LENGTH));
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    input,
  );
}
