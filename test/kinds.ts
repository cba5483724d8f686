// The kinds of tests, by folder: the needs of a test decide its folder, and the folder decides when and how it runs.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';

export interface Kind {
  /** Folders below test/; none: all files outside of the folders of other kinds. */
  folders: readonly string[];
  what: string;
  /** Number of files that run at a time. */
  concurrency: number;
  /** As many while the machine has time for them; where it is missing, no more. */
  most?: number;
  /** Whether all files share that many processes: they leave nothing behind except their results. */
  shared: boolean;
  /** The names of the files that begin first, in this order: none that takes long ends long after all others. */
  first: readonly string[];
}

const cores = availableParallelism();

/** In the order in which they run. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  {
    folders: [],
    what: 'the loop: no whole service, no browser, no foreign program',
    concurrency: cores + 3,
    shared: true,
    first: ['files', 'place', 'after-call-queue'],
  },
  {
    folders: ['wide'],
    what: 'as the loop, over every operation, carrier, server, document or limit: what a change reaches, and all',
    concurrency: cores + 2,
    shared: true,
    first: ['contract', 'openapi', 'dispatcher'],
  },
  {
    folders: ['speech'],
    what: 'real recognisers, voices and detectors of speech, loaded',
    concurrency: cores,
    shared: true,
    first: ['flite'],
  },
  {
    folders: ['long'],
    what: 'storms, floods, fuzzers, real recognisers, runs of the tools, deadlines in real time',
    concurrency: cores,
    most: cores + 3,
    shared: false,
    first: [
      'soundswallower',
      'shard',
      'call-storm',
      'cost-measurement',
      'business-helpers',
      'sites',
      'document-sources',
      'socket',
      'amd',
      'resumed-sessions',
    ],
  },
  {
    folders: ['peers', 'service/api'],
    what: 'against sipp, baresip, Kamailio, docker-compose and other programs; whole services that nobody calls',
    concurrency: 3,
    most: 7,
    shared: false,
    first: ['moved-calls', 'cluster', 'postgres-service', 'moved-people', 'nat', 'first-run', 'admin-cli'],
  },
  // Whole services mostly wait for the wire, and a busy machine would starve speech synthesis, which has the lowest
  // priority. Six that begin at once fill two cores, and calls lose words.
  {
    folders: ['service'],
    what: 'whole services, called over SIP',
    concurrency: 3,
    most: 8,
    shared: false,
    first: [
      'briefed-refusals',
      'simulations',
      'canary',
      'resumed-transfer',
      'transfer',
      'briefed',
      'calls',
      'tools',
      'conformance',
      'model-settings',
      'live-calls',
      'disk',
      'dark-peers',
      'threads',
      'knowledge',
      'crash-loop',
      'engines',
      'upgrade',
      'openai',
      'live-crash',
      'kill',
      'outbound',
      'live-transfer',
      'resumed-browser',
      'speech-to-speech',
      'languages',
      'booking',
      'live-people',
      'recovery',
    ],
  },
  {
    folders: ['hostile'],
    what: 'a whole service under attack, and everybody else beside it',
    concurrency: 2,
    shared: false,
    first: ['tenants'],
  },
  {
    folders: ['browser'],
    what: 'the dashboard of a whole service in Chromium',
    concurrency: 4,
    most: 6,
    shared: false,
    // The pages take three times as long as any other file; somebody speaks in the next two.
    first: ['pages-used', 'calls', 'bad-line', 'pages', 'forms', 'sign-in', 'setup'],
  },
];

export function kindOf(file: string): Kind {
  return KINDS.find(({ folders }) => folders.some((folder) => file.startsWith(`test/${folder}/`))) ?? KINDS[0];
}

/** Whether its tests wait for nothing but the processor, start nothing, and share processes. */
export const isQuick = (kind: Kind): boolean => kind === KINDS[0] || kind.folders.includes('wide');

export const beginsFirst = ({ first }: Kind, file: string): boolean => first.includes(basename(file, '.test.ts'));

/** Of the machine, for one file of its kind. */
export const shareOf = ({ concurrency, most = concurrency }: Kind): number => 1 / most;

/** The files of a kind in the order in which they begin. */
export function inOrder({ first }: Kind, files: readonly string[]): string[] {
  const rank = (file: string): number => {
    const at = first.indexOf(basename(file, '.test.ts'));
    return at < 0 ? first.length : at;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}
