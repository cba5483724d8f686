// Phrases that tell a machine from a person. A grammar recogniser hears only the words of its vocabulary, so it must
// contain AMD_PHRASES on outbound calls with detection.

/** No person says these when they answer. */
const RECORDING = [
  /\b(leave|record) (me |us )?(a|your) (brief |short |detailed )?(message|name)\b/,
  /\bafter the (tone|beep|signal)\b/,
  /\bat the (tone|beep)\b/,
  /\bvoice ?mail\b/,
  /\bmailbox\b/,
];
/** Questions that only a person asks. They outweigh the phrases of MACHINE, which people use too. */
const PERSON = [
  /\b(how )?(can|may) i (help|take a message|ask who)\b/,
  /\bwho('s| is) (calling|this|speaking)\b/,
  /\bwhat('s| is) (this|it) (about|regarding)\b/,
];
const MACHINE = [
  /\b(not|isn't|is not|are not|aren't) available\b/,
  /\b(unable|can't|cannot|can not) (to )?(come to|take|answer) (the|your) (phone|call)\b/,
  /\byou('ve| have) reached\b/,
  /\bnot in service\b/,
  /\b(get|call) (back to )?you back\b|\bget back to you\b/,
  /\bmissed your call\b/,
];
const SCREENING = [
  /\b(press|dial|enter) (one|two|three|four|five|six|seven|eight|nine|zero|star|pound|\d)\b/,
  /\b(please )?(state|say) your name\b/,
  /\b(who is|who's) calling\b.*\b(tone|recorded|assistant)\b/,
  /\bcall(s)? (may|might) be (recorded|monitored)\b/,
  /\bscreening (service|this call|assistant)\b/,
  /\breason (for|why) (your call|you're calling|you are calling)\b/,
  /\bstay on the line\b/,
  /\bmain menu\b|\bfollowing options\b/,
];

/** Phrases for the recogniser's grammar, as `SttVocabulary.phrases`. */
export const AMD_PHRASES: readonly string[] = [
  'please leave a message after the tone',
  'please leave your message after the beep',
  'leave a message',
  'at the tone please record your message',
  "I'm not available right now",
  "I can't come to the phone right now",
  "we can't take your call",
  'is not available',
  "you've reached the voicemail of",
  "you've reached",
  'your call has been forwarded to an automatic voice message system',
  "I'll get back to you",
  "we'll call you back",
  'the mailbox is full',
  'press one',
  'for sales press one',
  'for service press two',
  'for sales press one for service press two',
  'press two for',
  'please state your name and why you are calling',
  'this call may be recorded',
  'please stay on the line',
  'the number you have dialled is not in service',
  'please listen to the following options',
  'how can I help you',
  'can I take a message',
  'who is calling please',
  'what is this about',
];

/**
 * The kind that the text so far indicates; null: none. Screening outweighs the rest: its words are rare in a voicemail.
 */
export function hintIn(text: string): 'machine' | 'screening' | 'person' | null {
  const plain = text.toLowerCase().replace(/[^a-z0-9' ]+/g, ' ');
  if (SCREENING.some((phrase) => phrase.test(plain))) return 'screening';
  if (RECORDING.some((phrase) => phrase.test(plain))) return 'machine';
  if (PERSON.some((phrase) => phrase.test(plain))) return 'person';
  return MACHINE.some((phrase) => phrase.test(plain)) ? 'machine' : null;
}

/** Words separated by white space. */
export function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
