// The gap in a call that another process goes on with: what its caller had heard by then, and what is said when the
// line is back.
import type { CallTerminal } from '../../../db/domain/calls/outcome.ts';
import type { ConversationSettings, TranscriptEntry } from '../../../db/records/resources.ts';
import type { Phrases } from '../../../models/llm/phrases/phrases.ts';
import { isAnswer } from '../../dialogue/model-answers.ts';
import type { CallStats } from '../../shard/protocol.ts';
import type { AgentRequest } from '../../turn/machine.ts';
import type { OpenReply } from '../reports.ts';
import { isBridged, keysAgain, type TakenCall } from './continuation.ts';

interface LostWords {
  lineLost: string;
  /** Behind it, where nothing else is to be said. */
  youWereSaying: string;
  /** To a caller whose words may have been lost. */
  askAgain: string;
  /** To a caller who waits for a person. */
  stillConnecting: string;
}

/** Shorter silences are not spoken of. */
const NOTICED_MS = 400;

/** Until when the peer may have been there, ms of the call's clock, if it sends nothing from now on. */
export function lastLifeMs({ from, pulse, resumption }: TakenCall): number {
  // A browser's socket has died with its engine.
  const lastMs = from.leg === null ? resumption.atMs - resumption.gapMs : resumption.atMs;
  // A process that told nothing has heard nothing.
  return from.silentSinceMs === null || pulse?.hasHeard ? lastMs : from.silentSinceMs;
}

/** The same gap where the caller hears us again only now: a browser has to join first. `atMs`: of the call's clock. */
export function heardAgainAt(taken: TakenCall, atMs: number): TakenCall {
  const { resumption } = taken;
  const lastHeardMs = resumption.atMs - resumption.gapMs;
  return { ...taken, resumption: { ...resumption, atMs: Math.round(atMs), gapMs: Math.round(atMs - lastHeardMs) } };
}

/** A peer that hung up while there was no engine, and could tell nobody, has talked until then. */
export function withoutSilence(end: CallTerminal, taken: TakenCall | null, stats: CallStats | null): CallTerminal {
  const isSilent = end.endReason === 'media_timeout' && stats?.packetsReceived === 0;
  return isSilent && taken ? { ...end, durationMs: Math.round(lastLifeMs(taken)) } : end;
}

/** The words that were heard of each open reply. The last pulse may know of its end when the journal does not. */
export function heardOf({ from, pulse }: TakenCall): Array<{ epoch: number; heard: string }> {
  const told = [pulse?.speaking, pulse?.said];
  return from.openReplies.map(({ epoch }) => ({
    epoch,
    heard: told.find((words) => words?.epoch === epoch)?.text.trim() ?? '',
  }));
}

/** The words that were heard of the open replies, as far as `transcript`, of the time before, does not have them. */
export function heardWords(
  { from, pulse }: Pick<TakenCall, 'from' | 'pulse'>,
  transcript: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const said = from.openReplies.some(({ epoch }) => epoch === pulse?.said?.epoch) ? pulse?.said : null;
  return [said, pulse?.speaking].flatMap((words) => {
    const text = words?.text.trim() ?? '';
    if (!words || text === '') return [];
    const timestamp = Math.max(0, Math.round(words.startedAtMs));
    const isThere = transcript.some(
      (entry) => entry.speaker === 'agent' && entry.line === undefined && entry.timestamp === timestamp,
    );
    return isThere ? [] : [{ speaker: 'agent' as const, text, timestamp }];
  });
}

interface FixedTexts {
  greeting: string;
  message: string;
}

/** The agent's debt to the caller when the line is back; null: nothing. */
export function requestAfterGap(taken: TakenCall, texts: FixedTexts, words: LostWords): AgentRequest | null {
  const text = wordsAfterGap(taken, texts, words);
  if (text !== '') return { kind: 'say', text };
  return owesAnswer(taken) ? { kind: 'answer' } : null;
}

/**
 * The agent's words when the line is back: an apology, and the rest of a text that must be heard as a whole. Empty:
 * nothing.
 */
function wordsAfterGap(taken: TakenCall, { greeting, message }: FixedTexts, words: LostWords): string {
  const { state, openReplies } = taken.from;
  const machine = state.phase === 'answered' ? state.answered.machine : 'none';
  const restOf = (text: string, kind: OpenReply['cause']['kind']): string => {
    const open = openReplies.find(({ cause }) => cause.kind === kind);
    const heard = heardOf(taken).find(({ epoch }) => epoch === open?.epoch)?.heard ?? '';
    return open === undefined ? '' : unheardWords(text, heard);
  };
  if (machine === 'speaking') return restOf(message, 'requested');
  // The caller talks to a person, and the agent is out of it.
  if (machine === 'waiting' || isBridged(taken.from)) return '';
  // They are answered next.
  if (keysAgain(taken.from) !== '') return '';
  if (!isNoticed(taken)) return restOfReply(taken);
  const rest = restOf(greeting, 'opening');
  if (taken.transfer) return words.stillConnecting;
  // The result of the transfer is said next.
  if (taken.from.dialogue.pending !== null || isTransferring(taken)) return words.lineLost;
  return sentences(words.lineLost, rest === '' ? words.youWereSaying : rest);
}

/** The agent's words about the gap: as its language has them, or as the agent's settings say. */
export function lostWords(
  { lineLostWords: own }: Pick<ConversationSettings, 'lineLostWords'>,
  { lineLost, youWereSaying, stillConnecting }: Pick<Phrases['call'], 'lineLost' | 'youWereSaying' | 'stillConnecting'>,
): LostWords {
  if (own === undefined) {
    return { lineLost, youWereSaying, askAgain: sentences(lineLost, youWereSaying), stillConnecting };
  }
  return { lineLost: own, youWereSaying: '', askAgain: own.trim() === '' ? youWereSaying : own, stillConnecting };
}

const sentences = (...parts: string[]): string => parts.filter((part) => part.trim() !== '').join(' ');

/** The caller noticed that the line was gone. */
export const isNoticed = ({ resumption }: TakenCall): boolean => resumption.gapMs >= NOTICED_MS;

const isTransferring = ({ from: { state } }: TakenCall): boolean =>
  state.phase === 'answered' && state.answered.transfer.state !== 'none';

/** The caller waits for an answer of which nothing was made yet, and has not noticed that nobody makes it. */
function owesAnswer(taken: TakenCall): boolean {
  const { saying } = taken.from.dialogue;
  if (isNoticed(taken) || isBridged(taken.from)) return false;
  return taken.from.openReplies.some(({ epoch, cause }) => {
    const heard = heardOf(taken).find((reply) => reply.epoch === epoch)?.heard ?? '';
    return isAnswer(cause) && heard === '' && (saying?.epoch !== epoch || saying.text === '');
  });
}

/** The rest of whatever reply the agent was saying. */
function restOfReply(taken: TakenCall): string {
  const { saying } = taken.from.dialogue;
  const open = heardOf(taken).find(({ epoch }) => epoch === saying?.epoch);
  return saying === null || open === undefined ? '' : unheardWords(saying.text, open.heard);
}

/** Words of the caller may have been lost with a process that was listening to them, and nothing was said of it. */
export const mayHaveLostWords = (taken: TakenCall): boolean =>
  taken.pulse?.isHearing === true && !isNoticed(taken) && !isBridged(taken.from);

/** The text after as many words as were heard of it. */
function unheardWords(text: string, heard: string): string {
  const wordsOf = (of: string): string[] => of.split(/\s+/).filter((word) => word !== '');
  return wordsOf(text).slice(wordsOf(heard).length).join(' ');
}
