// Whether the newest speech over the agent is meant for it, and is enough to take the floor: by its words where they
// are known, else by the voice (whose, how long, how it sounds). barge-in.ts has the limits.
import { type InterruptionNeed, LONGEST_BACKCHANNEL_MS, takesFloor } from './barge-in.ts';
import { type Heard, type Segment, STRAY_MS, voicedMsOf } from './heard.ts';
import {
  isBackchannel,
  isHum,
  isRefusal,
  isSalutation,
  mayBecomeBackchannel,
  speechWords,
  startsWith,
} from './spoken.ts';
import { type AgentReply, lexiconOf, needOf, type Step } from './turn-context.ts';

/** A voice without words silences the agent only this long after the normal limit: "uh-huh" takes half a second. */
const SILENCE_GRACE_MS = 300;
/**
 * Where words are given while they are spoken, or asked for, the first of most encouragements comes this much later:
 * "d'accord". A server takes 150 ms and more, and has no text for a word that is half said.
 */
const WORD_GRACE_MS = 195;
/**
 * Of this caller no encouragement is known yet, and few encourage a greeting: there a voice silences the agent after
 * this share of the usual time. People's "stop" has 288 ms of voice at the median, and fades at its end.
 */
const WORD_SHARE = 0.45;
/** A shorter voice of which the recogniser tells no word at all may be a cough. */
const COUGH_SHARE = 0.7;
/** Words that are as likely as this, though doubted, may be an encouragement. */
const PERHAPS = 0.15;
/** A recogniser of phrases hears two words of a phrase in most sounds for a moment. */
export const PHRASE_WORDS = 3;
/** A "hello?" that begins so soon after the greeting was said together with it. */
const TOGETHER_MS = 1_400;
/** By then a streaming recogniser has given the first word. */
const WORDLESS_MS = 800;
/** Recognisers of whole sentences make words up of less. */
const GLIMPSE_MS = 250;
/** Few encouragements are as long, and a radio as loud is rare. */
const LIKELY_MS = 700;
/** For a voice that is farther away than this caller. */
const FAR_WORDLESS_MS = 250;
/** For another one, where words are asked for: by then a server has told whether it says "wait". */
const OTHER_ASKED_MS = 700;

/**
 * Whether the newest utterance interrupts this reply. Older ones were judged when they were new; but a "no" whose voice
 * breaks off is told when its end is new.
 */
export function isInterruption(
  step: Step,
  reply: AgentReply,
  heard: Heard,
  need: InterruptionNeed,
  { graceMs = need.graceMs, phraseWords = phraseWordsOf(heard), goesOn = false } = {},
): boolean {
  const latest = heard.segments.at(-1);
  if (latest === undefined || heard.cannotInterrupt || heard.faint || isOther(step, latest)) return false;
  if (heard.segments.slice(0, -1).some((segment) => !isOther(step, segment) && isSoftObjection(step, segment)))
    return true;
  if (isElsewhere(step, heard)) return isSoftObjection(step, latest);
  if (isDoubtedPlea(step, heard, latest)) return true;
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
export const isElsewhere = ({ config }: Step, { isNear }: Heard): boolean =>
  config.knowsPhrases === true && isNear === false;

/** Another person in the room, whom nobody asked. Only "stop" and the like count from them. */
export function isOther(step: Step, segment: Segment): boolean {
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

/** "No" or "hello?": one short word, but the agent must not go on in the pause after it. */
function isObjection({ config }: Step, { isNear, isLikely }: Heard, { result }: Segment): boolean {
  const isTheirs = !config.knowsPhrases || isNear === true || isLikely;
  if (result === null || !result.understood || !isTheirs) return false;
  const { words, backchannels } = lexiconOf(config);
  const isMeant = isRefusal(result.text, words) || isSalutation(result.text, words);
  return isMeant && !isBackchannel(result.text, words, backchannels);
}

/** "No" or "stop" alone, believed, before the caller's first statement: how softly this caller speaks is not known. */
function isSoftObjection({ config, context }: Step, { result }: Segment): boolean {
  if (context.hasStated || result === null || !result.understood) return false;
  const { words } = lexiconOf(config);
  const said = speechWords(result.text);
  return said.length === 1 && (startsWith(said, words.negations) || startsWith(said, words.takeovers));
}

/** "Stop" that is doubted, before anything of this caller was understood: to go on would cost more than to stop. */
function isDoubtedPlea({ config }: Step, { isLikely }: Heard, { result, hums }: Segment): boolean {
  if (config.knowsPhrases !== true || !isLikely || hums) return false;
  if (result === null || result.understood || result.confidence < PERHAPS) return false;
  return startsWith(speechWords(result.text), lexiconOf(config).words.takeovers);
}

/** "Hello?" as the agent's greeting begins, or an encouragement over it. A later "hello?" wants to be heard. */
export function isGreeting({ config }: Step, { cause, openedAtMs }: AgentReply, segment: Segment): boolean {
  const text = understoodText(segment);
  const { words, backchannels } = lexiconOf(config);
  if (cause.kind !== 'opening' || !isSalutation(text, words)) return false;
  const isTogether = openedAtMs === undefined || segment.startedAtMs < openedAtMs + TOGETHER_MS;
  return isTogether || isBackchannel(text, words, backchannels);
}

export function understoodText({ result, partial }: Segment): string {
  return result === null ? partial : result.understood ? result.text : '';
}

/** Words after which a phrase is believed before it ends. If the voice may be somebody else's, no number is enough. */
export const phraseWordsOf = ({ isNear }: Heard): number => (isNear === true ? PHRASE_WORDS : Number.POSITIVE_INFINITY);

/** No word is known yet, or only the start of a backchannel, or a phrase that may be chance. */
export function isWordless({ config }: Step, { result, partial }: Segment, phraseWords = PHRASE_WORDS): boolean {
  if (result !== null) return false;
  if (config.knowsPhrases && speechWords(partial).length < phraseWords) return true;
  const { words, backchannels } = lexiconOf(config);
  return partial === '' || mayBecomeBackchannel(partial, words, backchannels);
}

/** Enough voice to interrupt, if it turns out to be words. */
export function isLong(step: Step, heard: Heard): boolean {
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
export function isNoWords(step: Step, heard: Heard): boolean {
  const latest = heard.segments.at(-1);
  if (voiceCounts(step, heard) || latest === undefined || !heard.talking) return false;
  if (isOther(step, latest)) return voicedMsOf(latest) >= (latest.asks > 0 ? OTHER_ASKED_MS : FAR_WORDLESS_MS);
  const patienceMs = heard.isNear === false ? FAR_WORDLESS_MS : WORDLESS_MS;
  return isWordless(step, latest, phraseWordsOf(heard)) && voicedMsOf(latest) >= patienceMs;
}

/** No word is known, and the voice alone is reason enough. */
export function voiceSilences(step: Step, heard: Heard, latest: Segment): boolean {
  const need = needOf(step);
  if (need === null) return false;
  if (presses(step, heard, latest, need)) return true;
  // A word that may be the first of an encouragement: the next one tells, or the floor's limit.
  const mayEncourage = latest.partial !== '' && !step.config.knowsPhrases;
  return voiceCounts(step, heard) && !mayEncourage && voicedMsOf(latest) >= need.voicedMs + SILENCE_GRACE_MS;
}

/** This caller's voice sounds as if it wanted the floor, and no word says otherwise. */
function presses({ config }: Step, heard: Heard, latest: Segment, need: InterruptionNeed): boolean {
  // Of a caller who was not understood yet, a recogniser of phrases believes no word before its end.
  const isUnknown = config.knowsPhrases === true && heard.isLikely;
  const wordMs = config.hearsWords || latest.asks > 0 ? WORD_GRACE_MS : 0;
  const pressMs = need.voicedMs * (isUnknown ? WORD_SHARE : 1) + wordMs;
  if (heard.dismissed || heard.pressMs < pressMs || latest.result !== null) return false;
  // The first words of a recogniser of phrases are chance.
  if (latest.partial !== '' && !config.knowsPhrases) return false;
  return heard.isNear === true || isUnknown;
}

/**
 * A voice of which no word is believed, before anything of this caller was understood: it may have been "stop". Either
 * it pressed until the agent fell silent (`paused`), or it is as long as a short "stop" and has words that are plainly
 * not those which were found. Later most of what a recogniser of phrases does not believe encourages.
 */
export function isUnknownObjection(step: Step, heard: Heard, paused: boolean): boolean {
  const latest = heard.segments.at(-1);
  const need = needOf(step);
  if (step.config.knowsPhrases !== true || need === null || latest === undefined || latest.failed) return false;
  const { result, hums, isOther } = latest;
  // The voice that silenced the agent was as loud as the caller's; its end may be softer.
  const isTheirs = heard.isLikely || (paused && heard.isNear === null);
  if (result === null || result.understood || hums || isOther || !isTheirs) return false;
  if (result.text === '') return paused && voicedMsOf(latest) >= need.voicedMs * COUGH_SHARE;
  if (!paused && voicedMsOf(latest) < need.voicedMs * WORD_SHARE) return false;
  if (isHum(result.text)) return false;
  const { words, backchannels } = lexiconOf(step.config);
  const mayEncourage = isBackchannel(result.text, words, backchannels) && result.confidence >= PERHAPS;
  return !mayEncourage && (paused || result.confidence < PERHAPS);
}

export function isEncouragement(step: Step, segment: Segment): boolean {
  const { words, backchannels } = lexiconOf(step.config);
  return isBackchannel(understoodText(segment), words, backchannels);
}
