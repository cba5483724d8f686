// The checks of a test: one vocabulary for evals in text and for simulations by voice. A check is an object with one
// field, whose name says what is looked at. What is said is compared word by word, without case and punctuation.
// Placeholders are taken where they fit first, so that no pattern takes longer than its length times that of the text,
// and a check compares so many words at most: engines decide it beside calls.

/** One text, or several of which one is enough. */
type Texts = string | readonly string[];

/** Exactly one of these fields. */
export interface TestCheck {
  said?: Texts;
  notSaid?: Texts;
  /** A tool that ran, with at least these arguments. */
  tool?: { name: string; arguments?: Readonly<Record<string, unknown>> };
  /** The name of a tool that did not run; `*`: none did. */
  noTool?: string;
  data?: Readonly<Record<string, unknown>>;
  /** The name of a destination, or its number. */
  transferredTo?: string;
  endedBy?: 'agent' | 'caller';
  /** In which the agent spoke last, BCP 47; a language without a region stands for all of its regions. */
  language?: string;
  /** The longest silence before an answer, measured from the audio. */
  gapAtMostMs?: number;
  /** The agent never spoke while the caller had not ended. */
  noCutOff?: true;
  judge?: { question: string };
}

type CheckKind = keyof TestCheck;

/** They look at audio. */
export const AUDIO_CHECKS: readonly CheckKind[] = ['gapAtMostMs', 'noCutOff'];
/** They look at how the conversation went as a whole: a single turn has none of it. */
export const WHOLE_CHECKS: readonly CheckKind[] = ['data', 'endedBy', 'gapAtMostMs', 'noCutOff', 'judge'];

interface TestToolRun {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  ok: boolean;
}

/** A conversation, or one turn of it, as it was. Null: it was not measured, or did not happen. */
export interface TestFacts {
  /** The agent's replies in order. */
  said: readonly string[];
  tools: readonly TestToolRun[];
  data: Readonly<Record<string, unknown>> | null;
  transferredTo: { name: string | null; target: string } | null;
  endedBy: 'agent' | 'caller' | null;
  language: string | null;
  gapsMs: readonly number[] | null;
  cutOffs: number | null;
}

export interface TestCheckResult {
  check: TestCheck;
  /** The turn whose reply was looked at, from 0; null: the whole conversation. */
  turn: number | null;
  passed: boolean;
  expected: string;
  found: string;
  /** Of a judge: its answers; it passes where all are yes. */
  votes?: boolean[];
}

export const checkKind = (check: TestCheck): CheckKind | null =>
  (Object.keys(check)[0] as CheckKind | undefined) ?? null;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}*#]+/gu) ?? [];

/** `#`: a word with a digit. `*` at an end of a word: any letters there. */
function isWord(pattern: string, word: string): boolean {
  if (pattern === '#') return /\p{N}/u.test(word);
  if (pattern.length > 1 && pattern.endsWith('*')) return word.startsWith(pattern.slice(0, -1));
  if (pattern.length > 1 && pattern.startsWith('*')) return word.endsWith(pattern.slice(1));
  return pattern === word;
}

/** Words that may still be compared. */
interface Budget {
  left: number;
}

/** Of one check: some milliseconds of a thread that calls have too. An ordinary one takes a hundredth of it. */
const COMPARED_MAX = 500_000;

const fits = (piece: readonly string[], words: readonly string[], at: number, budget: Budget): boolean =>
  piece.every((pattern, i) => {
    const word = words[at + i];
    budget.left--;
    return word !== undefined && isWord(pattern, word);
  });

/** The pieces of a pattern between its `*`, which stand for any words. */
function piecesOf(pattern: string): string[][] {
  const pieces: string[][] = [[]];
  for (const word of wordsOf(pattern)) {
    if (/^\*+$/.test(word)) pieces.push([]);
    else pieces.at(-1)?.push(word);
  }
  return pieces;
}

/** Whether the words of the pattern stand in the text, one after the other. Each piece is taken where it fits first. */
export const saysPattern = (text: string, pattern: string): boolean =>
  says(wordsOf(text), piecesOf(pattern), { left: COMPARED_MAX });

/** Without a budget: no. */
function says(words: readonly string[], pieces: ReadonlyArray<readonly string[]>, budget: Budget): boolean {
  let from = 0;
  for (const piece of pieces) {
    let at = from;
    const latest = words.length - piece.length;
    while (at <= latest && budget.left > 0 && !fits(piece, words, at, budget)) at++;
    if (at > latest || budget.left <= 0) return false;
    from = at + piece.length;
  }
  return true;
}

/** The words of a conversation, which many checks look at. */
const spoken = new WeakMap<readonly string[], string[][]>();

function spokenIn(said: readonly string[]): string[][] {
  const words = spoken.get(said) ?? [];
  // A conversation grows.
  for (const reply of said.slice(words.length)) words.push(wordsOf(reply));
  spoken.set(said, words);
  return words;
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');

/** A whole value: `*` stands for any characters. */
function isLike(pattern: string, value: string): boolean {
  const [first = '', ...others] = plain(pattern).split('*');
  let rest = plain(value);
  const last = others.pop();
  if (last === undefined) return rest === first;
  if (!rest.startsWith(first) || rest.length < first.length + last.length) return false;
  rest = rest.slice(first.length);
  if (!rest.endsWith(last)) return false;
  rest = rest.slice(0, rest.length - last.length);
  return others.every((piece) => {
    const at = rest.indexOf(piece);
    rest = rest.slice(at + piece.length);
    return at >= 0;
  });
}

const listed = (texts: Texts): readonly string[] => (typeof texts === 'string' ? [texts] : texts);

/** Whether a value is at least what is wanted: texts as patterns, objects by the fields that are named. */
export function isAsWanted(wanted: unknown, value: unknown): boolean {
  if (typeof wanted === 'string') {
    return (typeof value === 'string' || typeof value === 'number') && isLike(wanted, String(value));
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((each, i) => isAsWanted(each, value[i] as unknown))
    );
  }
  if (wanted === null || typeof wanted !== 'object') return wanted === value;
  if (value === null || typeof value !== 'object') return false;
  const has = value as Record<string, unknown>;
  return Object.entries(wanted).every(([name, each]) => Object.hasOwn(has, name) && isAsWanted(each, has[name]));
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(' or ');

type Verdict = Pick<TestCheckResult, 'passed' | 'expected' | 'found'>;

function saidVerdict(texts: Texts, { said }: TestFacts, isWanted: boolean): Verdict {
  const patterns = listed(texts);
  const wanted = patterns.map(piecesOf);
  const budget = { left: COMPARED_MAX };
  const reply = said[spokenIn(said).findIndex((words) => wanted.some((pieces) => says(words, pieces, budget)))];
  const all = said.length === 0 ? 'the agent said nothing' : said.join(' / ');
  const expected = isWanted ? `says ${quoted(patterns)}` : `does not say ${quoted(patterns)}`;
  if (budget.left <= 0) return { passed: false, expected, found: 'too many words to compare: use a shorter text' };
  return { passed: (reply !== undefined) === isWanted, expected, found: reply ?? all };
}

function toolVerdict({ name, arguments: wanted = {} }: NonNullable<TestCheck['tool']>, { tools }: TestFacts): Verdict {
  const runs = tools.filter((run) => run.name === name);
  const found = runs.map((run) => `${name}(${shown(run.arguments)})`).join(', ');
  const others = tools.length === 0 ? 'no tool ran' : `ran: ${tools.map((run) => run.name).join(', ')}`;
  return {
    passed: runs.some((run) => isAsWanted(wanted, run.arguments)),
    expected: `runs ${name}${Object.keys(wanted).length === 0 ? '' : ` with ${shown(wanted)}`}`,
    found: found || others,
  };
}

function noToolVerdict(name: string, { tools }: TestFacts): Verdict {
  const runs = tools.filter((run) => name === '*' || run.name === name);
  return {
    passed: runs.length === 0,
    expected: name === '*' ? 'runs no tool' : `does not run ${name}`,
    found: runs.length === 0 ? 'it did not run' : runs.map((run) => `${run.name}(${shown(run.arguments)})`).join(', '),
  };
}

function transferVerdict(wanted: string, { transferredTo: to }: TestFacts): Verdict {
  return {
    passed: to !== null && ((to.name !== null && isLike(wanted, to.name)) || to.target === wanted),
    expected: `hands the caller over to ${wanted}`,
    found: to === null ? 'no transfer' : (to.name ?? to.target),
  };
}

const languageFits = (wanted: string, language: string | null): boolean => {
  const [want, is] = [wanted.toLowerCase(), language?.toLowerCase() ?? ''];
  return is === want || is.startsWith(`${want}-`);
};

function verdict(check: TestCheck, facts: TestFacts): Verdict {
  if (check.said !== undefined) return saidVerdict(check.said, facts, true);
  if (check.notSaid !== undefined) return saidVerdict(check.notSaid, facts, false);
  if (check.tool !== undefined) return toolVerdict(check.tool, facts);
  if (check.noTool !== undefined) return noToolVerdict(check.noTool, facts);
  if (check.transferredTo !== undefined) return transferVerdict(check.transferredTo, facts);
  if (check.data !== undefined) {
    const { data } = facts;
    return { passed: isAsWanted(check.data, data), expected: shown(check.data), found: shown(data) };
  }
  if (check.endedBy !== undefined) {
    const { endedBy } = facts;
    return { passed: endedBy === check.endedBy, expected: `ended by the ${check.endedBy}`, found: endedBy ?? 'nobody' };
  }
  if (check.language !== undefined) {
    const { language } = facts;
    const passed = languageFits(check.language, language);
    return { passed, expected: `speaks ${check.language}`, found: language ?? 'not known' };
  }
  if (check.gapAtMostMs !== undefined) {
    const longest = facts.gapsMs === null || facts.gapsMs.length === 0 ? null : Math.max(...facts.gapsMs);
    const expected = `answers within ${check.gapAtMostMs} ms`;
    const found = longest === null ? 'not measured' : `${Math.round(longest)} ms at the longest`;
    return { passed: longest !== null && longest <= check.gapAtMostMs, expected, found };
  }
  if (check.noCutOff !== undefined) {
    const { cutOffs } = facts;
    const found = cutOffs === null ? 'not measured' : `${cutOffs} times`;
    return { passed: cutOffs === 0, expected: 'never speaks before the caller has ended', found };
  }
  return { passed: false, expected: 'a check that is known', found: shown(check) };
}

/** The conversation stands beside the checks. */
const FOUND_MAX = 1_000;

/** Decides a check by what happened; a judge's is decided elsewhere (`judged`). */
export function checkResult(check: TestCheck, facts: TestFacts, turn: number | null = null): TestCheckResult {
  const { found, ...of } = verdict(check, facts);
  return { check, turn, ...of, found: found.length > FOUND_MAX ? `${found.slice(0, FOUND_MAX)} …` : found };
}

/** The verdict of a judge that was asked several times: it passes only where all answers are yes. */
export function judged(check: TestCheck, votes: readonly boolean[]): TestCheckResult {
  const yes = votes.filter((vote) => vote).length;
  return {
    check,
    turn: null,
    passed: votes.length > 0 && yes === votes.length,
    expected: `yes to "${check.judge?.question ?? ''}"`,
    found: votes.length === 0 ? 'no judge answered' : `${yes} of ${votes.length} answers are yes`,
    votes: [...votes],
  };
}
