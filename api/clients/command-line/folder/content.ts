// The content of the file of a record of the service. Secrets, which the service never shows, are placeholders; where
// the folder has a file already, its own placeholders and the files of its documents stay.
import type { Keys } from './keys.ts';
import { escaped, Placeholders, placeholder } from './placeholders.ts';
import { type Content, fieldsOf, isEmpty, NUMBERS, PARTS, REFERENCES, type ServerRecord } from './record.ts';
import type { Installation } from './server.ts';

type Fields = Record<string, unknown>;

export function contentOf(record: ServerRecord, keys: Keys, installation: Installation): Content {
  const local = keys.fileOfId.get(record.id)?.content ?? {};
  const content: Content = {};
  for (const [field, name] of fieldsOf(record.kind)) {
    const value = shownValue(record, field, { keys, installation, local, own: local[name] });
    if (!isEmpty(value)) content[name] = value;
  }
  const part = PARTS[record.kind];
  if (part === 'cases' && record.cases.length > 0) content.cases = casesOf(record);
  if (part === 'documents' && record.documents.length > 0) content.documents = documentsOf(record, local);
  return content;
}

interface Around {
  keys: Keys;
  installation: Installation;
  local: Content;
  /** The field as the file has it. */
  own: unknown;
}

function shownValue(record: ServerRecord, field: string, { keys, installation, local, own }: Around): unknown {
  const { fields, name } = record;
  const value = fields[field];
  if (field in REFERENCES) {
    return Array.isArray(value) ? value.map((id) => keyOf(keys, id)) : value && keyOf(keys, value);
  }
  switch (field) {
    case NUMBERS.field:
      return ((value ?? []) as string[]).map((id) => installation.numbers.get(id) ?? id);
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
      return isFilled(own, value, installation) ? own : escaped(value);
  }
}

/** Whether a file's placeholders stand for what the service has. */
const isFilled = (own: unknown, value: unknown, { env }: Installation): boolean =>
  own !== undefined && JSON.stringify(new Placeholders(env).filled(own, '')) === JSON.stringify(value);

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
