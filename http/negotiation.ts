import { ApiError } from '../domain/api-error.ts';
import { describeValue } from '../contract/field-messages.ts';
import type { ApiRequest } from './request-context.ts';

/** A parameter of a media type other than its weight. Express would compare it with those of the offered type, which has none. */
const PARAMETER = /;[ \t]*(?!q[ \t]*=)(?:"(?:[^"\\]|\\.)*"|[^",;])*/gi;

/**
 * The media type that a request's `Accept` header prefers, whatever the parameters of its types are. Without the header, the first.
 * @param offered in the order of the server's preference
 * @throws ApiError `NOT_ACCEPTABLE` where the header allows none
 */
export function negotiate<Type extends string>(
  request: Pick<ApiRequest, 'headers' | 'accepts'>,
  offered: readonly [Type, ...Type[]],
): Type {
  const { accept = '' } = request.headers;
  if (accept.trim() === '') return offered[0];
  request.headers.accept = accept.replaceAll(PARAMETER, '');
  const preferred = request.accepts([...offered]);
  const type = offered.find((each) => each === preferred);
  if (type !== undefined) return type;
  throw new ApiError('NOT_ACCEPTABLE', {
    message: `Expected an Accept header that allows ${offered.join(' or ')}; got ${describeValue(accept)}. Leave it out, or send */*.`,
  });
}
