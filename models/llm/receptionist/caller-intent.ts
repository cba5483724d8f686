// Finds the intent of a caller's sentence by rules over its words; they tolerate the spellings of recognisers. Services
// and questions of the business are matched by their distinctive words, so that "how much is a cleaning" finds "Dental
// cleaning".
import type { DialogueBusiness } from '../llm.ts';
import { policiesOf } from '../policies.ts';
import { NO, YES } from '../yes-no.ts';

export type Intent =
  | 'opt-out'
  | 'person'
  | 'repeat'
  | 'booking'
  | 'hours'
  | 'services'
  | 'price'
  | 'duration'
  | 'address'
  | 'phone'
  | 'email'
  | 'goodbye'
  | 'thanks'
  | 'yes'
  | 'no'
  | 'hello'
  | 'agent-name';

const RULES: Array<[Intent, RegExp]> = [
  ['opt-out', /\b(stop calling|(don't|do not|never) call|take me off|remove me|unsubscribe|opt out)\b/],
  [
    'person',
    /\b((speak|talk) (to|with) (a|an|the|some|your)|(speak|talk) to \w+$|operator|representative|real person|human|transfer me|connect me|put me through|manager)\b/,
  ],
  [
    'repeat',
    /\b(repeat|say (that|it) again|pardon|one more time|come again|what did you say|(didn't|did not) (hear|get|catch|understand))\b/,
  ],
  [
    'booking',
    /\b(book|booking|appointment|schedule|reserve|reservation|come in|openings|availability|set up|fit me in|slot)\b|\b(do you have|is there|have you got) (anything|something)\b/,
  ],
  ['hours', /\b(hours|open|opening|close|closing|closed)\b/],
  ['price', /\b(how much|price|prices|cost|costs|charge|fee|expensive|rates)\b/],
  ['duration', /\bhow long\b/],
  ['services', /\b(services?|treatments?|what do you (offer|do|have)|what can you do|menu)\b/],
  ['address', /\b(where|address|located|location|directions|get there|find you)\b/],
  ['email', /\b(e-?mail)\b/],
  ['phone', /\b(phone|telephone|your number|call you back)\b/],
  [
    'agent-name',
    /\b(your name|who (is this|are you|am i)|am i (talking|speaking)|are you (a robot|real|human|a machine))\b/,
  ],
  [
    'goodbye',
    /\b(that's all|that is all|that's it|that will be all|nothing else|have a (good|nice|great|lovely) (one|day|night|morning|afternoon|evening|weekend|time|rest)|(?<!(don't|do not) )hang up)\b/,
  ],
  ['thanks', /\b(thank you|thanks|cheers|appreciate)\b/],
];
const SAYS_YES = beginsWith([
  ...YES,
  ...[
    'perfect',
    'please',
    'go ahead',
    'that is fine',
    "that's good",
    'that is good',
    'i do',
    'i would',
    'fine',
    'great',
  ],
]);
const SAYS_NO = beginsWith([
  ...NO,
  ...['cancel', "that's wrong", "that's not right", 'that is wrong', 'that is not right', 'wrong'],
]);
const BYE = /\b(?:good ?bye|bye)\b/;
/** Words that follow a real "bye". */
const AFTER_BYE = new Set(
  (
    'bye good goodbye now then for the and so very much thank thanks you your help time have a nice great lovely one day night ' +
    'morning afternoon evening weekend too see soon later talk speak take care okay alright all right sir madam'
  ).split(' '),
);
const HELLO = /^(hello|hi|hey|good (morning|afternoon|evening))\b/;
/** Callers say their name with a greeting, and it asks for nothing. */
const OWN_NAME = /\b(my name is|my name's|this is|i am|i'm) \S+( \S+)?/;
/** "Hi Sam, how are you"; behind more words a wish stands that was not recognised. */
const MOST_BESIDE_HELLO = 4;

function beginsWith(phrases: readonly string[]): RegExp {
  return new RegExp(`^(${phrases.join('|')})\\b`);
}

/** Every intent in the text, the most important first. */
export function intentsOf(text: string): Intent[] {
  const plain = plainWords(text).join(' ');
  const found = RULES.filter(([, rule]) => rule.test(plain)).map(([intent]) => intent);
  const withoutHello = plain.replace(HELLO, '').trim();
  if (!found.includes('goodbye') && isFarewell(plain)) found.push('goodbye');
  if (SAYS_YES.test(withoutHello)) found.push('yes');
  if (SAYS_NO.test(withoutHello)) found.push('no');
  const beside = withoutHello.replace(OWN_NAME, '').split(' ').filter(Boolean);
  if (found.length === 0 && HELLO.test(plain) && beside.length <= MOST_BESIDE_HELLO) found.push('hello');
  return found;
}

/**
 * Whether the last "bye" is real: only courtesies follow it, or one word, as in "bye sam". Recognisers also write "bye"
 * for "hi", "by" and "my", and then a sentence follows: "bye the name is sarah johnson".
 */
function isFarewell(plain: string): boolean {
  const [, ...afterEach] = plain.split(BYE);
  const after = afterEach.at(-1)?.split(' ').filter(Boolean);
  if (after === undefined) return false;
  return after.length <= 1 || after.every((word) => AFTER_BYE.has(word));
}

/** Whether the text answers yes or no; a longer sentence counts by its first words. */
export function yesOrNo(text: string): 'yes' | 'no' | null {
  const intents = intentsOf(text);
  if (intents.includes('no')) return 'no';
  return intents.includes('yes') ? 'yes' : null;
}

/** The service that the text names; null when it names none, or two fit equally well. */
export function findService(text: string, business: DialogueBusiness): DialogueBusiness['services'][number] | null {
  return matchService(text, business)?.service ?? null;
}

/** With `hits`, the number of distinctive words of its name in the text. */
function matchService(
  text: string,
  business: DialogueBusiness,
): { service: DialogueBusiness['services'][number]; hits: number } | null {
  const said = new Set(contentStems(text));
  let best: { service: DialogueBusiness['services'][number]; hits: number; score: number } | null = null;
  let isTie = false;
  for (const service of business.services) {
    const stems = contentStems(service.name);
    const hits = stems.filter((stem) => said.has(stem)).length;
    if (hits === 0) continue;
    const score = hits + hits / stems.length;
    if (best && score === best.score) isTie = true;
    if (!best || score > best.score) {
      best = { service, hits, score };
      isTie = false;
    }
  }
  return best && !isTie ? best : null;
}

/**
 * Whether a question of the business matches more of the text than the name of a service: "do you repair e-bikes".
 */
export function isMoreSpecific(faq: Faq, text: string, business: DialogueBusiness): boolean {
  const service = matchService(text, business);
  return service !== null && faq.shared > service.hits;
}

interface Faq {
  answer: string;
  /** 0..1: the share of distinctive words in common (Dice). */
  score: number;
  /** The number of those words. */
  shared: number;
}

/** The FAQ or the policy that fits the text best; null when none. */
export function findFaq(text: string, business: DialogueBusiness): Faq | null {
  const said = new Set(contentStems(text));
  if (said.size === 0) return null;
  let best: Faq | null = null;
  for (const { question, answer } of business.faqs) {
    const asked = new Set(contentStems(question));
    if (asked.size === 0) continue;
    const shared = [...asked].filter((stem) => said.has(stem)).length;
    const score = (2 * shared) / (asked.size + said.size);
    if (shared > 0 && (!best || score > best.score)) best = { answer, score, shared };
  }
  const policy = findPolicy(said, business);
  return policy !== null && policy.score > (best?.score ?? 0) ? policy : best;
}

/** By its title like a question; one without a title where most of what was asked stands in it. */
function findPolicy(said: ReadonlySet<string>, business: DialogueBusiness): Faq | null {
  let best: Faq | null = null;
  for (const { title, text } of policiesOf(business.policies)) {
    const words = contentStems(title ?? text);
    const shared = words.filter((word) => said.has(word)).length;
    const score = title === null ? shared / said.size : (2 * shared) / (words.length + said.size);
    // One word in common with a long sentence says little.
    if (shared < (title === null ? 2 : 1) || (best !== null && score <= best.score)) continue;
    best = { answer: text, score, shared };
  }
  return best;
}

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^a-z0-9' -]+/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}

const STOP_WORDS = new Set(
  (
    "a an the is are do does did i you we your my our it to of for on in at and or can could would will what what's how much " +
    'many when where which who with any have has get there be please me about tell like want need if this that long cost take ' +
    "price i'd i'm id one some just hi hello hey um uh okay yes so also offer"
  ).split(' '),
);

/**
 * Words that carry meaning, reduced to their stems, so that "cleanings" matches "cleaning" and "parking" matches
 * "park".
 */
export function contentStems(text: string): string[] {
  return [
    ...new Set(
      // Recognisers write "e bikes", people "e-bikes".
      plainWords(text.replaceAll('-', ' '))
        .filter((word) => !STOP_WORDS.has(word))
        .map(stem),
    ),
  ];
}

function stem(word: string): string {
  const bare = word.replace(/'s$/, '').replace(/'/g, '');
  if (bare.length > 5 && bare.endsWith('ing')) return bare.slice(0, -3);
  if (bare.length > 5 && bare.endsWith('ies')) return `${bare.slice(0, -3)}y`;
  if (bare.length > 4 && bare.endsWith('ed')) return bare.slice(0, -2);
  return bare.length > 3 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare;
}
