// The content of the file of a record of the service. Secrets, which the service never shows, are placeholders; where
// the folder has a file already, its own placeholders and the files of its documents stay.
import type { Keys } from './keys.ts';
import { escaped, placeholder } from './placeholders.ts';
import { type Content, fieldsOf, isEmpty, NUMBERS, PARTS, REFERENCES, type ServerRecord } from './record.ts';

type Fields = Record<string, unknown>;

/** `numbers`: by the id of a number, in E.164. */
export function contentOf(record: ServerRecord, keys: Keys, numbers: ReadonlyMap<string, string>): Content {
  const local = keys.fileOfId.get(record.id)?.content ?? {};
  const content: Content = {};
  for (const [field, name] of fieldsOf(record.kind)) {
    const value = shownValue(record, field, { keys, numbers, local });
    if (!isEmpty(value)) content[name] = value;
  }
  const part = PARTS[record.kind];
  if (part === 'cases' && record.cases.length > 0) content.cases = casesOf(record);
  if (part === 'documents' && record.documents.length > 0) content.documents = documentsOf(record, local);
  return content;
}

interface Around {
  keys: Keys;
  numbers: ReadonlyMap<string, string>;
  local: Content;
}

function shownValue(record: ServerRecord, field: string, { keys, numbers, local }: Around): unknown {
  const { fields, name } = record;
  const value = fields[field];
  if (field in REFERENCES) {
    return Array.isArray(value) ? value.map((id) => keyOf(keys, id)) : value && keyOf(keys, value);
  }
  switch (field) {
    case NUMBERS.field:
      return ((value ?? []) as string[]).map((id) => numbers.get(id) ?? id);
    // The usual one, which is not kept.
    case 'silenceThresholdMs':
      return fields.endpointing === 'adaptive' ? null : value;
    case 'headers':
      return headersOf(fields.headerNames, name, local.headers);
    case 'lookup':
      return lookupOf(value as Fields | null | undefined, name, local.lookup as Fields | undefined);
    case 'notify':
      return ((value ?? []) as Fields[]).map((rule, i) =>
        ruleOf(rule, `${name} notify ${i + 1}`, (local.notify as Fields[])?.[i]),
      );
    default:
      return escaped(value);
  }
}

/** One that is deleted stays an id, which fits nothing. */
const keyOf = (keys: Keys, id: unknown): unknown => keys.keyOfId.get(String(id)) ?? id;

function headersOf(names: unknown, owner: string, local: unknown): Record<string, unknown> {
  const own = (local ?? {}) as Record<string, unknown>;
  const lower = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const entries = ((names ?? []) as string[]).map(
    (name) => lower.get(name.toLowerCase()) ?? ([name, placeholder(owner, name)] as const),
  );
  return Object.fromEntries(entries);
}

function lookupOf(lookup: Fields | null | undefined, owner: string, local: Fields | undefined): unknown {
  if (lookup === null || lookup === undefined) return null;
  const { headerNames, ...rest } = lookup;
  const headers = headersOf(headerNames, `${owner} lookup`, local?.headers);
  return { ...(escaped(rest) as Fields), ...(isEmpty(headers) ? {} : { headers }) };
}

function ruleOf(rule: Fields, owner: string, local: Fields | undefined): Fields {
  const { isSigned, to, ...rest } = rule;
  const isSecret = String(to).startsWith('https://');
  const own = local?.by === rule.by ? local : undefined;
  return {
    ...withoutEmpty(rest),
    to: isSecret ? (own?.to ?? placeholder(owner, 'URL')) : to,
    ...(isSigned === true ? { secret: own?.secret ?? placeholder(owner, 'SECRET') } : {}),
  };
}

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Cases in the voice of a caller of this service stay here. */
export const isMovable = (definition: Fields): boolean =>
  !JSON.stringify(definition.caller ?? null).includes('"clip":');

function casesOf({ cases }: ServerRecord): Fields[] {
  return cases
    .filter(({ definition }) => isMovable(definition))
    .map(({ name, kind, definition }) => ({
      name,
      ...(kind === 'eval' ? {} : { kind }),
      ...(escaped(definition) as Fields),
    }));
}

/** The text of a document cannot be read back: a file that the folder has for it is named again. */
function documentsOf({ documents }: ServerRecord, local: Content): Fields[] {
  const own = (Array.isArray(local.documents) ? local.documents : []) as Fields[];
  return documents.map(({ name, sourceUrl, refreshHours }) => {
    const file = own.find((each) => each.name === name)?.file;
    if (sourceUrl !== null) return { name, url: sourceUrl, ...(refreshHours === null ? {} : { refreshHours }) };
    return file === undefined ? { name } : { name, file };
  });
}
