// Barge-in: does speech over the agent take the floor? The first VAD window only pauses the agent. The functions here decide
// whether it stays silent (enough voice or words) or goes on (a cough, an echo, "uh-huh").

/** What it takes to interrupt: either measure is enough. */
export interface InterruptionNeed {
  voicedMs: number;
  words: number;
  /**
   * Extra voice needed while no word is known, because a drawn-out "uh-huh" is as long as a short interruption. The agent
   * is paused meanwhile, so this costs the caller nothing.
   */
  graceMs: number;
}

// Anchors of the business setting: 0.5 is about 350 ms or two words, 1 about 120 ms; near 0 the caller has to persist.
const NEAR_ZERO_MS = 900;
const HALF_MS = 350;
const FULL_MS = 120;
const GRACE_MS = 200;
/** A backchannel is short. Anything longer is speech that was recognised as one by mistake. */
const LONGEST_BACKCHANNEL_MS = 1_200;

// Said while listening, to encourage the agent to go on.
const BACKCHANNELS = new Set([
  ...['uh-huh', 'uhhuh', 'uh', 'huh', 'mhm', 'mm-hmm', 'mmhmm', 'mm', 'hmm', 'hm', 'mmm', 'um', 'ah', 'aha', 'oh'],
  ...['yeah', 'yep', 'yup', 'okay', 'ok', 'right', 'alright', 'sure', 'cool'],
]);

// Said when a call is picked up. Over the greeting they are no turn.
const SALUTATIONS = new Set(['hello', 'hi', 'hey', 'hallo', 'good', 'morning', 'afternoon', 'evening', 'there']);

// Any of these asks for the floor, however short.
const TAKEOVERS = ['stop', 'wait', 'hold on', 'hang on', 'excuse me', 'one moment', 'no no', 'listen', 'sorry but'];

/** What interrupts at this sensitivity (0..1); null at 0, where the agent never yields. */
export function interruptionNeed(sensitivity: number): InterruptionNeed | null {
  if (sensitivity <= 0) return null;
  const s = Math.min(1, sensitivity);
  const voicedMs =
    s < 0.5 ? NEAR_ZERO_MS + (HALF_MS - NEAR_ZERO_MS) * (s / 0.5) : HALF_MS + (FULL_MS - HALF_MS) * ((s - 0.5) / 0.5);
  return {
    voicedMs: Math.round(voicedMs),
    words: s < 0.25 ? 4 : s < 0.5 ? 3 : s < 0.9 ? 2 : 1,
    graceMs: s < 0.9 ? GRACE_MS : 0,
  };
}

/** Lower case, no punctuation but inner hyphens and apostrophes, single spaces. */
export function normalizeSpeech(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'@-]+/gu, ' ')
    .trim();
}

export function speechWords(text: string): string[] {
  const normal = normalizeSpeech(text);
  return normal === '' ? [] : normal.split(' ');
}

/** True when the text is not empty and holds nothing but backchannels. */
export function isBackchannel(text: string): boolean {
  const words = speechWords(text);
  return words.length > 0 && words.every((word) => BACKCHANNELS.has(word));
}

/** True for "hello?" and the like, backchannels included. */
export function isSalutation(text: string): boolean {
  const words = speechWords(text);
  return words.length > 0 && words.every((word) => SALUTATIONS.has(word) || BACKCHANNELS.has(word));
}

/** Whether speech takes the floor. `voicedMs`: voiced time so far; `text`: what was recognised, may be empty. */
export function takesFloor(need: InterruptionNeed, voicedMs: number, text: string): boolean {
  if (isBackchannel(text) && voicedMs < LONGEST_BACKCHANNEL_MS) return false;
  const words = speechWords(text);
  const spoken = words.join(' ');
  if (TAKEOVERS.some((phrase) => spoken === phrase || spoken.startsWith(`${phrase} `))) return true;
  return voicedMs >= need.voicedMs || words.length >= need.words;
}
