// The phases in which the agent has the floor: thinking, speaking, doubting. The caller's speech is collected as
// `overheard` until it takes the floor or turns out to need no answer.
import { type InterruptionNeed, LONGEST_BACKCHANNEL_MS, takesFloor } from './barge-in.ts';
import { CLICK_MS, hearText, keepOpen } from './caller-turn.ts';
import type { TurnEvent } from './events.ts';
import { type Heard, isPending, openSegment, type Segment, STRAY_MS, voicedMsOf, withSegment } from './heard.ts';
import {
  asksToWait,
  isBackchannel,
  isRefusal,
  isSalutation,
  mayBecomeBackchannel,
  speechWords,
  startsWith,
} from './spoken.ts';
import type { Move } from './transitions.ts';
import { cut, dropAsides, endReply, missReply, next, openReply, resume, retract } from './transitions.ts';
import {
  type AgentReply,
  arm,
  askWords,
  beginSpeech,
  continueSpeech,
  disarm,
  falseAlarmsOf,
  finishSpeech,
  followDeadline,
  type InPhase,
  isArmed,
  isProtected,
  lexiconOf,
  needOf,
  noteReply,
  type Step,
  stopSpeech,
  voiceOf,
  yields,
} from './turn-context.ts';

/** A sound that has stopped may still turn out to be words within this time. A slower recogniser is not waited for. */
const DOUBT_MS = 250;
/** Before any of the reply was heard, one real word continues the caller's turn. */
const RETRACT_WORDS = 1;
/** With a recogniser that gives no text before the end of an utterance, a clear sound of this length does the same. */
const RETRACT_VOICED_MS = 300;
/** Bounds a caller who keeps going on: then the reply is spoken. */
const MAX_RETRACTIONS = 2;
/** A sound without words delays a ready reply by at most this: a radio may go on for ever. */
const HOLD_MS = 1_200;
/** After this many false alarms in a row, the first sound no longer lowers the agent's voice. */
const WARY_ALARMS = 3;
const WARY_ONSET_MS = 250;
/** A voice without words silences the agent only this long after the normal limit: "uh-huh" takes half a second. */
const SILENCE_GRACE_MS = 300;
/**
 * Where words are given while they are spoken, or asked for, the first of most encouragements comes this much later:
 * "d'accord". A server takes 150 ms and more, and has no text for a word that is half said.
 */
const WORD_GRACE_MS = 195;
/** A recogniser of phrases hears two words of a phrase in most sounds for a moment. */
const PHRASE_WORDS = 3;
/** By then a streaming recogniser has given the first word. */
const WORDLESS_MS = 800;
/** Voiced times at which the words over the agent are asked for, until some decide. */
const ASK_AT_MS = [128, 224, 352, 480, 640, 800];
/** Recognisers of whole sentences make words up of less. */
const GLIMPSE_MS = 250;
/** Few encouragements are as long, and a radio as loud is rare. */
const LIKELY_MS = 700;
/** For a voice that is farther away than this caller. */
const FAR_WORDLESS_MS = 250;
/** For another one, where words are asked for: by then a server has told whether it says "wait". */
const OTHER_ASKED_MS = 700;
/** How much longer the reply's deadline may run while the caller is heard. */
const DEADLINE_GRACE_MS = 500;

function isOfReply(event: TurnEvent, reply: AgentReply): boolean {
  switch (event.type) {
    case 'clause-queued':
    case 'audio-ready':
    case 'reply-complete':
    case 'reply-failed':
    case 'playout-drained':
      return event.epoch === reply.epoch;
    default:
      return false;
  }
}

/** The caller's speech while the agent has the floor; null while there is none. */
function overhear(step: Step, overheard: Heard | null, event: TurnEvent, cannotInterrupt: boolean): Heard | null {
  switch (event.type) {
    case 'speech-started':
      return overheard?.talking
        ? overheard
        : beginSpeech(step, overheard, event.speechAtMs, cannotInterrupt, event.faint ?? false);
    case 'speech-continued':
      return overheard === null ? null : continueSpeech(overheard, event.voicedMs, voiceOf(event));
    case 'speech-stopped': {
      if (overheard === null || !overheard.talking) return overheard;
      return finishSpeech(step, stopSpeech(overheard, event));
    }
    default: {
      if (overheard === null) return null;
      const changed = hearHum(step, hearText(step, overheard, event));
      if (changed === overheard) return overheard;
      followDeadline(step, changed);
      return keepOpen(step, changed, event);
    }
  }
}

/** A recogniser of phrases hears "wait" in many a hum. The sound is a surer sign. */
function hearHum({ config }: Step, heard: Heard): Heard {
  const latest = heard.segments.at(-1);
  if (!config.knowsPhrases || latest === undefined || latest.result === null || !latest.hums) return heard;
  const { result, utterance } = latest;
  if (!asksToWait(result.text, lexiconOf(config).words)) return heard;
  return withSegment(heard, utterance, { result: { ...result, text: 'mm-hmm' } });
}

/** Whether the newest utterance interrupts this reply. Older ones were judged when they were new. */
function isInterruption(
  step: Step,
  reply: AgentReply,
  heard: Heard,
  need: InterruptionNeed,
  { graceMs = need.graceMs, phraseWords = phraseWordsOf(heard), goesOn = false } = {},
): boolean {
  const latest = heard.segments.at(-1);
  if (latest === undefined || heard.cannotInterrupt || heard.faint || isElsewhere(step, heard)) return false;
  if (isOther(step, latest)) return false;
  const wordless = isWordless(step, latest, phraseWords);
  const text = wordless ? '' : understoodText(latest);
  const isVoice = voiceCounts(step, heard) || (goesOn && mayGoOn(step, heard));
  if (text === '' && (!isVoice || (wordless && heard.dismissed))) return false;
  if (isGreeting(step, reply, latest)) return false;
  if (isObjection(step, heard, latest)) return true;
  // The next of the words that were asked for tells whether they only encourage.
  const begunMs = latest.asks > 0 && wordless && latest.partial !== '' ? LONGEST_BACKCHANNEL_MS : 0;
  const strayMs = latest.result !== null && text === '' && !goesOn ? STRAY_MS : 0;
  const voicedMs = Math.max(begunMs, strayMs, need.voicedMs + (wordless ? graceMs : 0));
  const words = isGlimpse(latest) ? Number.POSITIVE_INFINITY : need.words;
  return takesFloor({ ...need, voicedMs, words }, voicedMsOf(latest), text, lexiconOf(step.config));
}

/** Words that were asked for so soon that the recogniser may have made them up: they silence, and do not cut. */
const isGlimpse = ({ result, asks, answeredMs }: Segment): boolean =>
  result === null && asks > 0 && answeredMs < GLIMPSE_MS;

/** True for a voice farther away than this caller: a recogniser of phrases hears phrases in it by chance. */
const isElsewhere = ({ config }: Step, { isNear }: Heard): boolean => config.knowsPhrases === true && isNear === false;

/** Another person in the room, whom nobody asked. Only "stop" and the like count from them. */
function isOther(step: Step, segment: Segment): boolean {
  if (!segment.isOther) return false;
  return !startsWith(speechWords(understoodText(segment)), lexiconOf(step.config).words.takeovers);
}

/**
 * Whether a voice without a known word may interrupt. Not if the recogniser hears every word: then it is a radio, a
 * cough, a dog. Not from farther away than this caller. And with a recogniser of phrases, while the caller's level is
 * unknown, only a long voice as loud as a turn that was not understood: who is never understood may interrupt too.
 */
function voiceCounts({ config }: Step, { isNear, isLikely, segments }: Heard): boolean {
  if (config.hearsWords || isNear === false) return false;
  if (isNear === true || !config.knowsPhrases) return true;
  const latest = segments.at(-1);
  return isLikely && latest !== undefined && voicedMsOf(latest) >= LIKELY_MS;
}

/** A lone voice as loud as the previous turn is taken as its continuation. */
const mayGoOn = ({ config }: Step, { isNear }: Heard): boolean => !config.hearsWords && isNear !== false;

/** "No": one short word, but the agent must not go on in the pause after it. */
function isObjection({ config }: Step, { isNear }: Heard, { result }: Segment): boolean {
  if (result === null || !result.understood || (config.knowsPhrases && isNear !== true)) return false;
  const { words, backchannels } = lexiconOf(config);
  return isRefusal(result.text, words) && !isBackchannel(result.text, words, backchannels);
}

/** "Hello?" spoken over the agent's greeting. */
function isGreeting({ config }: Step, reply: AgentReply, segment: Segment): boolean {
  return reply.cause.kind === 'opening' && isSalutation(understoodText(segment), lexiconOf(config).words);
}

function understoodText({ result, partial }: Segment): string {
  return result === null ? partial : result.understood ? result.text : '';
}

/** Words after which a phrase is believed before it ends. If the voice may be somebody else's, no number is enough. */
const phraseWordsOf = ({ isNear }: Heard): number => (isNear === true ? PHRASE_WORDS : Number.POSITIVE_INFINITY);

/** No word is known yet, or only the start of a backchannel, or a phrase that may be chance. */
function isWordless({ config }: Step, { result, partial }: Segment, phraseWords = PHRASE_WORDS): boolean {
  if (result !== null) return false;
  if (config.knowsPhrases && speechWords(partial).length < phraseWords) return true;
  const { words, backchannels } = lexiconOf(config);
  return partial === '' || mayBecomeBackchannel(partial, words, backchannels);
}

/** Nothing of the reply was heard yet, and the caller goes on. */
function continuesTurn(step: Step, state: InPhase<'thinking'>, heard: Heard): boolean {
  if (isProtected(state.reply) || step.context.retractions >= MAX_RETRACTIONS) return false;
  const need = { voicedMs: RETRACT_VOICED_MS, words: RETRACT_WORDS, graceMs: 0 };
  const goesOn = state.reply.cause.kind === 'turn';
  return isInterruption(step, state.reply, heard, need, { phraseWords: PHRASE_WORDS, goesOn });
}

export function think(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Move {
  if (isOfReply(event, state.reply)) return onReplyEventWhileThinking(step, state, event);
  if (event.type === 'timer-fired') {
    if (event.timer === 'reply-deadline') return missReply(step, state.reply, state.overheard);
    if (event.timer === 'doubt') return openIfReady(step, state);
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === state.overheard || heard === null) return state;
  if (continuesTurn(step, state, heard)) return retract(step, state, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') arm(step, 'doubt', step.nowMs + DOUBT_MS);
  if (heard.talking || isPending(heard)) return openIfReady(step, { ...state, overheard: heard });
  disarm(step, 'doubt');
  return openIfReady(step, { ...state, overheard: dropAsides(step, state.reply, heard) });
}

function onReplyEventWhileThinking(step: Step, state: InPhase<'thinking'>, event: TurnEvent): Move {
  // The playout is not open yet, so nothing can have drained.
  if (event.type === 'playout-drained') return state;
  const reply = noteReply(state.reply, event);
  if (reply.audioReady) return openIfReady(step, { ...state, reply });
  if (reply.failed) {
    step.effects.push({ type: 'flush-playout', epoch: reply.epoch, interrupted: false });
    return endReply(reply, state.overheard);
  }
  if (reply.complete && reply.clauses === 0) return endReply(reply, state.overheard);
  if (state.reply.clauses > 0 || reply.clauses === 0) return { ...state, reply };
  // The model has spoken: from now on only its voice can be late.
  const deadlineAtMs = step.nowMs + step.config.speechDeadlineMs;
  if (reply.deadlineAtMs !== null && reply.deadlineAtMs <= deadlineAtMs) return { ...state, reply };
  arm(step, 'reply-deadline', deadlineAtMs);
  return { ...state, reply: { ...reply, deadlineAtMs } };
}

/** Opens the playout when audio is ready, but not while the caller speaks or has just spoken. */
function openIfReady(step: Step, state: InPhase<'thinking'>): Move {
  const { reply, overheard } = state;
  if (!reply.audioReady) return state;
  disarm(step, 'reply-deadline');
  if (overheard === null || overheard.cannotInterrupt || overheard.faint) return openReply(step, reply, overheard);
  if (!overheard.talking && !isArmed(step, 'doubt')) return openReply(step, reply, overheard);
  const latest = overheard.segments.at(-1);
  const isEndless =
    overheard.talking && latest !== undefined && isWordless(step, latest) && voicedMsOf(latest) >= HOLD_MS;
  return isEndless ? openReply(step, reply, overheard, true) : state;
}

export function speak(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Move {
  const { reply } = state;
  if (isOfReply(event, reply)) return onReplyEventWhileSpeaking(step, state, event);
  if (event.type === 'timer-fired' && event.timer === 'reply-deadline') return missReply(step, reply, state.overheard);
  const mayCut = yields(step, reply);
  if (event.type === 'speech-started' && mayCut && !event.faint && !state.overheard?.talking) {
    const overheard = { ...beginSpeech(step, state.overheard, event.speechAtMs, false), cannotInterrupt: false };
    return onsetMs(step) === 0 ? lowerVoice(step, state, overheard) : { ...state, overheard };
  }
  const heard = overhear(step, state.overheard, event, true);
  if (heard === state.overheard || heard === null) return state;
  const need = needOf(step);
  if (mayCut && need !== null && isInterruption(step, reply, heard, need)) return cut(step, reply, heard);
  if (mayCut && event.type === 'speech-continued' && isDoubtful(step, heard)) return lowerVoice(step, state, heard);
  const settled = !heard.talking && !isPending(heard);
  return { ...state, overheard: settled ? dropAsides(step, reply, heard) : heard };
}

/** Length of voice that lowers the agent's volume: zero, unless the line has brought false alarms. */
function onsetMs(step: Step): number {
  return falseAlarmsOf(step) >= WARY_ALARMS ? WARY_ONSET_MS : 0;
}

function isDoubtful(step: Step, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  if (latest === undefined || !heard.talking || heard.cannotInterrupt || heard.faint || heard.dismissed) return false;
  return voicedMsOf(latest) >= Math.max(1, onsetMs(step)) && !isEncouragement(step, latest);
}

function lowerVoice(step: Step, { reply }: InPhase<'speaking'>, overheard: Heard): Move {
  step.effects.push({ type: 'duck-playout' });
  return { phase: 'doubting', reply, overheard, paused: false };
}

function onReplyEventWhileSpeaking(step: Step, state: InPhase<'speaking'>, event: TurnEvent): Move {
  const reply = noteReply(state.reply, event);
  if (reply.drained && reply.complete) return endReply(reply, state.overheard);
  // Silence in the middle of a reply: the next clause gets the same deadline as the first.
  if (event.type === 'playout-drained') arm(step, 'reply-deadline', deadlineOf(step, reply));
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}

function deadlineOf({ nowMs, config }: Step, { clauses, deadlineAtMs }: AgentReply): number {
  const isBegun = clauses > 0 || deadlineAtMs === null;
  return isBegun ? nowMs + config.replyDeadlineMs : Math.max(nowMs, deadlineAtMs);
}

export function doubt(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  if (isOfReply(event, state.reply)) return onReplyEventWhileDoubting(step, state, event);
  const { reply } = state;
  if (event.type === 'timer-fired') {
    if (event.timer === 'doubt') return decide(step, state);
    // The caller may be speaking, so the fallback waits until that is clear.
    if (event.timer === 'reply-deadline') {
      arm(step, 'reply-deadline', step.nowMs + DEADLINE_GRACE_MS);
      return state;
    }
  }
  if (event.type === 'speech-stopped' && isClick(state.overheard, event.voicedMs)) {
    return resume(step, state, dropOpen(step, state.overheard));
  }
  const heard = overhear(step, state.overheard, event, false);
  if (heard === null || (heard === state.overheard && event.type !== 'speech-paused')) return state;
  const need = needOf(step);
  if (need !== null && isInterruption(step, reply, heard, need)) return cut(step, reply, heard);
  if (event.type === 'speech-started') disarm(step, 'doubt');
  if (event.type === 'speech-stopped') {
    // Too short for an interruption: the agent goes on at full volume, and words may still stop it.
    if (!state.paused && !isLong(step, heard)) return resume(step, state, heard);
    arm(step, 'doubt', step.nowMs + DOUBT_MS);
  }
  if (!heard.talking && !isPending(heard)) return resume(step, state, heard);
  if (isNoWords(step, heard)) return resume(step, state, { ...heard, dismissed: true });
  const asked = event.type === 'speech-paused' || isAskDue(heard) ? askWords(step, heard) : heard;
  return fallSilent(step, { ...state, overheard: asked }, event);
}

/** The caller has spoken long enough for the next request for their words. */
function isAskDue(heard: Heard): boolean {
  const open = openSegment(heard);
  return open !== null && heard.talking && voicedMsOf(open) >= (ASK_AT_MS[open.asks] ?? Number.POSITIVE_INFINITY);
}

/** Enough voice to interrupt, if it turns out to be words. */
function isLong(step: Step, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  const need = needOf(step);
  return (
    latest !== undefined &&
    need !== null &&
    isWordless(step, latest, phraseWordsOf(heard)) &&
    voicedMsOf(latest) >= need.voicedMs
  );
}

/** Only words count, and the recogniser has had time to give one, or the voice is not this caller's. */
function isNoWords(step: Step, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  if (voiceCounts(step, heard) || latest === undefined || !heard.talking) return false;
  if (isOther(step, latest)) return voicedMsOf(latest) >= (latest.asks > 0 ? OTHER_ASKED_MS : FAR_WORDLESS_MS);
  const patienceMs = heard.isNear === false ? FAR_WORDLESS_MS : WORDLESS_MS;
  return isWordless(step, latest, phraseWordsOf(heard)) && voicedMsOf(latest) >= patienceMs;
}

/** Pauses the agent before it is certain that it must yield: at a first real word, or at a voice that goes on. */
function fallSilent(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  const { paused, overheard } = state;
  const latest = overheard.segments.at(-1);
  if (paused || latest === undefined || isEncouragement(step, latest)) return state;
  if (isElsewhere(step, overheard) || isOther(step, latest)) return state;
  if (isGreeting(step, state.reply, latest)) return state;
  const hasWord = !isWordless(step, latest, phraseWordsOf(overheard)) && speechWords(understoodText(latest)).length > 0;
  if (!hasWord && !(event.type === 'speech-continued' && voiceSilences(step, overheard, latest))) return state;
  step.effects.push({ type: 'pause-playout' });
  return { ...state, paused: true };
}

/** No word is known, and the voice alone is reason enough. */
function voiceSilences(step: Step, heard: Heard, latest: Segment): boolean {
  const need = needOf(step);
  if (need === null) return false;
  if (presses(step, heard, latest, need)) return true;
  // A word that may be the first of an encouragement: the next one tells, or the floor's limit.
  const mayEncourage = latest.partial !== '' && !step.config.knowsPhrases;
  return voiceCounts(step, heard) && !mayEncourage && voicedMsOf(latest) >= need.voicedMs + SILENCE_GRACE_MS;
}

/** This caller's voice sounds as if it wanted the floor, and no word says otherwise. */
function presses({ config }: Step, heard: Heard, latest: Segment, need: InterruptionNeed): boolean {
  const pressMs = need.voicedMs + (config.hearsWords || latest.asks > 0 ? WORD_GRACE_MS : 0);
  if (heard.dismissed || heard.pressMs < pressMs || latest.result !== null) return false;
  // The first words of a recogniser of phrases are chance.
  if (latest.partial !== '' && !config.knowsPhrases) return false;
  return heard.isNear === true;
}

function isEncouragement(step: Step, segment: Segment): boolean {
  const { words, backchannels } = lexiconOf(step.config);
  return isBackchannel(understoodText(segment), words, backchannels);
}

/** Too short for a word, and none was heard: no reason to ask the recogniser or to pause for its answer. */
function isClick(heard: Heard, burstMs: number): boolean {
  const open = openSegment(heard);
  return heard.talking && open !== null && open.partial === '' && open.voicedBeforeMs === 0 && burstMs < CLICK_MS;
}

function dropOpen(step: Step, heard: Heard): Heard {
  const open = openSegment(heard);
  if (open === null) return { ...heard, talking: false };
  step.effects.push({ type: 'cancel-utterance', utterance: open.utterance });
  return { ...heard, talking: false, segments: heard.segments.filter((segment) => segment !== open) };
}

/** The wait for words is over: decide by the voice alone. */
function decide(step: Step, state: InPhase<'doubting'>): Move {
  const { reply, overheard } = state;
  const need = needOf(step);
  const cuts = need !== null && isInterruption(step, reply, overheard, need, { graceMs: 0 });
  return cuts ? cut(step, reply, overheard) : resume(step, state, overheard);
}

function onReplyEventWhileDoubting(step: Step, state: InPhase<'doubting'>, event: TurnEvent): Move {
  const reply = noteReply(state.reply, event);
  if (reply.protected) return resume(step, { ...state, reply }, { ...state.overheard, cannotInterrupt: true });
  // The reply had been played to its end just as the caller began, so nothing was interrupted.
  if (reply.drained && reply.complete) {
    step.context.quietSinceMs = step.nowMs;
    return reply.failed ? endReply(reply, state.overheard) : next(state.overheard);
  }
  if (event.type === 'clause-queued') disarm(step, 'reply-deadline');
  return { ...state, reply };
}
