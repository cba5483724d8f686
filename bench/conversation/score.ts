// Judges one take by the audio on the wire and by the text that the agent understood.

import { FRAME_MS } from '../../media/frame.ts';
import { LANGUAGES } from '../../models/llm/phrases/languages.ts';
import type { Cue } from '../rig/conversation/scenario-file.ts';
import { type ModelRequest, PROMPT, type SpokenClip } from '../rig/conversation/script.ts';
import { WORD_SHARE } from '../rig/fakes/marked-words.ts';
import { AgentTrack } from './agent-track.ts';
import type { PlayedCue, Take } from './play.ts';
import { wordsOf } from './timing.ts';

export interface Score {
  scenario: string;
  seed: number;
  /** Caller's last packet → agent's first sound, for finished turns with a model of usual speed. */
  gapsMs: number[];
  turns: number;
  unanswered: number;
  /** Pauses within a turn, and those in which the agent began to speak. */
  unfinished: number;
  cutOffs: number;
  /** Caller's onset → first silent or ducked packet, while the agent was speaking. */
  yieldsMs: number[];
  /** Caller's onset → first silent packet. */
  silencesMs: number[];
  /** The same from the time at which the recogniser gave the first word; empty where it gives none meanwhile. */
  afterWordMs: number[];
  interruptions: number;
  /** Sounds over the agent that should not stop it, and those at which it paused or gave up the rest. */
  asides: number;
  falseYields: number;
  falseStops: number;
  duckedMs: number;
  /** Words that the agent should have spoken completely, and those of which the caller heard less than half. */
  agentWords: number;
  agentWordsLost: number;
  /** Words that the caller heard twice, because the agent fell silent in one and went on. */
  agentWordsRepeated: number;
  /** Words of the caller, and those missing in its turns. */
  callerWords: number;
  callerWordsLost: number;
  /**
   * Other differences from the scenario: more `answers` than turns, `turns` split or joined, `prompts`, `transferred`,
   * `left` by the agent.
   */
  unexpected: string[];
  /** Frames of a reply heard after its interruption and the following silence. */
  staleFrames: number;
  requests: number;
  failure: string | null;
  /** The events of the take, one line each. */
  timeline: string[];
}

/** Said between the groups of a number. */
const ACKNOWLEDGEMENTS: ReadonlySet<string> = new Set(Object.values(LANGUAGES).map(({ call }) => call.groupHeard));
/** A pause of the agent within this time after an aside counts as caused by it. */
const ASIDE_TAIL_MS = 1_000;
const YIELD_WITHIN_MS = 2_500;
/** A turn that begins within this time after the agent's last sound began over its reply. */
const TURN_OVER_REPLY_MS = 300;

export interface Evidence {
  /** All speech that the agent's voice has rendered in this run. */
  speech: readonly SpokenClip[];
  /** All replies of all scenarios of this run. */
  script: readonly string[];
  greeting: string;
  /** The text that the agent understood, one a turn; null if unknown. */
  heardTurns: readonly string[] | null;
  /** Requests to the model in this call. */
  requests: readonly ModelRequest[];
  /** From the frame that tells the recogniser a word to the word; null where no words come while they are spoken. */
  wordDelayMs: number | null;
}

export function scoreTake(take: Take, evidence: Evidence): Score {
  const { speech, script, greeting, heardTurns, requests, wordDelayMs } = evidence;
  const { scenario, cues } = take;
  const texts = [greeting, PROMPT, ...scenario.replies.map(({ say }) => say)];
  // A text that is in no script is the engine's own: a fallback, a goodbye.
  const isScripted = (text: string): boolean => script.some((each) => each.includes(text));
  const clips = speech.filter(({ text }) => texts.some((each) => each.includes(text)) || !isScripted(text));
  const track = new AgentTrack(take, clips);
  const expected = take.failure === null ? words(scenario.expectedTurns.join(' ')) : [];
  const interruptions = cues.filter(
    ({ cue, startMs }) => cue.role === 'interruption' && track.clipAt(startMs) !== null,
  );
  const silences = interruptions.flatMap((played) => {
    const atMs = track.silenceAfter(played.startMs, played.startMs + YIELD_WITHIN_MS);
    return atMs === null ? [] : [{ atMs, played }];
  });
  const score = {
    scenario: scenario.name,
    seed: take.seed,
    ...scoreTurns(take, track),
    ...scorePauses(take, track),
    yieldsMs: interruptions.map((each) => yieldOf(each, track)).filter((each) => each !== null),
    silencesMs: silences.map(({ atMs, played }) => atMs - played.startMs),
    afterWordMs: silences.flatMap(({ atMs, played }) => {
      const wordMs = wordDelayMs === null ? null : firstWordMs(played);
      return wordDelayMs === null || wordMs === null ? [] : [atMs - wordMs - wordDelayMs];
    }),
    interruptions: interruptions.length,
    ...scoreAsides(take, track, texts),
    ...agentWords(take, track, texts),
    callerWords: heardTurns === null ? 0 : expected.length,
    callerWordsLost: heardTurns === null ? 0 : expected.length - commonWords(expected, words(heardTurns.join(' '))),
    unexpected: surprises(take, track, heardTurns),
    staleFrames: interruptions.reduce((sum, each) => sum + staleAfter(each, track, texts), 0),
    requests: requests.length,
    failure: take.failure,
  };
  const timeline = timelineOf(take, track, heardTurns ?? requests.at(-1)?.turns ?? []);
  return { ...score, timeline: [...timeline, `         judged: ${verdictOf(score)}`] };
}

/** The faults of a take, in words. */
function verdictOf(score: Omit<Score, 'timeline'>): string {
  const counts: Array<[what: string, count: number]> = [
    ['cut-offs', score.cutOffs],
    ['false yields', score.falseYields],
    ['interruptions without silence', score.interruptions - score.silencesMs.length],
    ["of the agent's words lost", score.agentWordsLost],
    ["of the caller's words lost", score.callerWordsLost],
    ['unanswered', score.unanswered],
  ];
  const wrong = counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  return [...wrong, ...score.unexpected.map((what) => `unexpected ${what}`)].join(', ') || 'as it should be';
}

function scoreTurns({ scenario, cues }: Take, track: AgentTrack): Pick<Score, 'gapsMs' | 'turns' | 'unanswered'> {
  const usual = scenario.firstTokenMs === null && scenario.refusals === 0;
  const turns = cues.filter(({ cue }) => cue.role === 'turn' || cue.role === 'interruption');
  const gapsMs: number[] = [];
  let unanswered = 0;
  for (const turn of turns) {
    const next = cues.find(({ startMs, cue }) => startMs > turn.startMs && cue.role !== 'aside');
    const answer = answersIn(track, turn.endMs)[0];
    if (answer === undefined || (next !== undefined && answer > next.startMs)) unanswered++;
    else if (usual && turn.cue.role === 'turn' && turn.cue.action.kind === 'say') gapsMs.push(answer - turn.endMs);
  }
  return { gapsMs, turns: turns.length, unanswered };
}

/** Times at which the agent began to speak from `fromMs` on, without reminders. */
function answersIn(track: AgentTrack, fromMs: number): number[] {
  const starts = track.starts().filter(({ text }) => text !== PROMPT && !ACKNOWLEDGEMENTS.has(text));
  return starts.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs);
}

/** The agent must not begin in the pauses of a turn, in the speech after them, or while the network stalls. */
function scorePauses({ cues }: Take, track: AgentTrack): Pick<Score, 'unfinished' | 'cutOffs'> {
  const said = cues.filter(({ cue }) => isSpeech(cue) && cue.role !== 'aside');
  const windows: Array<[fromMs: number, untilMs: number]> = [];
  for (const [index, { cue, startMs }] of said.entries()) {
    const next = said[index + 1];
    if (cue.role !== 'unfinished' || next === undefined) continue;
    windows.push([startMs, next.cue.role === 'unfinished' ? next.startMs : next.endMs]);
  }
  for (const { cue, startMs } of cues) {
    const stalled = said.find((each) => each.startMs < startMs && each.endMs > startMs);
    if (cue.action.kind === 'stall' && stalled)
      windows.push([startMs, Math.max(stalled.endMs, startMs + cue.action.ms)]);
  }
  // "Okay" between two groups of a number takes no turn; over the caller it does.
  const onsets = track.onsets().filter((atMs) => !isAcknowledged(said, track, atMs));
  const cut = windows.filter(([fromMs, untilMs]) => onsets.some((atMs) => atMs >= fromMs && atMs < untilMs));
  return { unfinished: windows.length, cutOffs: cut.length };
}

/** The agent says that a group was heard, and nobody speaks. */
function isAcknowledged(said: readonly PlayedCue[], track: AgentTrack, atMs: number): boolean {
  const text = track.starts().find((start) => Math.abs(start.atMs - atMs) <= FRAME_MS)?.text ?? '';
  return ACKNOWLEDGEMENTS.has(text) && !said.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
}

function isSpeech({ action }: Cue): boolean {
  return action.kind === 'say' || action.kind === 'press';
}

function surprises(take: Take, track: AgentTrack, heard: readonly string[] | null): string[] {
  const { scenario, cues, wasLeft, wasTransferred } = take;
  const starts = track.starts();
  const prompts = starts.filter(({ text }) => text === PROMPT).length;
  const firstClauses = scenario.replies.filter(
    ({ say }, index, all) => all.findIndex((each) => each.say === say) === index,
  );
  const answers = starts.filter(({ text }) => firstClauses.some(({ say }) => say.startsWith(text))).length;
  const turns = cues.filter(({ cue }) => cue.role === 'turn' || cue.role === 'interruption').length;
  const differs = {
    answers: answers > turns,
    turns: heard !== null && heard.length !== scenario.expectedTurns.length,
    prompts: prompts !== scenario.expectedPrompts,
    transferred: wasTransferred !== scenario.isTransferred,
    left: wasLeft && !scenario.isTransferred,
  };
  return Object.entries(differs)
    .filter(([, isSo]) => isSo)
    .map(([what]) => what);
}

/** When the frame was sent with which a recogniser knows the first word; null where no words are said. */
function firstWordMs({ cue: { action }, startMs, endMs }: PlayedCue): number | null {
  const [first] = action.kind === 'say' ? wordsOf(action.text, Math.round((endMs - startMs) / FRAME_MS) + 1) : [];
  return first === undefined ? null : startMs + (Math.ceil((first.to - first.from) * WORD_SHARE) - 1) * FRAME_MS;
}

function yieldOf({ startMs }: PlayedCue, track: AgentTrack): number | null {
  const atMs = track.yieldAfter(startMs, startMs + YIELD_WITHIN_MS);
  return atMs === null ? null : atMs - startMs;
}

type AsideScore = Pick<Score, 'asides' | 'falseYields' | 'falseStops' | 'duckedMs'>;

/**
 * Judges each aside over the agent's voice; endless noise and echo count once for each text of the agent. A false
 * yield: the agent pauses, or gives up the rest of a reply that was not interrupted.
 */
function scoreAsides(take: Take, track: AgentTrack, texts: readonly string[]): AsideScore {
  const score: AsideScore = { asides: 0, falseYields: 0, falseStops: 0, duckedMs: 0 };
  const turns = take.cues.filter(({ cue }) => cue.role !== 'aside');
  const count = (text: string, fromMs: number, untilMs: number): void => {
    const clips = clipsOf(track, text);
    const ended = track.spanOf(clips)?.endMs ?? untilMs;
    const isStopped =
      wordsHeard(track, text).some((isHeard) => !isHeard) &&
      !turns.some(({ startMs }) => startMs > fromMs && startMs < ended + TURN_OVER_REPLY_MS);
    const isPaused = track.holes.some(({ startMs }) => startMs >= fromMs && startMs <= untilMs);
    score.asides++;
    if (isPaused || isStopped) score.falseYields++;
    if (isStopped) score.falseStops++;
    score.duckedMs += track.duckedMs(fromMs, untilMs);
  };
  for (const { cue, startMs, endMs } of take.cues) {
    const isSound = cue.action.kind === 'say' || cue.action.kind === 'sound';
    const clip = track.clipAt(startMs);
    if (cue.role !== 'aside' || !isSound || clip === null) continue;
    const text = texts.find((each) => each.includes(track.clips[clip]?.text ?? '\0'));
    if (text !== undefined) count(text, startMs, endMs + ASIDE_TAIL_MS);
  }
  if (take.scenario.background === null && take.scenario.echo === null) return score;
  for (const text of texts) {
    const span = track.spanOf(clipsOf(track, text));
    if (span === null) continue;
    // The silence that answers an interruption is none that the noise has made.
    const until = span.endMs + ASIDE_TAIL_MS;
    const turn = turns.find(({ startMs }) => startMs > span.startMs && startMs < until);
    count(text, span.startMs, turn?.startMs ?? until);
  }
  return score;
}

/** Clips of the same reply, or of the greeting. */
function clipsOf(track: AgentTrack, text: string): Set<number> {
  return new Set([...track.clips.keys()].filter((index) => text.includes(track.clips[index]?.text ?? '\0')));
}

function agentWords(
  take: Take,
  track: AgentTrack,
  texts: readonly string[],
): Pick<Score, 'agentWords' | 'agentWordsLost' | 'agentWordsRepeated'> {
  let [agentWords, agentWordsLost, agentWordsRepeated] = [0, 0, 0];
  for (const text of texts) {
    const clips = clipsOf(track, text);
    const span = track.spanOf(clips);
    if (span === null) continue;
    const isOver = (played: PlayedCue): boolean =>
      played.startMs > span.startMs && played.startMs < span.endMs + TURN_OVER_REPLY_MS;
    if (take.cues.some((played) => played.cue.role !== 'aside' && isOver(played))) continue;
    const heard = wordsHeard(track, text);
    agentWords += heard.length;
    agentWordsLost += heard.filter((each) => !each).length;
    agentWordsRepeated += [...clips].reduce((sum, clip) => sum + track.wordsRepeated(clip), 0);
  }
  return { agentWords, agentWordsLost, agentWordsRepeated };
}

/** For each word of the reply, whether it came through in one of its clauses. */
function wordsHeard(track: AgentTrack, text: string): boolean[] {
  const heard = new Array<boolean>(spacedWords(text).length).fill(false);
  for (const clip of clipsOf(track, text)) {
    const first = spacedWords(text.slice(0, text.indexOf(track.clips[clip]?.text ?? ''))).length;
    for (const [index, isHeard] of track.wordsHeard(clip).entries()) if (isHeard) heard[first + index] = true;
  }
  return heard;
}

const spacedWords = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** After the first hole caused by an interruption, no audio of that reply may follow. */
function staleAfter({ startMs }: PlayedCue, track: AgentTrack, texts: readonly string[]): number {
  const clip = track.clipAt(startMs);
  const said = clip === null ? undefined : track.clips[clip]?.text;
  const text = said === undefined ? undefined : texts.find((each) => each.includes(said));
  const hole = track.holes.find((each) => each.startMs >= startMs && each.startMs <= startMs + YIELD_WITHIN_MS);
  return text === undefined || hole === undefined ? 0 : track.framesOf(clipsOf(track, text), hole.startMs);
}

function timelineOf(take: Take, track: AgentTrack, heardTurns: readonly string[]): string[] {
  const lines = track.changes();
  for (const { cue, startMs, endMs } of take.cues) {
    const { action } = cue;
    const what = action.kind === 'say' ? `"${action.text}"` : action.kind === 'sound' ? action.sound : action.kind;
    lines.push({ atMs: startMs, text: `caller begins, ${cue.role}: ${what}` }, { atMs: endMs, text: 'caller ends' });
  }
  const sorted = lines.filter(({ atMs }) => !Number.isNaN(atMs)).sort((a, b) => a.atMs - b.atMs);
  return [
    `${take.scenario.name}, seed ${take.seed}${take.failure === null ? '' : `: ${take.failure}`}`,
    ...sorted.map(({ atMs, text }) => `${String(Math.round(atMs - take.answeredAtMs)).padStart(8)} ${text}`),
    ...heardTurns.map((turn) => `         understood: "${turn}"`),
  ];
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}'@-]+/u)
    .filter(Boolean);
}

/** Length of the longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [index, other] of b.entries()) {
      next.push(word === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
