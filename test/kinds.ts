// The kinds of tests, by folder: the needs of a test decide its folder, and the folder decides when and how it runs.
import { availableParallelism } from 'node:os';

export interface Kind {
  /** Folder below test/; null: all files outside of the folders of other kinds. */
  folder: string | null;
  what: string;
  /** Number of files that run at a time. */
  concurrency: number;
  /** Whether several files may share a process: they leave nothing behind except their results. */
  shared: boolean;
}

const cores = availableParallelism();

/** In the order in which they run. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  {
    folder: null,
    what: 'the loop: no whole service, no browser, no foreign program',
    concurrency: cores + 1,
    shared: true,
  },
  {
    folder: 'long',
    what: 'storms, floods, fuzzers, real recognisers, runs of the tools, deadlines in real time',
    concurrency: cores + 1,
    shared: false,
  },
  {
    folder: 'peers',
    what: 'against sipp, baresip, Kamailio, docker-compose and other programs',
    concurrency: 3,
    shared: false,
  },
  // Whole services mostly wait for the wire, and a busy machine would starve speech synthesis, which has the lowest
  // priority: nothing else runs at the same time.
  { folder: 'service', what: 'whole services, called over SIP', concurrency: 3, shared: false },
  { folder: 'browser', what: 'the dashboard of a whole service in Chromium', concurrency: 3, shared: false },
  // What others notice beside an attack would be the neighbours' noise.
  {
    folder: 'hostile',
    what: 'a whole service under attack, and everybody else beside it',
    concurrency: 1,
    shared: false,
  },
];

export function kindOf(file: string): Kind {
  const folder = /^test\/([^/]+)\//.exec(file)?.[1];
  return KINDS.find((kind) => kind.folder === folder) ?? KINDS[0];
}
