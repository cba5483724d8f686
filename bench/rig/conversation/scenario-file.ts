// A conversation scenario: the cues, their times, the line, and the expectations. One YAML file each, see
// docs/conversation.md.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Errors, Value } from 'typebox/value';
import { parse } from 'yaml';
import { SOUNDS, type SoundName } from '../../../engine/test-runs/caller/sounds.ts';

const strict = { additionalProperties: false };
const Milliseconds = Type.Number({ minimum: 0, maximum: 120_000 });
/** Fixed, or drawn uniformly from a range by the take's seed. */
const Wait = Type.Union([Type.Number(), Type.Tuple([Type.Number(), Type.Number()])]);

const Sound = Type.Union(SOUNDS.map((sound) => Type.Literal(sound)));

const Cue = Type.Object(
  {
    on: Type.Optional(
      Type.Union([
        Type.Literal('answered'),
        Type.Literal('agent-starts'),
        Type.Literal('agent-stops'),
        Type.Literal('caller-starts'),
        Type.Literal('caller-stops'),
      ]),
    ),
    after: Type.Optional(Wait),
    say: Type.Optional(Type.String({ minLength: 1 })),
    sound: Type.Optional(Sound),
    /** The text that a recogniser returns for the sound. */
    recognised: Type.Optional(Type.String()),
    press: Type.Optional(Type.String({ pattern: '^[0-9*#A-D]+$' })),
    stall: Type.Optional(Milliseconds),
    ms: Type.Optional(Milliseconds),
    voice: Type.Optional(Type.String()),
    level: Type.Optional(Type.Number({ minimum: -60, maximum: 12 })),
    as: Type.Optional(
      Type.Union([
        Type.Literal('turn'),
        Type.Literal('unfinished'),
        Type.Literal('aside'),
        Type.Literal('interruption'),
      ]),
    ),
  },
  strict,
);

const Reply = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ say: Type.String({ minLength: 1 }), call: Type.String() }, strict),
]);

const File = Type.Object(
  {
    about: Type.String({ minLength: 1 }),
    takes: Type.Optional(Type.Integer({ minimum: 2, maximum: 1_000 })),
    direction: Type.Optional(Type.Union([Type.Literal('inbound'), Type.Literal('outbound')])),
    voice: Type.Optional(Type.String()),
    agent: Type.Object(
      {
        replies: Type.Array(Reply),
        'first-token-ms': Type.Optional(Milliseconds),
        refusals: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      strict,
    ),
    background: Type.Optional(Type.Object({ sound: Sound, level: Type.Number() }, strict)),
    echo: Type.Optional(Type.Object({ level: Type.Number(), delay: Milliseconds }, strict)),
    line: Type.Optional(
      Type.Object({ loss: Type.Optional(Type.Number()), jitter: Type.Optional(Milliseconds) }, strict),
    ),
    caller: Type.Array(Cue),
    /** Silence of the caller after the last cue, and the agent's prompts within it. */
    silence: Type.Optional(Milliseconds),
    expect: Type.Optional(
      Type.Object(
        {
          /** The turns as the model should have heard them; by default, one for each turn or interruption. */
          turns: Type.Optional(Type.Array(Type.String())),
          transferred: Type.Optional(Type.Boolean()),
          prompts: Type.Optional(Type.Integer()),
        },
        strict,
      ),
    ),
  },
  strict,
);

type CueEvent = 'answered' | 'agent-starts' | 'agent-stops' | 'caller-starts' | 'caller-stops';
/**
 * A `turn` is finished and wants an answer. An `unfinished` utterance is continued by the next. An `aside` is no turn.
 */
type CueRole = 'turn' | 'unfinished' | 'aside' | 'interruption';

export type CueAction =
  | { kind: 'say'; text: string; voice: string | null; levelDb: number }
  | { kind: 'sound'; sound: SoundName; ms: number; recognised: string; levelDb: number }
  | { kind: 'press'; digits: string }
  | { kind: 'stall'; ms: number };

export interface Cue {
  on: CueEvent;
  /** Lowest and highest wait after the event, ms. Negative after `agent-stops`: before the end of the phrase. */
  afterMs: readonly [number, number];
  action: CueAction;
  role: CueRole;
}

export interface Scenario {
  name: string;
  about: string;
  takes: number;
  direction: 'inbound' | 'outbound';
  /** Null: the take's seed chooses. */
  voice: string | null;
  replies: Array<{ say: string; call: string | null }>;
  firstTokenMs: number | null;
  refusals: number;
  /** Level relative to the caller's voice. */
  background: { sound: SoundName; levelDb: number } | null;
  echo: { levelDb: number; delayMs: number } | null;
  lossPercent: number;
  jitterMs: number;
  cues: Cue[];
  silenceMs: number;
  /** The caller's turns, with the parts of a turn joined. */
  expectedTurns: string[];
  expectedPrompts: number;
  isTransferred: boolean;
}

const DEFAULT_TAKES = 4;
const DEFAULT_WAIT_MS = [700, 1_200] as const;
const SOUND_MS: Record<SoundName, number> = {
  cough: 350,
  hum: 500,
  babble: 5_000,
  radio: 5_000,
  music: 5_000,
  noise: 3_000,
};

export class ScenarioError extends Error {
  readonly code = 'SCENARIO_INVALID';
}

/** @throws {ScenarioError} naming the place in the file that is wrong */
export function parseScenario(name: string, text: string): Scenario {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new ScenarioError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  if (!Value.Check(File, value)) {
    const [first] = Errors(File, value);
    throw new ScenarioError(`${name}: ${first?.instancePath || '/'} ${first?.message ?? 'is not a scenario'}`);
  }
  const cues = value.caller.map((cue, index) => cueOf(cue, index, name));
  const { agent, expect } = value;
  return {
    name,
    about: value.about.trim(),
    takes: value.takes ?? DEFAULT_TAKES,
    direction: value.direction ?? 'inbound',
    voice: value.voice ?? null,
    replies: agent.replies.map((reply) => (typeof reply === 'string' ? { say: reply, call: null } : reply)),
    firstTokenMs: agent['first-token-ms'] ?? null,
    refusals: agent.refusals ?? 0,
    background: value.background ? { sound: value.background.sound, levelDb: value.background.level } : null,
    echo: value.echo ? { levelDb: value.echo.level, delayMs: value.echo.delay } : null,
    lossPercent: value.line?.loss ?? 0,
    jitterMs: value.line?.jitter ?? 0,
    cues,
    silenceMs: value.silence ?? 0,
    expectedTurns: expect?.turns ?? turnsOf(cues),
    expectedPrompts: expect?.prompts ?? 0,
    isTransferred: expect?.transferred ?? false,
  };
}

function cueOf(cue: Static<typeof Cue>, index: number, name: string): Cue {
  const after = cue.after ?? (index === 0 || cue.on === undefined ? DEFAULT_WAIT_MS : 0);
  const action = actionOf(cue);
  if (action === null) throw new ScenarioError(`${name}: /caller/${index} has none of say, sound, press and stall`);
  return {
    on: cue.on ?? 'agent-stops',
    afterMs: typeof after === 'number' ? [after, after] : [after[0], after[1]],
    action,
    role: cue.as ?? (action.kind === 'say' || action.kind === 'press' ? 'turn' : 'aside'),
  };
}

function actionOf(cue: Static<typeof Cue>): CueAction | null {
  const levelDb = cue.level ?? 0;
  if (cue.say !== undefined) return { kind: 'say', text: cue.say, voice: cue.voice ?? null, levelDb };
  if (cue.sound !== undefined) {
    const { sound, recognised = '', ms = SOUND_MS[sound] } = cue;
    return { kind: 'sound', sound, ms, recognised, levelDb };
  }
  if (cue.press !== undefined) return { kind: 'press', digits: cue.press };
  return cue.stall === undefined ? null : { kind: 'stall', ms: cue.stall };
}

/** One text for each turn; an unfinished utterance joins the next. */
function turnsOf(cues: readonly Cue[]): string[] {
  const turns: string[] = [];
  let open: string[] = [];
  for (const { action, role } of cues) {
    if ((action.kind !== 'say' && action.kind !== 'press') || role === 'aside') continue;
    open.push(action.kind === 'say' ? action.text : action.digits);
    if (role === 'unfinished') continue;
    turns.push(open.join(' '));
    open = [];
  }
  return open.length === 0 ? turns : [...turns, open.join(' ')];
}

const FOLDER = new URL('../scenarios/', import.meta.url);

/** @throws {ScenarioError} */
export function readScenario(path: string): Scenario {
  return parseScenario(basename(path).replace(/\.ya?ml$/, ''), readFileSync(path, 'utf8'));
}

/** All scenarios of the bench, by name. @throws {ScenarioError} */
export function readScenarios(): Scenario[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => readScenario(fileURLToPath(new URL(file, FOLDER))));
}
