import type { ApiDependencies } from '../../api/app.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../../api/openapi/document.ts';
import type { ApiOperation } from '../../api/resources/api-operation.ts';
import { createApiOperations } from '../../api/resources/api-operations.ts';

/** A placeholder for dependencies that only requests use: every member is the placeholder itself, and calls do nothing. */
const nothing: object = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing });

/** Dependencies with which operations can be described, but not executed. @param own members that are not placeholders */
export function placeholderDependencies(own: Partial<ApiDependencies> = {}): ApiDependencies {
  const get = (members: object, name: string | symbol): unknown =>
    Object.hasOwn(members, name) ? Reflect.get(members, name) : nothing;
  return new Proxy<Partial<ApiDependencies>>(own, { get }) as ApiDependencies;
}

/** The descriptions of all API operations; their handlers do not work. */
export function describeOperations(): readonly ApiOperation[] {
  return createApiOperations(placeholderDependencies());
}

/** The OpenAPI document as the API would serve it. */
export function describeApi(): OpenApiDocument {
  return createOpenApiDocument(describeOperations());
}
