// The parts of the record: each part of the bench with a length for a record, and with a short one that only shows that
// it works.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface RecordPart {
  /** As in the record's headings and for `--only`. */
  name: string;
  /** The part of the bench. */
  bench: string;
  title: string;
  args: readonly string[];
  /** Null: left out of a quick record. */
  quickArgs: readonly string[] | null;
  /** Approximate duration, s, for the progress bar. */
  seconds: number;
  quickSeconds: number;
  /** One run is enough: its counts and decisions do not vary, or it represents hours. */
  isOnce?: boolean;
  /** The missing requirement on this machine; null: none. */
  missing?: () => string | null;
}

const program = (name: string, hint: string) => (): string | null =>
  spawnSync(name, ['-v']).error ? `${name} is not installed (${hint})` : null;

const pinned = (): string | null =>
  program('cc', 'Debian: apt-get install gcc')() ?? program('taskset', 'Debian: apt-get install util-linux')();

const peers = (): string | null =>
  existsSync(new URL('../peers/node_modules', import.meta.url))
    ? null
    : 'the peers are not installed (npm --prefix bench/peers install)';

const recordings = (): string | null =>
  existsSync('../shared/speech/manifest.jsonl')
    ? null
    : 'there are no recordings of people in ../shared/speech (docs/callers.md)';

const weights = (): string | null =>
  process.env.WEIGHTS === undefined
    ? 'WEIGHTS names no folder of weights (npm run bench -- local-engines --help)'
    : null;

const part = (
  name: string,
  title: string,
  full: { args: string; seconds: number },
  quick: { args: string; seconds: number } | null,
  more: Pick<RecordPart, 'isOnce' | 'missing'> & { bench?: string } = {},
): RecordPart => ({
  name,
  bench: more.bench ?? name,
  title,
  args: words(full.args),
  quickArgs: quick === null ? null : words(quick.args),
  seconds: full.seconds,
  quickSeconds: quick?.seconds ?? 0,
  ...more,
});

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

export const RECORD_PARTS: readonly RecordPart[] = [
  part(
    'turn-latency',
    'Turn overhead and response gap',
    { args: '--turns 10', seconds: 270 },
    { args: '--turns 2', seconds: 70 },
  ),
  part('barge-in', 'Barge-in', { args: '--rounds 6', seconds: 180 }, { args: '--rounds 1', seconds: 60 }),
  part('pacing', 'Pacing', { args: '', seconds: 120 }, { args: '--seconds 4', seconds: 60 }),
  part(
    'capacity',
    'Calls a core',
    {
      args: '--calls 1,20,60,100,140,160,200,240 --seconds 15 --turns 16 --warmup 15',
      seconds: 600,
    },
    { args: '--calls 20,60 --seconds 5 --turns 6 --warmup 5 --offer 0', seconds: 55 },
    { missing: pinned },
  ),
  part(
    'capacity-raw',
    'Calls a core, however late it is',
    { args: '--raw --calls 1,100,120,140,160,180,200,220 --seconds 15 --turns 16 --warmup 15 --offer 0', seconds: 360 },
    null,
    { bench: 'capacity', isOnce: true, missing: pinned },
  ),
  part(
    'capacity-loss',
    "Calls a core, 1 % of the callers' packets lost",
    { args: '--loss 1 --calls 1,60,80,100,120,140 --seconds 15 --turns 16 --warmup 15 --offer 0', seconds: 240 },
    null,
    { bench: 'capacity', isOnce: true, missing: pinned },
  ),
  part(
    'capacity-srtp',
    'Calls a core, encrypted (TLS and SRTP)',
    { args: '--srtp --calls 1,60,80,100,120,140 --seconds 15 --turns 16 --warmup 15 --offer 0', seconds: 240 },
    null,
    { bench: 'capacity', isOnce: true, missing: pinned },
  ),
  part('hold', 'Calls held for ten minutes', { args: '', seconds: 680 }, null, { isOnce: true, missing: pinned }),
  part(
    'engines',
    'Remote recognisers and voices',
    { args: '--turns 4 --seconds 10', seconds: 100 },
    { args: '--turns 1 --sockets 10 --seconds 3', seconds: 60 },
  ),
  part(
    'local-engines',
    'Local engines with real weights',
    { args: '', seconds: 900 },
    // Loading the weights takes longer than a quick record may.
    null,
    { isOnce: true, missing: weights },
  ),
  part('codecs', 'Voice codecs', { args: '', seconds: 60 }, { args: '--seconds 5', seconds: 10 }),
  part(
    'vad',
    'Detecting speech',
    { args: '--rounds 2', seconds: 100 },
    { args: '--rounds 1', seconds: 60 },
    { missing: peers },
  ),
  part(
    'api',
    'API: lists and writes',
    { args: '--seconds 1', seconds: 240 },
    { args: '--calls 20000 --baseline 2000 --seconds 0.2', seconds: 70 },
  ),
  part(
    'campaign-scale',
    'Campaigns at scale',
    { args: '--seconds 12', seconds: 200 },
    { args: '--contacts 30000 --campaigns 100 --seconds 1', seconds: 60 },
  ),
  part(
    'sockets',
    'The WebSocket port',
    { args: '--seconds 10 --rounds 2', seconds: 60 },
    { args: '--streams 100 --seconds 3 --rounds 1', seconds: 15 },
  ),
  part('outbound', 'Placing calls', { args: '', seconds: 40 }, { args: '--calls 30', seconds: 15 }),
  part('webhooks', 'Webhooks', { args: '', seconds: 60 }, { args: '--events 200 --seconds 3', seconds: 25 }),
  part('start', 'Start', { args: '--runs 3', seconds: 30 }, { args: '--runs 1', seconds: 10 }),
  part('flood', "Strangers' packets", { args: '--seconds 10', seconds: 40 }, { args: '--seconds 4', seconds: 20 }),
  part(
    'soak',
    'Memory',
    { args: '', seconds: 560 },
    { args: '--calls 400', seconds: 30 },
    { isOnce: true, missing: program('sipp', 'Debian: apt-get install sip-tester') },
  ),
  part('erasure', 'Erasing old calls', { args: '', seconds: 300 }, null, { isOnce: true }),
  part('conversation', 'Scenarios', { args: '--takes 2', seconds: 1_200 }, null, { isOnce: true }),
  part('peers', 'Beside a peer', { args: '', seconds: 1_500 }, null, { isOnce: true, missing: peers }),
  part('peers-capacity', 'Calls a core beside a peer', { args: '--capacity', seconds: 600 }, null, {
    bench: 'peers',
    isOnce: true,
    missing: peers,
  }),
  part('callers', 'Turn ends on people', { args: '--calls 4', seconds: 420 }, null, {
    isOnce: true,
    missing: recordings,
  }),
  part('words', 'Single words of people', { args: '--each 10', seconds: 900 }, null, {
    isOnce: true,
    missing: recordings,
  }),
  part('amd', 'Answering machines', { args: '', seconds: 300 }, null, { isOnce: true }),
  part('denoise', 'Noise suppression', { args: '', seconds: 120 }, null, { isOnce: true }),
  part(
    'fuzz',
    'Hostile requests',
    { args: '', seconds: 300 },
    { args: '--requests 1000', seconds: 15 },
    { isOnce: true },
  ),
  part('kill', 'Killed processes', { args: '', seconds: 900 }, { args: '--kills 2', seconds: 25 }, { isOnce: true }),
  part('faults', 'Faults', { args: '', seconds: 600 }, null, {
    isOnce: true,
    missing: () =>
      program('faketime', 'Debian: apt-get install faketime')() ??
      program('strace', 'Debian: apt-get install strace')(),
  }),
];
