// `npm run bench [-- NAME …]`: runs one part of the bench, or all of them in turn.
import { globSync } from 'node:fs';
import type { Part } from './rig/part.ts';

/** This part runs the other parts. */
const RECORD = 'record';
/** This one measures another version too, which has to be named where there is no tag. */
const GUARD = 'guard';
const APART: readonly string[] = [RECORD, GUARD];

const PARTS: Record<string, string> = {
  'turn-latency': 'turn overhead on the wire, at 1 and at 20 calls; response gap with typical models',
  conversation: 'scenarios over real SIP: gaps, cut-offs, false yields, words lost',
  varied: 'takes from a grammar of events in seven languages: the same figures, with their intervals',
  callers: 'recordings of people over SIP: turns cut off and gaps, beside a stop-watch on the same recordings',
  words: 'single words of people over SIP, to the built-in engines: how they are told, and whether “stop” stops',
  people: 'take-over to the agent’s silence, a listener’s delay, what listeners cost',
  bridge: 'a person accepts a caller: from their key to the sound of each side at the other one',
  'barge-in': 'caller speaks over the agent: when its sound stops, and that nothing stale follows',
  codecs: 'processor time that each voice codec takes for a frame',
  capacity: 'calls that one core carries with instant models, by thread and memory; and what happens beyond',
  hold: 'calls on one core, held for minutes or hours: whether anything drifts',
  pacing: "inter-packet time of the agent's audio by the kernel's clock",
  api: 'GET /calls over 1,000,000 calls',
  erasure: 'GET /calls while the nightly sweep erases 100,000 calls',
  'speech-to-speech':
    'a model that hears and speaks itself: gap, interruption, and the cascade once its socket is dead',
  engines: 'remote recognisers and voices: what we add to them, 100 sockets, pacing',
  'local-engines': 'engines with real weights on this machine: calls at once in time, gaps, memory',
  denoise: 'noise suppression: what it gains and costs',
  webhooks: 'deliveries a second; call end to receipt while one receiver hangs',
  kill: 'engine, API or both killed with -9 at random moments under load',
  resume: 'conversations go on while their engine is killed again and again: what callers hear of it',
  faults: 'clock, disk, lock, threads and peers fail under load; what was promised is examined after each',
  fuzz: 'broken and hostile requests against every route of a running API',
  amd: 'answering machine detection over a generated, labelled set',
  sockets: 'the WebSocket port: processor time of 400 streams by ws and by uWebSockets.js',
  webrtc: 'browser calls by WebRTC beside their socket: processor time a call, and how even frames arrive',
  'webrtc-line': 'the same sentences by SIP and by WebRTC, on a good line and on a bad one: words that were misheard',
  'campaign-scale': 'a million contacts in one campaign, a thousand campaigns: import, pages, dialler',
  postgres: 'PostgreSQL with a million calls and a million contacts: carrying over, lists, claims',
  fleet: 'many engines without audio on one PostgreSQL: claims, ends a second, kills',
  cluster: 'several engines and APIs on one PostgreSQL: placed calls, webhooks, engines that are killed',
  partitions: 'an experiment: a year of calls in one table of PostgreSQL, and in a table a month',
  'cluster-drills': 'what is promised when an API, the database or the way to it fails, and at an upgrade of engines',
  outbound: 'POST /calls accepted to INVITE on the wire',
  flood: "strangers' SIP packets by the thousand a second, and a caller beside them",
  hostile: 'attacks by strangers and tenants, and what everybody else notices',
  knowledge: 'how well callers’ questions find their passages in documents',
  tools: 'what a tenant’s tool costs beside its system, and how long documents are searched',
  start: 'npm start to the ready line',
  soak: 'memory over 20,000 short calls',
  memory: 'what an installation with its own engines keeps in memory: at rest, with ten calls, and after them',
  peers: 'the pipeline of @livekit/agents beside ours: gaps, barge-in, the scenarios, calls a core',
  [GUARD]: 'start, memory, a page, a turn and pacing beside the last release, in turns: which of them has been lost',
  [RECORD]: 'all of them several times over, and bench/RECORD.md from their results',
  voice: 'how many words of a set of sentences a recogniser mishears, by category, for each voice',
  vad: 'speech detection a core: ours, the silero plug-in of @livekit/agents, vad-node; and whether they agree',
};

const USAGE = `usage: npm run bench                 every part
       npm run bench -- NAME [ARG…]  one part
${Object.entries(PARTS)
  .map(([name, what]) => `  ${name.padEnd(15)} ${what}`)
  .join('\n')}`;

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || name === 'help') {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
if (name !== undefined && !(name in PARTS)) {
  process.stderr.write(`there is no part "${name}"\n${USAGE}\n`);
  process.exit(2);
}
for (const part of name === undefined ? Object.keys(PARTS).filter((part) => !APART.includes(part)) : [name]) {
  const [file] = globSync(`parts/{*/,}${part}.ts`, { cwd: import.meta.dirname });
  if (file === undefined) throw new Error(`there is no ${part}.ts in bench/parts`);
  const loaded: { default: Part } = await import(new URL(file, import.meta.url).href);
  if (!args.includes('--help')) process.stdout.write(`\n== ${part}: ${PARTS[part]}\n`);
  await loaded.default(part, args);
}
process.exit(0);
