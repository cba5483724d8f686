// Compares a folder with the service: the steps that make the service what the folder says, and what stands against
// them.
import { contentOf } from './content.ts';
import { digest, readDocument, type State, yamlOf } from './files.ts';
import { type Keys, matched } from './keys.ts';
import {
  type Content,
  fieldsOf,
  isEmpty,
  type Kind,
  type LocalFile,
  NUMBERS,
  PARTS,
  pathOf,
  REFERENCES,
  SECRETS,
  type ServerRecord,
} from './record.ts';
import type { Installation } from './server.ts';

export interface Step {
  act: 'create' | 'change' | 'delete';
  kind: Kind;
  path: string;
  /** As YAML: what the service has, and what it shall have. */
  before: string;
  after: string;
  record: ServerRecord | null;
  /** As it shall be, with all that the file leaves as it is. */
  content: Content;
  /** As the service has it. */
  known: Content;
  /** The service has changed since the folder was equal. */
  isConflict: boolean;
}

export interface Plan {
  keys: Keys;
  steps: Step[];
  /** Records that no file has. */
  extra: ServerRecord[];
  /** Of files: references that lead nowhere, each as a line. */
  faults: string[];
}

interface Wishes {
  state: State;
  /** It has the files of documents. */
  folder: string;
  /** Files with secrets are steps, though nothing that is shown differs. */
  withSecrets: boolean;
}

export function planned(
  files: readonly LocalFile[],
  installation: Installation,
  { state, folder, withSecrets }: Wishes,
): Plan {
  const { records, numbers } = installation;
  const keys = matched(records, files);
  const extra = records.filter(({ id }) => !keys.fileOfId.has(id));
  const steps = files.flatMap((file): Step[] => {
    const { kind, path } = file;
    const record = keys.recordOfPath.get(path) ?? null;
    const was = state.known[path];
    const own = record === null ? {} : contentOf(record, keys, installation);
    const known = withSentDocuments(own, was?.documents, folder);
    const content = wanted(file, known);
    const [before, after] = [record === null ? '' : yamlOf(kind, known), yamlOf(kind, content)];
    const hasChanged = record !== null && was !== undefined && was.server !== digest(yamlOf(kind, own));
    // A short file leaves out what the service fills in: it is equal as long as neither side has changed.
    const isEqual = was?.server === digest(before) && was.local === digest(yamlOf(kind, file.content));
    const isSent = withSecrets && SECRETS.some((field) => content[field] !== undefined);
    if ((before === after || isEqual) && !isSent) return [];
    const act = record === null ? 'create' : 'change';
    return [{ act, kind, path, before, after, record, content, known, isConflict: hasChanged }];
  });
  return { keys, steps, extra, faults: faultsOf(files, keys, numbers) };
}

/** The steps that delete what no file has; the last are made first. */
export function prunings({ keys, extra }: Plan, installation: Installation, state: State): Step[] {
  return extra.toReversed().map((record) => {
    const path = pathOf(record.kind, keys.keyOfId.get(record.id) ?? record.id);
    const known = contentOf(record, keys, installation);
    const before = yamlOf(record.kind, known);
    const was = state.known[path];
    const isConflict = was !== undefined && was.server !== digest(before);
    return { act: 'delete', kind: record.kind, path, before, after: '', record, content: {}, known, isConflict };
  });
}

/** A document whose file has changed since it was sent is another one. */
function withSentDocuments(content: Content, sent: Record<string, string> | undefined, folder: string): Content {
  if (sent === undefined || !Array.isArray(content.documents)) return content;
  const documents = (content.documents as Content[]).map((each) => {
    const before = sent[String(each.name)];
    if (each.file === undefined || before === undefined) return each;
    const isSame = digest(readDocument(folder, String(each.file))) === before;
    return isSame ? each : { ...each, file: `${each.file} (as it was)` };
  });
  return { ...content, documents };
}

/** A field that a file leaves out is emptied, or stays where nothing empties it. */
function wanted({ kind, content }: LocalFile, known: Content): Content {
  const all: Content = {};
  for (const [, name, emptied] of fieldsOf(kind)) {
    const value = content[name] ?? (emptied === undefined ? known[name] : undefined);
    if (!isEmpty(value)) all[name] = value;
  }
  const part = PARTS[kind];
  if (part !== undefined) {
    const value = content[part] ?? known[part];
    if (!isEmpty(value)) all[part] = value;
  }
  return all;
}

function faultsOf(files: readonly LocalFile[], keys: Keys, numbers: ReadonlyMap<string, string>): string[] {
  const owned = new Set(numbers.values());
  return files.flatMap(({ path, content }) => [
    ...Object.values(REFERENCES).flatMap(({ as, kind }) =>
      listed(content[as])
        .filter((key) => !keys.known.get(kind)?.has(key) && !isStill(keys.recordOfPath.get(path), key))
        .map((key) => `${path}: ${as} ${key} is neither in the folder (${pathOf(kind, key)}) nor on the service`),
    ),
    ...listed(content[NUMBERS.as])
      .filter((number) => !owned.has(number))
      .map(
        (number) =>
          `${path}: the account has no number ${number}; leave out ${NUMBERS.as} to keep those of the service`,
      ),
  ]);
}

/** A reference to a record that is deleted stays its id, as the service has it. */
const isStill = (record: ServerRecord | undefined, id: string): boolean =>
  record !== undefined && Object.values(record.fields).flat().includes(id);

const listed = (value: unknown): string[] => (value === undefined || value === null ? [] : [value].flat().map(String));
