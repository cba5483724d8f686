// The memory of a service's processes, by the kind of mapping. Pages of a file that several of them have mapped are
// divided among these, whatever else on the machine maps the file: Linux itself (PSS) would count the less of Node's
// binary the more of other Nodes run.
import { readFileSync } from 'node:fs';

const KIB_A_MIB = 1_024;
const MAPPING = /^([\da-f]+)-([\da-f]+) (\S{4}) \S+ \S+ \d+ *(.*)$/;
/** The C library aligns the heap of an arena to this size, and reserves as much for it. */
const ARENA_BYTES = 64 * 2 ** 20;
/** V8 reserves more than this behind a WebAssembly memory. */
const GUARD_BYTES = 2 ** 30;

interface Mapping {
  from: number;
  to: number;
  isReadable: boolean;
  isCode: boolean;
  file: string;
  /** In memory, MiB. */
  ownMib: number;
  fileMib: number;
}

/** MiB by kind of mapping, of each of these processes. */
export function memoryByKind(pids: readonly number[]): Array<Map<string, number>> {
  const processes = pids.map(mappingsOf);
  const ofFiles = processes.map((mappings) =>
    sumBy(
      mappings,
      ({ file }) => file,
      ({ fileMib }) => fileMib,
    ),
  );
  /** The part of its pages of a file that a process is counted. */
  const share = (file: string): number => {
    const each = ofFiles.map((files) => files.get(file) ?? 0);
    return Math.max(...each) / Math.max(Number.MIN_VALUE, sum(each));
  };
  return processes.map((mappings) =>
    sumBy(
      mappings,
      (mapping, index) => kindOf(mapping, mappings[index + 1]),
      ({ file, ownMib, fileMib }) => ownMib + fileMib * share(file),
    ),
  );
}

export const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function mappingsOf(pid: number): Mapping[] {
  return readFileSync(`/proc/${pid}/smaps`, 'utf8')
    .split(/^(?=[\da-f]+-[\da-f]+ )/m)
    .flatMap((text): Mapping[] => {
      const [, from = '', to = '', mode = '', file = ''] = MAPPING.exec(text.slice(0, text.indexOf('\n'))) ?? [];
      const mib = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / KIB_A_MIB;
      const at = { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) };
      const ownMib = mib('Anonymous');
      return [
        { ...at, isReadable: mode[0] === 'r', isCode: mode[2] === 'x', file, ownMib, fileMib: mib('Rss') - ownMib },
      ];
    });
}

function sumBy(
  mappings: readonly Mapping[],
  keyOf: (mapping: Mapping, index: number) => string,
  mibOf: (mapping: Mapping) => number,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [index, mapping] of mappings.entries()) {
    const key = keyOf(mapping, index);
    sums.set(key, (sums.get(key) ?? 0) + mibOf(mapping));
  }
  return sums;
}

function kindOf({ from, to, isCode, file }: Mapping, next: Mapping | undefined): string {
  if (file === '[heap]') return 'the C library’s first heap';
  if (file.endsWith('/node')) return 'Node’s binary';
  if (file.endsWith('.node') || file.includes('.so')) return 'libraries';
  if (file !== '') return 'other files, first stack';
  const reserved = next !== undefined && next.from === to && !next.isReadable ? next.to - from : 0;
  if (reserved === ARENA_BYTES && from % ARENA_BYTES === 0) return 'the C library’s arenas';
  if (reserved > GUARD_BYTES) return 'WebAssembly memories';
  return isCode ? 'compiled code' : 'V8’s heaps, large arrays, stacks of threads';
}
