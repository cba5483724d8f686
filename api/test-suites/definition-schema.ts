// The definition of a test's case as clients send and read it: context, mocked tools, turns, checks.

import { Type } from 'typebox';
import type { EvalDefinition, SimulationDefinition } from '../../db/domain/tests/definitions.ts';
import { LANGUAGE_TAG, NOT_BLANK, patterned } from '../frame/patterns.ts';

const strict = { additionalProperties: false } as const;
const Words = (maxLength = 500) => Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK });
const Name = Type.String({ minLength: 1, maxLength: 200 });
export const LANGUAGE = {
  pattern: LANGUAGE_TAG,
  maxLength: 35,
  description: 'BCP 47: `de` or `de-DE`',
};
const Values = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, maxProperties: 50, description });
const Texts = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 4_000 },
  maxProperties: 50,
});

const Said = (description: string) =>
  Type.Union([Words(), Type.Array(Words(), { minItems: 1, maxItems: 20 })], { description });

const TestCheck = Type.Object(
  {
    said: Type.Optional(
      Said(
        'Words of the agent, or several of which one is enough. `*`: any words; `appoint*`: any ending; `#`: a number',
      ),
    ),
    notSaid: Type.Optional(Said('Words that the agent does not say')),
    tool: Type.Optional(
      Type.Object(
        {
          name: Name,
          arguments: Type.Optional(Values('Arguments that it has at least; texts as patterns')),
        },
        { ...strict, description: 'A tool that runs' },
      ),
    ),
    noTool: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A tool that does not run; `*`: none' }),
    ),
    data: Type.Optional(Values('Values that the conversation has left: variables that tools have set, and outputs')),
    transferredTo: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The name of a destination, or its number' }),
    ),
    endedBy: Type.Optional(Type.Unsafe<'agent' | 'caller'>({ type: 'string', enum: ['agent', 'caller'] })),
    language: Type.Optional(Type.String(LANGUAGE)),
    gapAtMostMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000, description: 'Of simulations' })),
    noCutOff: Type.Optional(
      Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Of simulations: it never speaks too early' }),
    ),
    judge: Type.Optional(
      Type.Object(
        { question: Words(1_000) },
        { ...strict, description: 'A question that a language model answers yes' },
      ),
    ),
  },
  { ...strict, minProperties: 1, maxProperties: 1, description: 'One field: what is looked at' },
);
export const Checks = Type.Array(TestCheck, { maxItems: 50 });

const ToolMock = Type.Object(
  {
    name: Name,
    when: Type.Optional(Values('Arguments at which it counts, at least; absent: any')),
    result: Type.Optional(Type.Unknown({ description: 'Its answer' })),
    error: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'It fails with this instead' })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 30_000 })),
  },
  strict,
);

const Instant = Type.String({ format: 'date-time' });
export const TestContext = Type.Object(
  {
    callerNumber: Type.Optional(
      Type.String({
        pattern: patterned('^\\+[1-9]\\d{6,14}$', 'must be a number in E.164 form, for example +4930901820'),
      }),
    ),
    callerName: Type.Optional(Words(200)),
    direction: Type.Optional(Type.Unsafe<'inbound' | 'outbound'>({ type: 'string', enum: ['inbound', 'outbound'] })),
    variables: Type.Optional(Texts),
    now: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the conversation begins; absent: the time of the run' }),
    ),
    booked: Type.Optional(
      Type.Array(Type.Object({ startsAt: Instant, endsAt: Instant }, strict), {
        maxItems: 100,
        description: 'Times at which somebody has an appointment already',
      }),
    ),
  },
  strict,
);

const common = {
  language: Type.Optional(Type.String(LANGUAGE)),
  context: Type.Optional(TestContext),
  tools: Type.Optional(
    Type.Array(ToolMock, {
      maxItems: 50,
      description: 'What tools answer: none is run. The first that fits counts; one without an entry fails',
    }),
  ),
  checks: Checks,
};

const EvalTurn = Type.Object(
  {
    say: Words(2_000),
    checks: Type.Optional(Checks),
    hint: Type.Optional(
      Type.String({ maxLength: 4_000, description: 'What an agent said here formerly: shown, not compared' }),
    ),
  },
  strict,
);

const History = Type.Array(
  Type.Object(
    { role: Type.Unsafe<'agent' | 'caller'>({ type: 'string', enum: ['agent', 'caller'] }), text: Words(4_000) },
    strict,
  ),
  { maxItems: 200, description: 'What was said before the first turn; absent: the greeting' },
);

const Caller = Type.Object(
  {
    voice: Type.Optional(Name),
    language: Type.Optional(Type.String(LANGUAGE)),
    line: Type.Optional(
      Type.Object(
        {
          noiseDb: Type.Optional(Type.Number({ minimum: 0, maximum: 60, description: 'Speech above the noise' })),
          lossPercent: Type.Optional(Type.Number({ minimum: 0, maximum: 50 })),
          echo: Type.Optional(Type.Boolean()),
          interruptions: Type.Optional(Type.Boolean()),
        },
        strict,
      ),
    ),
    script: Type.Optional(
      Type.Array(
        Type.Object(
          {
            after: Type.Optional(Words()),
            say: Words(2_000),
            heard: Type.Optional(
              Type.String({
                maxLength: 4_000,
                description: 'The agent’s words then: a question for the same is waited for',
              }),
            ),
            clip: Type.Optional(
              Type.Integer({ minimum: 0, maximum: 100, description: 'Said by the caller’s own voice of a kept call' }),
            ),
          },
          strict,
        ),
        { maxItems: 100 },
      ),
    ),
    goal: Type.Optional(Words(1_000)),
    facts: Type.Optional(Texts),
    drivenBy: Type.Optional(
      Type.Unsafe<'rules' | 'model'>({
        type: 'string',
        enum: ['rules', 'model'],
        description: 'What answers the agent towards the goal; absent: CALLER_MODEL where it is set, else rules',
      }),
    ),
  },
  { ...strict, description: 'Of simulations: who calls' },
);

/** Of either kind; which fields belong to which is checked by the service. */
export const TestDefinition = Type.Unsafe<Partial<EvalDefinition> & Partial<SimulationDefinition>>(
  Type.Object(
    {
      ...common,
      checks: Type.Optional(Checks),
      history: Type.Optional(History),
      turns: Type.Optional(Type.Array(EvalTurn, { minItems: 1, maxItems: 50, description: 'Of evals' })),
      caller: Type.Optional(Caller),
    },
    { ...strict, title: 'TestDefinition' },
  ),
);

export const TestCheckResult = Type.Object(
  {
    check: TestCheck,
    turn: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The turn whose reply was looked at, from 0; null: the whole conversation',
    }),
    passed: Type.Boolean(),
    expected: Type.String(),
    found: Type.String(),
    votes: Type.Optional(
      Type.Array(Type.Boolean(), { description: 'Answers of the judge: it passes where all are yes' }),
    ),
  },
  { title: 'TestCheckResult' },
);

/** A line of a test's conversation. */
export const TestLine = Type.Object(
  {
    role: Type.Unsafe<'agent' | 'caller' | 'tool' | 'note'>({
      type: 'string',
      enum: ['agent', 'caller', 'tool', 'note'],
    }),
    text: Type.Optional(Type.String()),
    hint: Type.Optional(Type.String({ description: 'What an agent said here formerly' })),
    name: Type.Optional(Type.String({ description: 'Of a tool' })),
    arguments: Type.Optional(Values('Of a tool')),
    result: Type.Optional(Type.Unknown({ description: 'Of a tool: what the model was told' })),
    ok: Type.Optional(Type.Boolean()),
    turn: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'From 0; null: before the first' }),
    atMs: Type.Optional(Type.Integer({ description: 'Of simulations: its beginning in the recording' })),
  },
  { title: 'TestLine' },
);
