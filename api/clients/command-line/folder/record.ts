// Records as files have them: the kinds, and the content of a file. A file names other records by their keys, which are
// the names of their files, so that a folder fits any installation.
import { FIELDS } from './fields.ts';

/** In the order in which they are made: each names those before it only. */
export const KINDS = ['tools', 'agents', 'businesses', 'campaigns', 'tests'] as const;
export type Kind = (typeof KINDS)[number];

/** As YAML has it: no nulls, and no lists or objects without anything at its top. */
export type Content = Record<string, unknown>;

/** A record of the service, whatever its kind. */
export interface ServerRecord {
  kind: Kind;
  id: string;
  name: string;
  fields: Record<string, unknown>;
  /** Of a test suite, in order. */
  cases: TestCaseRecord[];
  /** Of a business. */
  documents: DocumentRecord[];
}

export interface TestCaseRecord {
  id: string;
  name: string;
  kind: string;
  definition: Record<string, unknown>;
}

export interface DocumentRecord {
  id: string;
  name: string;
  sourceUrl: string | null;
  refreshHours: number | null;
}

export interface LocalFile {
  kind: Kind;
  /** The name of the file without its end. */
  key: string;
  /** In the folder: `agents/robin.yaml`. */
  path: string;
  name: string;
  content: Content;
}

/** The names of references in files, and the kind that they lead to. */
export const REFERENCES: Readonly<Record<string, { as: string; kind: Kind }>> = {
  agentId: { as: 'agent', kind: 'agents' },
  businessId: { as: 'business', kind: 'businesses' },
  campaignId: { as: 'campaign', kind: 'campaigns' },
  toolIds: { as: 'tools', kind: 'tools' },
};
/** Numbers are named by themselves. */
export const NUMBERS = { field: 'phoneNumberIds', as: 'phoneNumbers' } as const;
/** Fields with values that the service never shows. */
export const SECRETS: readonly string[] = ['headers', 'lookup', 'notify'];
/** Beside the fields of a record. */
export const PARTS: Partial<Record<Kind, string>> = { businesses: 'documents', tests: 'cases' };

/** The name of a field in files. */
const nameInFile = (field: string): string => (field === NUMBERS.field ? NUMBERS.as : (REFERENCES[field]?.as ?? field));

/** In the order of a file: the field of the record, and its name in files. */
export const fieldsOf = (kind: Kind): Array<[field: string, name: string, emptied: unknown]> =>
  Object.entries(FIELDS[kind]).map(([field, emptied]) => [field, nameInFile(field), emptied]);

export const pathOf = (kind: Kind, key: string): string => `${kind}/${key}.yaml`;

const KEY_CHARACTERS = 60;

/** `Rivera Dental (Süd)` as `rivera-dental-sud`: a name of a file anywhere. Letters of any script stay. */
export function keyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .slice(0, KEY_CHARACTERS)
    .replace(/^-|-$/g, '');
  return key === '' ? 'unnamed' : key;
}

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
