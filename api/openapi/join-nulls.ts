/**
 * Says `type: [string, null]` wherever a document has a union of one schema with null, which generators of clients stumble
 * over. Only references have to stay unions. Changes the document in place.
 */
export function mergeNullUnions<Document extends object>(document: Document): Document {
  for (const value of Object.values(document)) {
    if (isObject(value)) mergeNullUnions(value);
  }
  mergeNullUnion(document);
  return document;
}

function mergeNullUnion(schema: object): void {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return;
  const union: readonly unknown[] = schema.anyOf;
  const [inner, alternative, ...others] = union;
  if (others.length > 0 || !isObject(alternative) || !('type' in alternative) || alternative.type !== 'null') return;
  if (!isObject(inner) || !('type' in inner) || typeof inner.type !== 'string') return;
  delete schema.anyOf;
  Object.assign(schema, inner, { type: [inner.type, 'null'] });
  if (!('enum' in inner) || !Array.isArray(inner.enum)) return;
  const values: readonly unknown[] = inner.enum;
  Object.assign(schema, { enum: [...values, null] });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
