// Which file belongs to which record of the service, and the keys of records that have no file yet.
import { KINDS, type Kind, keyOf, type LocalFile, type ServerRecord } from './record.ts';

export interface Keys {
  /** By the id of the record. */
  keyOfId: ReadonlyMap<string, string>;
  fileOfId: ReadonlyMap<string, LocalFile>;
  /** By the path of the file. */
  recordOfPath: ReadonlyMap<string, ServerRecord>;
  /** Of files and of records: all that a reference may name. */
  known: ReadonlyMap<Kind, ReadonlySet<string>>;
}

/** `records` are the oldest first, so that of two with one name the older keeps its key. */
export function matched(records: readonly ServerRecord[], files: readonly LocalFile[]): Keys {
  const keyOfId = new Map<string, string>();
  const fileOfId = new Map<string, LocalFile>();
  const recordOfPath = new Map<string, ServerRecord>();
  const known = new Map<Kind, Set<string>>();
  for (const kind of KINDS) {
    const own = records.filter((record) => record.kind === kind);
    const local = files.filter((file) => file.kind === kind);
    const usual = usualKeys(own);
    const join = (fits: (record: ServerRecord, file: LocalFile) => boolean) => {
      for (const file of local) {
        if (recordOfPath.has(file.path)) continue;
        const record = own.find((each) => !fileOfId.has(each.id) && fits(each, file));
        if (record === undefined) continue;
        recordOfPath.set(file.path, record);
        fileOfId.set(record.id, file);
      }
    };
    // Of two with one name each has its own file; a file that gave its record a new name keeps its own.
    join((record, { key, name }) => usual.get(record.id) === key && record.name === name);
    join((record, { name }) => record.name === name);
    join((record, { key }) => usual.get(record.id) === key);
    const taken = new Set(local.map(({ key }) => key));
    known.set(kind, taken);
    for (const { id, name } of own) {
      const key = fileOfId.get(id)?.key ?? free(usual.get(id) ?? keyOf(name), taken);
      taken.add(key);
      keyOfId.set(id, key);
    }
  }
  return { keyOfId, fileOfId, recordOfPath, known };
}

function usualKeys(records: readonly ServerRecord[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    records.map(({ id, name }) => {
      const key = free(keyOf(name), taken);
      taken.add(key);
      return [id, key];
    }),
  );
}

function free(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  let n = 2;
  while (taken.has(`${key}-${n}`)) n++;
  return `${key}-${n}`;
}
