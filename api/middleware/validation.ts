import type { z } from 'zod';
import { containsCardNumber } from '../../domain/card-number.ts';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import { ApiError } from './errors.ts';

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
  /** A message for people, if the code alone is not clear. */
  readonly message?: string;
}

/** What a client reads that has put a card number where it would be stored in the clear. */
export const NO_CARD_NUMBER = 'This looks like a card number. Send card numbers in paymentMethod.card.number only.';

const MAXIMUM_FIELD_ERRORS = 100;
const MAXIMUM_FIELD_LENGTH = 200;

const MESSAGES: Readonly<Record<FieldCode, string>> = {
  required: 'This field is required.',
  invalid: 'The value is not valid.',
  type: 'The value has the wrong type.',
  min: 'The value is too small.',
  max: 'The value is too large.',
  too_short: 'The value is too short.',
  too_long: 'The value is too long.',
  unknown: 'This field is not known.',
};

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
  const result = schema.safeParse(input);
  if (result.success && besides.length === 0) return result.data;
  throw validationError([...besides, ...fieldErrorsOfResult(result, input)]);
}

/** The field errors of an input; empty when it matches its schema. */
export function fieldErrorsIn(schema: z.ZodType, input: unknown): readonly FieldError[] {
  return fieldErrorsOfResult(schema.safeParse(input), input);
}

function fieldErrorsOfResult({ error }: z.ZodSafeParseResult<unknown>, input: unknown): readonly FieldError[] {
  return (error?.issues ?? []).flatMap((issue) => fieldErrorsOfIssue(issue, input));
}

/** The error of one header or field that no schema describes. */
export function invalidField(field: string, code: FieldCode, message?: string): ApiError {
  return validationError([{ ...fieldError(field, code), ...(message === undefined ? {} : { message }) }]);
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
    return new ApiError('VALIDATION_ERROR', { details: { fields } });
  }
  return new ApiError(only.soleCode, {
    details: only.code === 'required' ? { field: only.field, reason: only.code } : { fields },
  });
}

function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.toReversed().map((one) => [one.field, one] as const)).values()].reverse();
}

/** A field that the selected payment method requires is below the name of that method. */
const METHOD_FIELD = /^paymentMethod\.(?!type$)/;

/** The fields that select a payment method. */
const NAMES_METHOD = /^paymentMethod(\.type)?$/;

function fieldError(field: string, code: FieldCode, soleCode?: ErrorCode): FieldError {
  return { field: field.slice(0, MAXIMUM_FIELD_LENGTH), code, message: MESSAGES[code], soleCode };
}

function required(field: string): FieldError {
  return fieldError(field, 'required', METHOD_FIELD.test(field) ? 'MISSING_REQUIRED_FIELD' : 'INVALID_REQUEST');
}

function fieldErrorsOfIssue(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const field = fieldName(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => fieldError(fieldName([...issue.path, key]), 'unknown'));
    case 'custom':
      return [customFieldError(field, issue.params)];
    case 'too_small':
      return [bounded(field, isNumeric(issue.origin) ? 'min' : 'too_short')];
    case 'too_big':
      return [bounded(field, isNumeric(issue.origin) ? 'max' : 'too_long')];
    case 'invalid_key':
      if (containsCardNumber(String(issue.path.at(-1))))
        return [{ ...fieldError(field, 'invalid'), message: NO_CARD_NUMBER }];
      return [fieldError(field, issue.issues.some(({ code }) => code === 'too_big') ? 'too_long' : 'invalid')];
    default:
      return [mismatch(issue, field, valueAt(input, issue.path))];
  }
}

/** The error of a value that is absent, of another type, or not among the allowed values. */
function mismatch(issue: z.core.$ZodIssue, field: string, value: unknown): FieldError {
  if (value === undefined) return required(field);
  // JSON numbers beyond what a double holds arrive as infinite.
  if (value === Infinity || value === -Infinity) return bounded(field, value > 0 ? 'max' : 'min');
  if (issue.code === 'invalid_type') return fieldError(field, 'type');
  if (typeof value !== 'string') return fieldError(field, 'type');
  return fieldError(field, 'invalid', NAMES_METHOD.test(field) ? 'INVALID_PAYMENT_METHOD' : undefined);
}

function bounded(field: string, code: FieldCode): FieldError {
  return fieldError(field, code, field === 'amount' ? 'INVALID_AMOUNT' : undefined);
}

function customFieldError(field: string, params: Readonly<Record<string, unknown>> | undefined): FieldError {
  const { fieldCode, soleCode, message } = readParams(params);
  return { ...fieldError(field, fieldCode, soleCode), ...(message === undefined ? {} : { message }) };
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
    .map((name) => (containsCardNumber(name) ? '[redacted]' : name))
    .join('.');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    input,
  );
}
