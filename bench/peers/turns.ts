// Response gaps and barge-in of all contenders. They are called at the same time, one call each, so that other work of
// the machine affects all of them equally.
import { CLIP, interrupt, LONG_REPLY, THRESHOLD_MS as NO_TURN_MS, type Outcome } from '../parts/barge-in.ts';
import { SENTENCES, takeTurns } from '../parts/turn-latency.ts';
import { runTogether } from '../rig/conversation/scenario.ts';
import { type Contender, type Entry, type Models, markedClip, type Ours, withContenders } from './contenders.ts';
import { THRESHOLD_MS } from './settings.ts';
import type { Figure } from './tables.ts';

const FIXED: Ours = { kind: 'ours', name: `ours, fixed ${THRESHOLD_MS} ms`, thresholdMs: THRESHOLD_MS };
const DEFAULT: Ours = { kind: 'ours', name: 'ours, as it comes', thresholdMs: null };

const FIXED_PEER: Entry = { kind: 'peer', setting: 'fixed' };
const DEFAULT_PEER: Entry = { kind: 'peer', setting: 'default' };

interface Rounds {
  rounds: number;
  /** Of each call. */
  turns: number;
}

export interface Compared {
  figures: Figure[];
  /** Failures, and counts. */
  notes: string[];
}

async function measureGaps(
  models: Models,
  entries: readonly Entry[],
  { rounds, turns }: Rounds,
  notes: string[],
): Promise<Map<string, number[]>> {
  return withContenders(models, entries, {}, async (contenders, folder) => {
    const clips = await Promise.all(SENTENCES.map((sentence, index) => markedClip(folder, sentence, index + 1)));
    const gaps = new Map(contenders.map(({ name }) => [name, [] as number[]]));
    await callAll(contenders, rounds, async (contender, isWarmUp) => {
      const counted = isWarmUp ? [] : (gaps.get(contender.name) ?? []);
      const failures = await runTogether(1, contender.call, (caller) =>
        takeTurns(caller, isWarmUp ? 1 : turns, clips, counted),
      );
      for (const { message } of failures) notes.push(`${contender.name}, ${models} models: ${message}`);
    });
    return gaps;
  });
}

/** One call of all contenders in each round; the first round is a warm-up and does not count. */
async function callAll(
  contenders: readonly Contender[],
  rounds: number,
  run: (contender: Contender, isWarmUp: boolean) => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    await Promise.all(contenders.map((contender) => run(contender, round === 0)));
    process.stderr.write(`\rround ${round} of ${rounds} `);
  }
  process.stderr.write('\n');
}

/** From the caller's last packet to the first sound. */
export async function compareGaps(rounds: Rounds): Promise<Compared> {
  const notes: string[] = [];
  const instant = await measureGaps('instant', [FIXED, FIXED_PEER], rounds, notes);
  const typical = await measureGaps('typical', [DEFAULT, FIXED, DEFAULT_PEER, FIXED_PEER], rounds, notes);
  const figures = [
    ...figuresOf(`turn overhead, instant models (gap - ${THRESHOLD_MS} ms)`, instant, THRESHOLD_MS),
    ...figuresOf('response gap, typical models', typical, 0),
  ];
  return { figures, notes };
}

function figuresOf(figure: string, gaps: ReadonlyMap<string, readonly number[]>, minusMs: number): Figure[] {
  return [...gaps].map(([column, values]) => ({ figure, column, values: values.map((each) => each - minusMs) }));
}

const noOutcome = (): Outcome => ({ loweredMs: [], silentMs: [], staleFrames: 0, missed: 0 });

/** From the caller's first packet over the agent's voice to the first silent one. */
export async function compareBargeIns({ rounds, turns }: Rounds): Promise<Compared> {
  const notes: string[] = [];
  const entries: Entry[] = [
    { ...DEFAULT, thresholdMs: NO_TURN_MS },
    DEFAULT_PEER,
    FIXED_PEER,
    { kind: 'peer', setting: 'sensitive' },
  ];
  return withContenders('instant', entries, { FAKE_LLM_REPLY: LONG_REPLY }, async (contenders, folder) => {
    const clip = await markedClip(folder, CLIP, 1);
    const outcomes = new Map<string, Outcome>();
    for (const { name } of contenders) outcomes.set(name, noOutcome());
    await callAll(contenders, rounds, async ({ name, call }, isWarmUp) => {
      const outcome = (isWarmUp ? undefined : outcomes.get(name)) ?? noOutcome();
      const failures = await runTogether(1, call, (caller) => interrupt(caller, isWarmUp ? 1 : turns, clip, outcome));
      for (const { message } of failures) notes.push(`${name}, barge-in: ${message}`);
    });
    const figures = [...outcomes].flatMap(([column, { loweredMs, silentMs, staleFrames, missed }]) => {
      notes.push(`${column}, barge-in: ${staleFrames} stale frames, ${missed} not noticed`);
      return [
        { figure: 'barge-in, first packet that is lowered or silent', column, values: loweredMs },
        { figure: 'barge-in, first silent packet', column, values: silentMs },
      ];
    });
    return { figures, notes };
  });
}
