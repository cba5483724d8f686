// Converts Ajv's errors into the API's: JSON paths, and one message per field.

import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { FIELD_ERRORS_MAX, type FieldError } from './errors.ts';
import { faultWords, unknownName } from './fault-words.ts';

export interface SchemaNode {
  type?: string | string[];
  properties?: Record<string, SchemaNode>;
  /** Of a query: names of which there are many, `output.NAME`. */
  patternProperties?: Record<string, SchemaNode>;
}

interface AjvError extends FastifySchemaValidationError {
  parentSchema?: SchemaNode;
  /** Set if the error concerns the name of a field, not its value. */
  propertyName?: string;
}

/** `/contacts/3/phoneNumber` → `contacts[3].phoneNumber`. */
export function jsonPath(pointer: string, last?: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (last !== undefined) parts.push(last);
  let path = '';
  for (const part of parts) path += /^\d+$/.test(part) ? `[${part}]` : path === '' ? part : `.${part}`;
  return path;
}

/** The `errors[]` of a 422. `where` names the part of the request when all of it is wrong. */
export function fieldErrors(errors: readonly FastifySchemaValidationError[], where: string): FieldError[] {
  const found = new Map<string, string>();
  for (const error of errors as readonly AjvError[]) {
    // The branches of a failed union, and the rule of a name, have their own errors.
    if (['anyOf', 'oneOf', 'if', 'propertyNames'].includes(error.keyword)) continue;
    const { field, message } = fieldError(error);
    const name = field === '' ? where : field;
    if (!found.has(name)) found.set(name, message);
    if (found.size >= FIELD_ERRORS_MAX) break;
  }
  if (found.size === 0) {
    const first = errors[0];
    found.set(jsonPath(first?.instancePath ?? '') || where, 'is not valid');
  }
  return [...found].map(([field, message]) => ({ field, message }));
}

function fieldError(error: AjvError): FieldError {
  const { keyword, instancePath, params } = error;
  if (error.propertyName !== undefined) {
    return {
      field: jsonPath(instancePath, error.propertyName),
      message: keyword === 'pattern' ? 'has a name with other than A-Z, a-z, 0-9 and _' : 'has a name that is too long',
    };
  }
  const field = jsonPath(instancePath);
  switch (keyword) {
    case 'required':
      return { field: jsonPath(instancePath, String(params.missingProperty)), message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      return {
        field: jsonPath(instancePath, name),
        message: unknownName(name, 'field', Object.keys(error.parentSchema?.properties ?? {})),
      };
    }
    default:
      return { field, message: faultWords(keyword, params) };
  }
}
