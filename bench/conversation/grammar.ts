// Takes that nobody has tuned for: a grammar of who speaks when, how loud, over what line and in which language. A seed
// gives one take, always the same.
//
//   take     = line first-turn over-answer
//   first    = question | half pause half | question addition-while-thinking | question-in-a-stall
//   over     = interruption | encouragement | cough | hum | another person | nothing
//   line     = quiet | loss and jitter | radio or babble in the room | echo

import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import type { Cue, CueAction, Scenario } from '../rig/conversation/scenario-file.ts';
import { CALLER_PHRASES, type CallerPhrases } from './phrases.ts';
import type { Half } from './table.ts';

export const OVER = ['interruption', 'encouragement', 'cough', 'hum', 'other', 'nothing'] as const;
export type Over = (typeof OVER)[number];

export interface GeneratedTake {
  scenario: Scenario;
  language: string;
  over: Over;
}

const ANSWERS = [
  'We are open from nine in the morning until six in the evening from Monday to Friday, and on Saturday we close at four.',
  'A haircut costs fifty five dollars, and with a colour it is ninety, but there is a lower price for children and students.',
];
const SECOND_ANSWER = 'Of course, I will see to that.';

const OVER_WEIGHTS: Record<Over, number> = {
  interruption: 5,
  encouragement: 5,
  cough: 2,
  hum: 2,
  other: 4,
  nothing: 2,
};
const FIRST_WEIGHTS = { question: 5, halves: 3, addition: 2, stall: 2 };
const LINE_WEIGHTS = { quiet: 5, poor: 3, room: 2, echo: 1 };
/** Of the caller against a telephone at the ear, dB. */
const LEVELS = [0, 0, 0, -3, -6, 3];

/** Settings may be tuned on one half. The hash keeps neighbours apart. */
export function halfOfSeed(seed: number): Half {
  return Math.imul(seed + 1, 0x9e3779b1) >>> 31 === 0 ? 'tuning' : 'held-out';
}

/** `languages`: of the take; null: any of those that have phrases. */
export function generateTake(seed: number, languages: readonly string[] | null = null): GeneratedTake {
  const random = seededRandom(seed * 31 + 7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  /** A name by its weight: each stands in the list as often as that. */
  const weighted = <Name extends string>(weights: Record<Name, number>): Name =>
    pick(
      (Object.entries(weights) as Array<[Name, number]>).flatMap(([name, count]) => new Array<Name>(count).fill(name)),
    );
  const phrases = pick(CALLER_PHRASES.filter(({ language }) => languages?.includes(language) ?? true));
  const levelDb = pick(LEVELS);
  const first = weighted(FIRST_WEIGHTS);
  const over = weighted(OVER_WEIGHTS);
  const line = weighted(LINE_WEIGHTS);
  const cues = [
    ...firstTurn(first, phrases, levelDb, pick),
    ...overAnswer(over, phrases, levelDb, { pick, atMs: 600 + random() * 2_600, under: 10 + random() * 8 }),
  ];
  const turns = cues.flatMap(({ action, role }) =>
    action.kind === 'say' && role !== 'aside' ? [{ text: action.text, role }] : [],
  );
  const before = turns.filter(({ role }) => role !== 'interruption').map(({ text }) => text);
  const interruption = turns.filter(({ role }) => role === 'interruption').map(({ text }) => text);
  const scenario: Scenario = {
    name: over,
    about: [first, over, line, phrases.language, `${levelDb} dB`].join(', '),
    takes: 1,
    direction: 'inbound',
    voice: null,
    replies: [
      { say: pick(ANSWERS), call: null },
      { say: SECOND_ANSWER, call: null },
    ],
    firstTokenMs: first === 'addition' ? 1_800 : null,
    refusals: 0,
    background:
      line === 'room' ? { sound: pick(['radio', 'babble'] as const), levelDb: levelDb - 16 - random() * 12 } : null,
    echo: line === 'echo' ? { levelDb: -18 - random() * 8, delayMs: 80 + random() * 200 } : null,
    lossPercent: line === 'poor' ? random() * 5 : 0,
    jitterMs: line === 'poor' ? 10 + random() * 50 : 0,
    cues,
    silenceMs: 0,
    expectedTurns: [before.join(' '), ...interruption],
    expectedPrompts: 0,
    isTransferred: false,
  };
  return { scenario, language: phrases.language, over };
}

type Pick = <Item>(items: readonly Item[]) => Item;

function firstTurn(kind: keyof typeof FIRST_WEIGHTS, phrases: CallerPhrases, levelDb: number, pick: Pick): Cue[] {
  const say = (text: string, more: Partial<Cue> = {}): Cue => ({
    on: 'agent-stops',
    afterMs: [700, 1_200],
    action: { kind: 'say', text, voice: null, levelDb },
    role: 'turn',
    ...more,
  });
  switch (kind) {
    case 'question':
      return [say(pick(phrases.questions))];
    case 'halves': {
      const [one, two] = pick(phrases.halves);
      return [say(one, { role: 'unfinished' }), say(two, { on: 'caller-stops', afterMs: [600, 1_100] })];
    }
    case 'addition':
      return [
        say(pick(phrases.questions), { role: 'unfinished' }),
        say(pick(phrases.additions), { on: 'caller-stops', afterMs: [900, 1_300] }),
      ];
    case 'stall':
      return [
        { on: 'agent-stops', afterMs: [900, 900], action: { kind: 'stall', ms: 600 }, role: 'aside' },
        say(pick(phrases.questions), { afterMs: [920, 1_300] }),
      ];
  }
}

function overAnswer(
  over: Over,
  phrases: CallerPhrases,
  levelDb: number,
  { pick, atMs, under }: { pick: Pick; atMs: number; under: number },
): Cue[] {
  const at = (action: CueAction, role: Cue['role'] = 'aside'): Cue[] => [
    { on: 'agent-starts', afterMs: [atMs, atMs], action, role },
  ];
  switch (over) {
    case 'interruption':
      return at({ kind: 'say', text: pick(phrases.interruptions), voice: null, levelDb }, 'interruption');
    case 'encouragement':
      return at({ kind: 'say', text: pick(phrases.encouragements), voice: null, levelDb });
    case 'cough':
      return at({ kind: 'sound', sound: 'cough', ms: 350, recognised: '', levelDb });
    case 'hum':
      return at({ kind: 'sound', sound: 'hum', ms: 500, recognised: 'mm-hmm', levelDb });
    case 'other': {
      const voice = pick(['flite-slt', 'flite-awb', 'flite-kal16']);
      return at({ kind: 'say', text: pick(phrases.asides), voice, levelDb: levelDb - under });
    }
    case 'nothing':
      return [];
  }
}
