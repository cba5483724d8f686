// The kinds of tests, by folder: the needs of a test decide its folder, and the folder decides when and how it runs.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';

export interface Kind {
  /** Folder below test/; null: all files outside of the folders of other kinds. */
  folder: string | null;
  what: string;
  /** Number of files that run at a time. */
  concurrency: number;
  /** Whether all files share that many processes: they leave nothing behind except their results. */
  shared: boolean;
  /** The names of the files that take longest: they begin first, and none of them ends long after all others. */
  longest: readonly string[];
}

const cores = availableParallelism();

/** In the order in which they run. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  {
    folder: null,
    what: 'the loop: no whole service, no browser, no foreign program',
    concurrency: cores + 1,
    shared: true,
    longest: [],
  },
  {
    folder: 'long',
    what: 'storms, floods, fuzzers, real recognisers, runs of the tools, deadlines in real time',
    concurrency: cores + 1,
    shared: false,
    longest: ['soundswallower', 'shard', 'call-storm', 'factor-trial', 'business-helpers', 'amd'],
  },
  {
    folder: 'peers',
    what: 'against sipp, baresip, Kamailio, docker-compose and other programs',
    concurrency: 3,
    shared: false,
    longest: ['postgres-service', 'nat', 'postgres-carry-over'],
  },
  // Whole services mostly wait for the wire, and a busy machine would starve speech synthesis, which has the lowest
  // priority: nothing else runs at the same time.
  {
    folder: 'service',
    what: 'whole services, called over SIP',
    concurrency: 3,
    shared: false,
    longest: ['calls', 'transfer', 'model-settings', 'engines', 'openai', 'threads', 'dark-peers', 'outbound', 'disk'],
  },
  {
    folder: 'browser',
    what: 'the dashboard of a whole service in Chromium',
    concurrency: 3,
    shared: false,
    longest: ['pages', 'calls', 'pages-used', 'forms', 'sign-in'],
  },
  // What others notice beside an attack would be the neighbours' noise.
  {
    folder: 'hostile',
    what: 'a whole service under attack, and everybody else beside it',
    concurrency: 1,
    shared: false,
    longest: [],
  },
];

export function kindOf(file: string): Kind {
  const folder = /^test\/([^/]+)\//.exec(file)?.[1];
  return KINDS.find((kind) => kind.folder === folder) ?? KINDS[0];
}

/** The files of a kind in the order in which they begin. */
export function inOrder({ longest }: Kind, files: readonly string[]): string[] {
  const rank = (file: string): number => {
    const at = longest.indexOf(basename(file, '.test.ts'));
    return at < 0 ? longest.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
