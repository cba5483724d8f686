// Names the schemas of the document: schemas with a title become components, and so do bodies and answers, named after
// their operation or contents. Generated clients then have one type where the service has one.
import { isDeepStrictEqual } from 'node:util';
import { operationId, pascal } from './operation-ids.ts';

export type Json = { [name: string]: unknown };

export interface Operation extends Json {
  operationId?: string;
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Json }> };
  responses?: Record<string, Json & { content?: Record<string, { schema?: Json }> }>;
  parameters?: Array<{ name: string; required?: boolean; schema?: Json }>;
}

export interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses?: Record<string, Json> } & Json;
}

const isJson = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);
const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const nameOf = (schema: unknown): string | null =>
  isJson(schema) && typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;

/** Names operations and schemas of the document, in place. @throws if two schemas have one name */
export function nameSchemas(document: Document): void {
  const named = new Map<string, Json>(Object.entries(document.components.schemas));
  const keep = (name: string, schema: Json): Json => {
    const known = named.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are named ${name}`);
    named.set(name, schema);
    return refTo(name);
  };
  for (const schema of Object.values(document.components.schemas)) {
    if (isJson(schema.properties)) schema.properties = hoist(schema.properties, keep);
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operation.operationId = operationId(method, path);
      nameOperation(operation, pascal(operation.operationId), keep);
    }
  }
  for (const [type, methods] of Object.entries(document.webhooks)) {
    const name = pascal(type);
    for (const operation of Object.values(methods))
      nameContent(operation.requestBody?.content, keep, () => `${name}Event`);
  }
  document.components.schemas = Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Keep = (name: string, schema: Json) => Json;

function nameOperation(operation: Operation, name: string, keep: Keep): void {
  nameContent(operation.requestBody?.content, keep, () => `${name}Body`);
  for (const response of Object.values(operation.responses ?? {})) {
    nameContent(response.content, keep, (schema) => answerName(schema, name, keep));
  }
  for (const parameter of operation.parameters ?? []) {
    if (parameter.schema === undefined) continue;
    parameter.schema = hoist(parameter.schema, keep) as Json;
    // The handler always gets it; a client may leave it out.
    if ('default' in parameter.schema) delete parameter.required;
  }
}

function nameContent(
  content: Record<string, { schema?: Json }> | undefined,
  keep: Keep,
  name: (schema: Json) => string,
): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema === undefined || media.schema.type === 'string') continue;
    const schema = hoist(media.schema, keep) as Json;
    media.schema = nameOf(schema) === null ? keep(name(schema), schema) : schema;
  }
}

/** The name of an envelope: CallAnswer, CallPage, VoiceList; else after the operation. */
function answerName(schema: Json, operation: string, keep: Keep): string {
  const properties = schema.properties;
  if (!isJson(properties) || !isJson(properties.data)) return `${operation}Answer`;
  const { data } = properties;
  const item = nameOf(data.items);
  if (item !== null) return 'pagination' in properties ? `${item}Page` : `${item}List`;
  if (nameOf(data) === null) properties.data = keep(`${operation}Result`, data);
  return nameOf(data) === null ? `${operation}Answer` : `${nameOf(data)}Answer`;
}

/** The schema with references in place of schemas with a title. */
function hoist(value: unknown, keep: Keep): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, keep));
  if (!isJson(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoist(item, keep)]));
  const { title } = inner;
  if (typeof title !== 'string') return inner;
  if (!Array.isArray(inner.type)) return keep(title, inner);
  const [type] = inner.type.filter((each) => each !== 'null');
  return { anyOf: [keep(title, { ...inner, type }), { type: 'null' }] };
}
