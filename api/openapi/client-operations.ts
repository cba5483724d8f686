// The operations as client packages offer them: grouped by tag, each with a short name in its group (`calls.place`),
// and with what a client must know to send it and to read its answer.
import type { Document, Json, Operation } from './components.ts';
import { pascal } from './operation-ids.ts';
import type { Field } from './schema-types.ts';

const PREFIX = '/api/v1';
const REF = '#/components/schemas/';

/** `page`: a list with pages; `data`: what stands in the envelope; `file`: bytes; `events`: server-sent events. */
export type AnswerKind = 'page' | 'data' | 'file' | 'events';

export interface ClientOperation {
  id: string;
  /** `doNotCall`, and the name in it, `add`. */
  group: string;
  name: string;
  /** `POST`. */
  method: string;
  /** Without the prefix of the version: `/do-not-call`. */
  path: string;
  params: Field[];
  query: Field[];
  /** One or several contents, by their media types. */
  bodies: Array<[media: string, schema: Json | undefined]>;
  isBodyRequired: boolean;
  answer: AnswerKind;
  /** Of a page: of one of its members. */
  answerSchema: unknown;
  /** Whether it takes an Idempotency-Key. */
  isKeyed: boolean;
  words: string;
}

/** Words that a name leaves out in its group, where they are others than those of the tag. */
const NOUNS: Record<string, string[]> = {
  Knowledge: ['Document'],
  'Port-in': ['PortOrder'],
  'Phone numbers': ['PhoneNumber', 'Number'],
  'Do not call': ['DoNotCall'],
};
/** These say who they are for, or would lose a word that they need. */
const WHOLE: ReadonlySet<string> = new Set(['Administration', 'Authentication', 'Results']);
const OWN: Record<string, string> = {
  listCampaignContacts: 'list',
  keepCallAsTest: 'keepCall',
};

/** In the order of their groups and names. @throws if two of a group have one name */
export function clientOperations(document: Document): ClientOperation[] {
  const found = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => described(document, method, path, operation)),
    );
  const key = ({ group, name }: ClientOperation) => `${group}.${name}`;
  const names = found.map(key);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`two operations are ${twice}: give one a name in client-operations.ts`);
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function described(document: Document, method: string, path: string, operation: Operation): ClientOperation {
  const { operationId: id = '', parameters = [], requestBody, summary, description } = operation;
  const tag = String((operation.tags as string[] | undefined)?.[0] ?? 'Other');
  const within = (where: string) => parameters.filter((parameter) => (parameter as { in?: string }).in === where);
  const success = Object.entries(operation.responses ?? {}).find(([status]) => Number(status) < 300)?.[1];
  const [media = '', content] = Object.entries(success?.content ?? {})[0] ?? [];
  const { answer, schema } = answerOf(media, content?.schema, document);
  return {
    id,
    group: camel(tag),
    name: nameIn(tag, id),
    method: method.toUpperCase(),
    path: path.slice(PREFIX.length),
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      true,
      parameters.find((parameter) => parameter.name === name)?.schema,
    ]),
    query: within('query').map(({ name, required, schema: each }) => [name, required === true, each]),
    bodies: Object.entries(requestBody?.content ?? {}).map(([type, each]) => [type, each.schema]),
    isBodyRequired: requestBody?.required === true,
    answer,
    answerSchema: schema,
    isKeyed: within('header').some(({ name }) => name === 'Idempotency-Key'),
    words: [summary, description].filter((text) => typeof text === 'string').join('. '),
  };
}

function answerOf(
  media: string,
  schema: Json | undefined,
  document: Document,
): { answer: AnswerKind; schema: unknown } {
  if (media === 'text/event-stream') return { answer: 'events', schema: undefined };
  if (media !== 'application/json') return { answer: 'file', schema: undefined };
  const named = document.components.schemas[String(schema?.$ref).slice(REF.length)] ?? schema;
  const { data, pagination } = (named?.properties ?? {}) as Record<string, Json | undefined>;
  return pagination === undefined ? { answer: 'data', schema: data } : { answer: 'page', schema: data?.items };
}

function nameIn(tag: string, id: string): string {
  const own = OWN[id];
  if (own !== undefined) return own;
  if (WHOLE.has(tag)) return id;
  const nouns = NOUNS[tag] ?? [singular(pascal(tag.replaceAll(' ', '-')))];
  const pattern = new RegExp(`(?<=[a-z])(?:${nouns.flatMap((noun) => [plural(noun), noun]).join('|')})(?=[A-Z]|$)`);
  return id.replace(pattern, '');
}

const plural = (noun: string): string => (noun.endsWith('s') ? `${noun}es` : `${noun}s`);
const singular = (name: string): string => name.replace(/sses$/, 'ss').replace(/(?<!s)s$/, '');
const camel = (tag: string): string => {
  const name = pascal(tag.replaceAll(' ', '-'));
  return name.charAt(0).toLowerCase() + name.slice(1);
};
