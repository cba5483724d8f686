// Turn overhead: from the caller's last speech frame sent to the agent's first sound received, minus a silence
// threshold that the business has chosen, with models that answer at once; and the response gap with typical models.
// Measured at the caller, and compared with the calls' own records.

import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { askTogether } from '../conversation/asking-together.ts';
import { madeText } from '../knowledge/made-text.ts';
import {
  Caller,
  type Clip,
  chooseSilenceThreshold,
  INSTANT,
  pause,
  runCallers,
  TYPICAL,
  withService,
} from '../rig/conversation/scenario.ts';
import { type Row, rowOf } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

/** Of a document. */
const PAGES = 20;
/** Pairs of calls, without documents and with them. */
const PAIRS = 6;

const USAGE = `usage: npm run bench -- turn-latency [--calls N,…] [--turns N] [--voice VOICE] [--telephony KIND] [--documents N]
                                         [--engines KIND]
  N callers at once (default 1,20), N turns each (default 12; of single callers four times as many), the callers' voice
  (default flite-slt), over embedded (default), drachtio or freeswitch: their servers must run (docs/freeswitch.md);
  eight minutes as it stands, of which the single calls take five: --turns 6 takes four;
  with N documents of ${PAGES} pages, the gap of calls that search them beside that of calls that have none, in turns;
  --engines built-in: the gap with the service's own recogniser, rules and voice, where all callers ask at the same time`;

/** Not the default, which adapts to the words. */
const THRESHOLD_MS = 500;
/** Turns of each of the single calls. */
const SHORT_CALL = 5;

export const SENTENCES = [
  'What are your opening hours today?',
  'How much does it cost?',
  'I would like to know where you are.',
  'Are you open on Sunday?',
];

/** Says one clip after the other, and notes the response gap of each. */
export async function takeTurns(caller: Caller, turns: number, clips: readonly Clip[], gaps: number[]): Promise<void> {
  await caller.agentSound(0);
  for (let turn = 0; turn < turns; turn++) {
    await caller.agentQuiet(500);
    await pause(200 + ((turn * 131) % 300));
    const clip = clips[turn % clips.length];
    if (!clip) return;
    const lastSentAt = await caller.call.speak(clip.samples, clip);
    gaps.push((await caller.agentSound(lastSentAt)) - lastSentAt);
  }
}

/** The latency of each ended call by its own record: the median of its turns, ms. */
async function ownLatencies(service: Service, calls: number): Promise<number[]> {
  const rest = new Rest(service);
  for (let attempt = 0; attempt < 50; attempt++) {
    const ended = await rest.must('GET', '/calls?limit=100');
    const latencies = ended.flatMap(({ latency }) => (latency === null ? [] : [latency.p50Ms]));
    if (latencies.length >= calls) return latencies;
    await pause(100);
  }
  throw new Error('the calls have no latency');
}

/** Response gaps of calls of a business without documents, and of one with so many, by turns. */
async function gapsByDocuments(service: Service, count: number, turns: number, clips: readonly Clip[]) {
  const rest = await new Rest(service).login();
  const [[business], [campaign]] = [await rest.must('GET', '/businesses'), await rest.must('GET', '/campaigns')];
  const fields = { name: business?.name, industry: business?.industry, timezone: business?.timezone };
  const other = await rest.must('POST', '/businesses', fields);
  const random = seededRandom(1);
  for (let i = 0; i < count; i++) {
    // The callers' own sentences find something, too.
    const text = `# Questions\n\n${SENTENCES.join(' ')}\n\n${madeText(PAGES, random)}`;
    await rest.must('POST', `/businesses/${other.id}/documents`, { name: `Manual ${i}`, kind: 'markdown', text });
  }
  const gaps = { without: [] as number[], with: [] as number[] };
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const kind of ['without', 'with'] as const) {
      const businessId = kind === 'with' ? other.id : business?.id;
      await rest.must('PATCH', `/campaigns/${campaign?.id}`, { businessId });
      const caller = new Caller(service.sipAddress, pair);
      await caller.answered();
      await takeTurns(caller, turns, clips, gaps[kind]);
      await caller.hangUp();
    }
  }
  return gaps;
}

const DEFAULTS = {
  calls: [1, 20],
  turns: 12,
  voice: 'flite-slt',
  telephony: 'embedded',
  documents: 0,
  engines: 'instant',
} as const;

export default part(USAGE, DEFAULTS, async ({ calls, turns, voice, telephony, documents, engines }) => {
  if (engines === 'built-in') return askTogether(calls, turns, voice);
  if (engines !== 'instant') refuseOption(`--engines ${engines} is none of instant, built-in`);
  const clips = await Promise.all(
    SENTENCES.map(async (sentence) => ({ samples: await renderSpeech(sentence, voice) })),
  );
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  for (const count of calls) {
    await withService({ ...INSTANT, TELEPHONY: telephony }, async (service) => {
      await chooseSilenceThreshold(service, THRESHOLD_MS);
      const gaps: number[] = [];
      // The phase between the caller's frames and the engine's ticks is constant within a call: a single call is
      // measured as several short ones.
      const [rounds, each] = count === 1 ? [Math.ceil((turns * 4) / SHORT_CALL), SHORT_CALL] : [1, turns];
      const failures: Error[] = [];
      for (let round = 0; round < rounds; round++) {
        failures.push(...(await runCallers(service, count, (caller) => takeTurns(caller, each, clips, gaps))));
      }
      const name = `turn overhead, ${count} call${count === 1 ? '' : 's'}`;
      samples[name] = gaps.map((gap) => gap - THRESHOLD_MS);
      rows.push(rowOf(name, samples[name] ?? [], 'p50 <= 30, p99 <= 60'));
      const own = await ownLatencies(service, count * rounds - failures.length);
      const ownOverheads = own.map((ms) => ms - THRESHOLD_MS);
      rows.push(rowOf('the same by the calls’ own account (median of each)', ownOverheads, 'p50 as above'));
      for (const failure of failures) process.stdout.write(`a call failed: ${failure.message}\n`);
    });
  }
  await withService({ ...TYPICAL, TELEPHONY: telephony }, async (service) => {
    const gaps: number[] = [];
    await runCallers(service, 1, (caller) => takeTurns(caller, turns, clips, gaps));
    const name = 'response gap, typical models, 1 call';
    samples[name] = gaps;
    rows.push(rowOf(name, gaps, 'p50 <= 650'));
    rows.push(rowOf('the same by the call’s own account', await ownLatencies(service, 1), 'p50 as above'));
  });
  if (documents > 0) {
    await withService(TYPICAL, async (service) => {
      const gaps = await gapsByDocuments(service, documents, turns, clips);
      rows.push(rowOf('response gap, typical models, without documents', gaps.without, 'none'));
      rows.push(rowOf(`the same, with ${documents * PAGES} pages of documents`, gaps.with, 'p50 <= 10 more'));
    });
  }
  return { title: 'Turn latency', rows, samples };
});
