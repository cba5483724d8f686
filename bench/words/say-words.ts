// Calls of the words bench: a word said while the agent is silent, and what the model was told of it; a word said over
// the agent's greeting, and when the agent fell silent.
import { Caller, pause } from '../rig/conversation/scenario.ts';
import type { ScriptFolder } from '../rig/conversation/script.ts';
import type { SpokenWord } from './spoken-words.ts';

const FRAME_MS = 20;
/** The agent has finished: longer than any pause within a reply. */
const QUIET_MS = 600;
/** For an answer, or none: a word that was dropped as noise gets none. */
const PATIENCE_MS = 4_000;
/** From the greeting's first sound to the word's. */
const OVER_AFTER_MS = 1_500;
/** The caller listens for so long after the word's onset. */
const LISTENS_MS = 4_500;
/** It has yielded if it says next to nothing at the end of that time: an answer is shorter than the greeting. */
const LAST_MS = 1_000;
const LAST_SOUND_MS = 200;
/** Longer than a gap within the greeting. */
const GAP_MS = 200;
/** The agent answers "Yes?" as soon as this after its silence; a gap within a word is shorter. */
const ANSWER_GAP_MS = 120;
const ANSWER_MS = 600;

const UNCLEAR = '[unclear] ';

/** Of a word while the agent is silent. */
export interface Told {
  word: SpokenWord;
  /** The model's text of it; null: nobody was told. */
  text: string | null;
  /** It was marked as not understood. */
  isUnclear: boolean;
  /** The agent answered without its model: "Yes?" to a plea for silence, or it asked again. */
  isOwnAnswer: boolean;
}

/** Of a word over the agent's voice, ms from the word's onset. */
export interface Yielded {
  word: SpokenWord;
  /** Null: the agent went on. */
  silentMs: number | null;
  /** As `Told`; null: the model was asked for nothing. */
  told: string | null;
}

interface Scene {
  sipAddress: string;
  folder: ScriptFolder;
  /** The caller's number, by which the model's requests are found. */
  number: string;
}

const toldSince = (folder: ScriptFolder, number: string, from: number): string | null =>
  folder
    .requests()
    .filter((request) => request.number === number)
    .at(-1)
    ?.turns.slice(from)
    .at(-1) ?? null;

/** Says the words in one call, each when the agent has finished. */
export async function sayInTurn(
  { sipAddress, folder, number }: Scene,
  words: readonly SpokenWord[],
  onTold: (told: Told) => void,
): Promise<void> {
  const caller = new Caller(sipAddress, 0, 'demo', { from: number });
  try {
    await caller.answered();
    for (const word of words) {
      await caller.agentQuiet(QUIET_MS);
      await pause(300);
      const turns = folder.requests().findLast((request) => request.number === number)?.turns.length ?? 0;
      const saidAt = performance.now();
      await caller.call.speak(word.samples);
      const isAnswered = (): boolean => caller.frames.some(({ isSound, atMs }) => isSound && atMs >= saidAt);
      await caller.until('an answer', isAnswered, PATIENCE_MS).catch((error: unknown) => {
        if (caller.ended) throw error;
      });
      const text = toldSince(folder, number, turns);
      const isUnclear = text?.startsWith(UNCLEAR) ?? false;
      const isOwnAnswer = text === null && isAnswered();
      onTold({ word, text: isUnclear ? (text ?? '').slice(UNCLEAR.length) : text, isUnclear, isOwnAnswer });
    }
  } finally {
    await caller.hangUp();
  }
}

/** Says the word over the greeting of one call. */
export async function sayOver({ sipAddress, folder, number }: Scene, word: SpokenWord): Promise<Yielded> {
  const caller = new Caller(sipAddress, 0, 'demo', { from: number });
  try {
    await caller.answered();
    const greetedAt = await caller.agentSound(0);
    const startMs = greetedAt + OVER_AFTER_MS - word.startFrame * FRAME_MS;
    await pause(Math.max(0, startMs - performance.now()));
    let onsetMs = Number.NaN;
    await caller.call.speak(word.samples, {
      onStart: (atMs) => {
        onsetMs = atMs + word.startFrame * FRAME_MS;
      },
    });
    const untilMs = onsetMs + LISTENS_MS;
    await pause(Math.max(0, untilMs - performance.now()));
    const sounds = caller.frames.filter(({ isSound }) => isSound).map(({ atMs }) => atMs);
    return { word, silentMs: silentAfter(sounds, onsetMs, untilMs), told: toldSince(folder, number, 0) };
  } finally {
    await caller.hangUp();
  }
}

/**
 * From the word's onset to the agent's silence, which may end with an answer; null where it went on.
 * @param sounds times of the agent's packets with sound @param untilMs until when it was listened to
 */
export function silentAfter(sounds: readonly number[], onsetMs: number, untilMs: number): number | null {
  const last = sounds.filter((atMs) => atMs >= untilMs - LAST_MS).length * FRAME_MS;
  if (last > LAST_SOUND_MS) return null;
  const after = [onsetMs, ...sounds.filter((each) => each >= onsetMs), untilMs];
  const gapAt = (index: number): number => (after[index + 1] ?? untilMs) - (after[index] ?? untilMs);
  const ends = after.map((_, index) => index).filter((index) => gapAt(index) >= GAP_MS || index === after.length - 1);
  const [end = after.length - 1] = ends;
  const answered = after.findIndex(
    (atMs, index) => index < end && gapAt(index) >= ANSWER_GAP_MS && (after[end] ?? untilMs) - atMs <= ANSWER_MS,
  );
  const lastMs = after[answered < 0 ? end : answered] ?? untilMs;
  return lastMs - onsetMs;
}
