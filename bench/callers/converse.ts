// A call in which recordings of one person are a caller's turns, each said when the agent has finished; and what the
// caller heard of it.
import { FRAME_MS } from '../../media/frame.ts';
import { Caller } from '../rig/conversation/scenario.ts';
import type { ScriptFolder } from '../rig/conversation/script.ts';
import { MAX_MARKED_FRAMES, writeMark } from '../rig/conversation/watermark.ts';
import type { NotedTool } from './noted-tool.ts';
import type { CallerTurn } from './recordings.ts';

/** The agent has finished: longer than any pause within a reply. */
const QUIET_MS = 600;
const PATIENCE_MS = 10_000;
/** The caller thinks. */
const PAUSE_MS = 400;
/** A gap in the agent's sound that ends what it was saying when the caller went on. */
const STOPPED_MS = 200;

export interface HeardTurn {
  turn: CallerTurn;
  /** From the last word to the first sound of the agent, ms; null: it was cut, or nobody answered. */
  gapMs: number | null;
  /** The pause in which the agent began to speak; null: in none. */
  cutIn: { from: number; to: number } | null;
  /** The agent spoke before the last word. */
  wasCut: boolean;
  /** The model was told it in the end as one turn of the caller. */
  isWhole: boolean;
  /** The words that the model was told of it, all turns that it became. */
  told: string;
  /** Of a cut turn: from the agent's first sound to the caller's next one, ms; else null. */
  goesOnAfterMs: number | null;
  /** Of a cut turn: from the caller's next sound to the agent's silence, ms; null: it had stopped before. */
  overMs: number | null;
  /** How often the model's tool ran before the caller's last word; null: it has none. */
  toolsBeforeEnd: number | null;
}

/** By what the caller heard alone. */
type Judged = Omit<HeardTurn, 'isWhole' | 'told' | 'toolsBeforeEnd'>;

interface Conversation {
  number: string;
  turns: readonly CallerTurn[];
  folder: ScriptFolder;
  /** Null: the model calls none. */
  tool: NotedTool | null;
}

let nextUtterance = 1;

/** Says all turns in one call. A turn that was played when the call broke off is left out. */
export async function converse(
  sipAddress: string,
  { number, turns, folder, tool }: Conversation,
  onHeard: (heard: HeardTurn) => void,
): Promise<void> {
  const caller = new Caller(sipAddress, 0, 'demo', { from: number });
  try {
    await caller.answered();
    await caller.agentQuiet(QUIET_MS);
    for (const turn of turns) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const before = turnsTold(folder, number).length;
      const { heard, startedAtMs, endMs } = await sayTurn(caller, turn, folder);
      const ran = tool?.runs(number).filter((atMs) => atMs >= startedAtMs && atMs < endMs).length ?? null;
      const turnsOfIt = turnsTold(folder, number).slice(before);
      onHeard({ ...heard, told: turnsOfIt.join(' '), isWhole: turnsOfIt.length === 1, toolsBeforeEnd: ran });
    }
  } finally {
    await caller.hangUp();
  }
}

/** The turns of the caller as the model was last told them. */
const turnsTold = (folder: ScriptFolder, number: string): string[] =>
  folder.requests().findLast((request) => request.number === number)?.turns ?? [];

/** With the times at which the turn began and its last word ended. */
async function sayTurn(
  caller: Caller,
  turn: CallerTurn,
  folder: ScriptFolder,
): Promise<{ heard: Judged; startedAtMs: number; endMs: number }> {
  const utterance = nextUtterance++;
  folder.writeWords(utterance, turn.words);
  let startedAtMs = Number.NaN;
  const sent = caller.call.speak(turn.samples, {
    onStart: (atMs) => {
      startedAtMs = atMs;
    },
    mark: (codes, frame) => {
      if (frame < MAX_MARKED_FRAMES) writeMark(codes, { utterance, frame });
    },
  });
  await sent;
  const at = (frame: number): number => startedAtMs + frame * FRAME_MS;
  const isHeard = (): boolean => caller.frames.some(({ isSound, atMs }) => isSound && atMs >= at(turn.endFrame));
  await caller.until('an answer', isHeard, PATIENCE_MS).catch((error: unknown) => {
    if (caller.ended) throw error;
  });
  if (isHeard()) await caller.agentQuiet(QUIET_MS);
  const sounds = caller.frames.filter(({ isSound, atMs }) => isSound && atMs >= startedAtMs).map(({ atMs }) => atMs);
  return { heard: judge(turn, sounds, at), startedAtMs, endMs: at(turn.endFrame) };
}

/** @param sounds times of the agent's packets with sound, ms @param at the time when a frame of the turn was sent */
export function judge(turn: CallerTurn, sounds: readonly number[], at: (frame: number) => number): Judged {
  const [first] = sounds;
  const endMs = at(turn.endFrame);
  if (first === undefined) return { turn, gapMs: null, cutIn: null, wasCut: false, goesOnAfterMs: null, overMs: null };
  if (first >= endMs)
    return { turn, gapMs: first - endMs, cutIn: null, wasCut: false, goesOnAfterMs: null, overMs: null };
  const next = turn.sounding.find((frame) => at(frame) >= first);
  const onMs = next === undefined ? endMs : at(next);
  return {
    turn,
    gapMs: null,
    cutIn: turn.pauses.find(({ from, to }) => at(from) <= first && first < at(to)) ?? null,
    wasCut: true,
    goesOnAfterMs: onMs - first,
    overMs: silentAfter(sounds, onMs),
  };
}

/** From `fromMs` to the last sound before a gap; null: nothing sounds there. */
function silentAfter(sounds: readonly number[], fromMs: number): number | null {
  let lastMs = fromMs - STOPPED_MS;
  let isOver = false;
  for (const atMs of sounds) {
    if (atMs < fromMs) {
      lastMs = atMs;
      continue;
    }
    if (atMs - lastMs > STOPPED_MS) break;
    lastMs = atMs;
    isOver = true;
  }
  return isOver ? lastMs - fromMs : null;
}
