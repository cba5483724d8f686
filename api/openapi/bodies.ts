// A body all of whose fields may be left out may be left out itself: the service takes it for an empty object.
import type { Document, Json } from './components.ts';

/** In place, before the schemas are named. */
export function describeBodies(document: Document): void {
  for (const { requestBody } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const schema = requestBody?.content?.['application/json']?.schema;
    if (requestBody && schema !== undefined && mayBeEmpty(schema)) requestBody.required = false;
  }
}

const mayBeEmpty = ({ type, required, minProperties, anyOf, oneOf, $ref }: Json): boolean =>
  type === 'object' && !(Array.isArray(required) && required.length > 0) && !minProperties && !anyOf && !oneOf && !$ref;
