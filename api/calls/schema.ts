// The schema of a call's record and of all that it carries.

import { type Static, type TSchema, Type } from 'typebox';
import { CALL_OUTCOMES, END_REASONS } from '../../db/domain/calls/ends.ts';
import { CALL_PROBLEMS } from '../../db/domain/calls/problems.ts';
import { RESUME_CAUSES } from '../../db/domain/calls/timeline.ts';
import { TRANSFER_MODES, TRANSFER_RESULTS } from '../../db/domain/numbers/transfer-destinations.ts';
import type { CallResource } from '../../db/records/call-record.ts';
import { AppointmentRecord } from '../appointments/schema.ts';
import { CallCostRecord } from '../costs/schema.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { Texts } from '../frame/variables.ts';

/** `SCHEDULED`: of calls whose time has not come; they are in lists that ask for it, and in no other. */
export const CALL_STATUSES = ['RINGING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'VOICEMAIL', 'SCHEDULED'] as const;
export const DIRECTIONS = ['inbound', 'outbound'] as const;
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

export const TranscriptRecord = Type.Object(
  {
    speaker: oneOf(['agent', 'caller', 'person'] as const, {
      description:
        '`person`: to whom the caller was to be, or was, handed; or who talks in the agent’s place, or to the agent',
    }),
    text: Type.String(),
    timestamp: Type.Integer({ description: 'Milliseconds from the start of the call' }),
    line: Type.Optional(
      oneOf(['person'] as const, {
        description: 'Said on the person’s line only: the caller did not hear it. Absent: the caller’s line',
      }),
    ),
  },
  { title: 'TranscriptEntry' },
);

const measuredOn = oneOf(['line', 'recording'] as const);
const ClockMs = (description: string) => Type.Integer({ description });
const StageMs = (description: string) => nullable(ClockMs(description));

const Yields = Type.Object(
  { count: Type.Integer(), p50Ms: Type.Number(), p95Ms: Type.Number() },
  { description: 'A caller’s interruption to the agent’s silence; absent where nobody interrupted' },
);

const TurnTimingRecord = Type.Object(
  {
    speechEndAtMs: ClockMs('The caller’s last sound arrived'),
    recognisedAtMs: StageMs('The recogniser’s final text; null where a partial one had to do'),
    askedAtMs: StageMs('The reply was asked for'),
    turnEndAtMs: StageMs('The silence became the end of the turn'),
    firstTokenAtMs: StageMs('The model’s first word; null where the text was fixed'),
    firstClauseAtMs: StageMs('The first clause was handed to speech synthesis'),
    firstAudioAtMs: StageMs('Its first audio came'),
    firstPacketAtMs: ClockMs('The first packet was sent'),
    guessed: Type.Boolean({ description: 'Prepared before the end of the turn' }),
    gapMs: Type.Integer({ description: 'The caller’s last sound to the agent’s first' }),
    measuredOn,
    unrecordedMs: Type.Integer({ description: 'By how much the gap is shorter in the recording' }),
  },
  { description: 'Times are milliseconds from the answer' },
);

const BargeInRecord = Type.Object(
  {
    onsetAtMs: ClockMs('The caller began to speak'),
    yieldingAtMs: ClockMs('The first packet with a lower voice, or none'),
    silentAtMs: ClockMs('The first silent packet'),
    yieldMs: Type.Integer({ description: 'Onset to silence' }),
    measuredOn,
    unrecordedMs: Type.Integer(),
  },
  { description: 'Times are milliseconds from the answer' },
);

const ToolCallRecord = Type.Object({
  startedAtMs: ClockMs('From the answer'),
  tookMs: Type.Integer(),
  name: Type.String(),
  arguments: Type.Unknown({ description: 'As the model gave them; over 4,000 characters the beginning of their JSON' }),
  result: Type.Unknown({ description: 'What the model was told; over 4,000 characters the beginning of its JSON' }),
  outcome: oneOf(['done', 'refused', 'late', 'unanswered'] as const, {
    description: '`late`: the conversation went on before the result came; `unanswered`: the call ended before it',
  }),
});

export const LanguageChangeRecord = Type.Object(
  {
    atMs: ClockMs('From the answer'),
    from: Type.String({ description: 'BCP 47' }),
    to: Type.String(),
    by: oneOf(['wish', 'key', 'detected'] as const, {
      description: "The caller's words, a key, or the language that the recogniser heard",
    }),
    outcome: oneOf(['changed', 'no_voice', 'no_recogniser'] as const, {
      description: 'Where it is not `changed`, the call went on in the language before',
    }),
  },
  { title: 'LanguageChange' },
);

export const ResumptionRecord = Type.Object(
  {
    atMs: ClockMs('The line was back, from the answer; 0: while it rang'),
    gapMs: Type.Integer({ description: 'How long the caller had heard nothing' }),
    cause: oneOf(RESUME_CAUSES, {
      description: '`crash`: its engine died; `upgrade`: it made room for a new release; `moved`: its machine was lost',
    }),
  },
  { title: 'Resumption' },
);

export const CallProblemBody = Type.Object(
  {
    kind: oneOf(CALL_PROBLEMS, {
      description:
        '`misheard`: the caller said something else; `interrupted`: the agent spoke into the caller’s sentence, or did not let itself be interrupted',
    }),
    note: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
  },
  { additionalProperties: false },
);
export type CallProblemBody = Static<typeof CallProblemBody>;

export const CallProblemRecord = Type.Object(
  {
    timestamp: Type.Integer({ description: 'That of the line of the transcript' }),
    kind: oneOf(CALL_PROBLEMS),
    note: nullable(Type.String()),
    createdAt: Timestamp,
  },
  { title: 'CallProblem' },
);
export type CallProblemRecord = Static<typeof CallProblemRecord>;

const TransferTryRecord = Type.Object(
  {
    destination: Type.String({ description: 'Its name' }),
    mode: oneOf(TRANSFER_MODES),
    startedAtMs: ClockMs('From the answer'),
    tookMs: Type.Integer({ description: 'Until the result' }),
    answeredAtMs: nullable(ClockMs('The person’s line was answered; null: it was not')),
    result: oneOf(TRANSFER_RESULTS, {
      description: '`silent`: nothing that decides was said; `withdrawn`: another person took the call, or it ended',
    }),
  },
  { title: 'TransferTry' },
);

/** The members of the record, as defined by the columns: a missing one does not compile. */
const members = {
  id: Type.String(),
  businessId: Type.String(),
  campaignId: Type.String(),
  agentId: Type.String(),
  phoneNumberId: nullable(Type.String()),
  direction: oneOf(DIRECTIONS),
  fromNumber: Type.String({ description: 'E.164; `web` for a browser call' }),
  toNumber: Type.String({ description: 'E.164' }),
  forwardedFrom: nullable(
    Type.String({ description: 'The number that the caller dialled first, where it forwards its calls to toNumber' }),
  ),
  callerName: nullable(Type.String()),
  variables: Texts,
  metadata: Texts,
  status: oneOf(CALL_STATUSES),
  outcome: nullable(Type.String({ description: `${CALL_OUTCOMES.join(', ')}; the list is open` })),
  endReason: nullable(Type.String({ description: `${END_REASONS.join(', ')}; the list is open` })),
  startedAt: Timestamp,
  endedAt: nullable(Timestamp),
  durationSeconds: Type.Integer({ description: 'From the answer; 0 without one' }),
  sentiment: nullable(oneOf(SENTIMENTS)),
  summary: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  transcript: Type.Array(TranscriptRecord),
  latency: nullable(
    Type.Object(
      {
        turns: Type.Integer(),
        p50Ms: Type.Number(),
        p95Ms: Type.Number(),
        yields: Type.Optional(Yields),
        timeline: Type.Optional(Type.Array(TurnTimingRecord, { description: 'The first 500 turns; not in lists' })),
        bargeIns: Type.Optional(Type.Array(BargeInRecord, { description: 'The first 500; not in lists' })),
      },
      { description: 'The caller’s last sound to the agent’s first, over the answered turns' },
    ),
  ),
  toolCalls: Type.Optional(
    Type.Array(ToolCallRecord, {
      description: 'What the dialogue had done by its tools: the first 500; absent where there is none, and in lists',
    }),
  ),
  sources: Type.Optional(
    Type.Array(
      Type.Object({
        atMs: ClockMs('The reply was made, from the answer'),
        documentId: Type.String(),
        name: Type.String({ description: 'The document’s' }),
        heading: Type.String(),
        passage: Type.String({ description: 'Its first 500 characters' }),
      }),
      {
        description:
          'Passages of the business’s documents that replies were made from: the first 100; absent where there is none, and in lists',
      },
    ),
  ),
  transfers: Type.Optional(
    Type.Array(TransferTryRecord, {
      description:
        'Each try to hand the caller to one of the destinations: the first 100; absent where there is none, and in lists',
    }),
  ),
  languageChanges: Type.Optional(
    Type.Array(LanguageChangeRecord, {
      description:
        'Each time the call went on in another language, or was to: the first 500; absent where there is none, and in lists',
    }),
  ),
  resumptions: Type.Optional(
    Type.Array(ResumptionRecord, {
      description:
        'Each time another engine went on with the call, the last 20; absent where there is none, and in lists',
    }),
  ),
  problems: Type.Optional(
    Type.Array(CallProblemRecord, {
      description: 'Lines that somebody found wrong, in their order; absent where there is none, and in lists',
    }),
  ),
  scheduled: Type.Optional(
    Type.Object(
      {
        at: Timestamp,
        by: oneOf(['api', 'agent', 'reminder'] as const),
        inCallId: nullable(Type.String({ description: 'The call in which the agent was asked for it' })),
        reason: nullable(Type.String()),
        problem: nullable(Type.String({ description: 'Why it could not be placed so far' })),
      },
      { description: 'With status SCHEDULED alone; its `startedAt` is the same time' },
    ),
  ),
  usage: nullable(
    Type.Object(
      {
        promptTokens: nullable(Type.Integer()),
        cachedTokens: nullable(Type.Integer({ description: 'Of the prompt tokens, those from the cache' })),
        completionTokens: nullable(Type.Integer()),
        requests: Type.Integer({ description: 'To the dialogue model, with retries' }),
        fallbackRequests: Type.Integer({ description: 'Of the requests, those to the fallback model' }),
        discardedRequests: Type.Integer({
          description: 'Of the requests, those whose reply was never spoken, because the caller went on',
        }),
        discardedTokens: nullable(Type.Integer()),
      },
      { description: 'Tokens are null where the server reports none; null without a model server' },
    ),
  ),
  cost: nullable(CallCostRecord),
  waits: nullable(
    Type.Object(
      { count: Type.Integer(), longestMs: Type.Integer({ description: 'Until the answer or the apology' }) },
      {
        description:
          'Turns whose first words were no answer: "Let me see", an apology. Latency counts answers alone; null without one',
      },
    ),
  ),
  languages: Type.Array(Type.String(), {
    description: 'BCP 47: in which the call was led, in order; empty until its end, and where it was not answered',
  }),
  agentVersion: nullable(
    Type.Integer({
      description: 'The version of the agent by which it was led (GET /agents/:id/versions); null until its end',
    }),
  ),
  businessVersion: nullable(Type.Integer({ description: 'As `agentVersion`, of the business' })),
  fallbacks: Type.Array(
    Type.Object({
      model: oneOf(['stt', 'tts', 'llm', 'speech-to-speech'] as const),
      from: Type.String({ description: 'The engine or model that failed' }),
      to: Type.String({
        description:
          'The one that took over; of a dialogue model `receptionist`, or `message` where nobody answered the turn; of a ' +
          'speech-to-speech model `cascade`: recogniser, dialogue model and voice, for the rest of the call',
      }),
      count: Type.Integer({ description: 'Utterances, clauses, or turns of the caller' }),
      reason: Type.Optional(
        Type.String({ description: 'Why a dialogue model failed: LLM_TIMEOUT, LLM_UNAVAILABLE, LLM_DOWN …' }),
      ),
    }),
    { description: 'Where something else did the work of the chosen engine; empty when all went well' },
  ),
  analysis: nullable(
    Type.Object(
      {
        data: Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: {},
          description: 'By output; null where nothing that fits was found',
        }),
        reasons: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Why an output is null',
        }),
        criteria: Type.Unsafe<Record<string, boolean | null>>({
          type: 'object',
          additionalProperties: { type: ['boolean', 'null'] },
          description: 'By criterion; null where it could not be judged',
        }),
        by: oneOf(['model', 'receptionist'] as const),
        analysedAt: Timestamp,
      },
      { description: 'What was found of the call some seconds after its end; null: nothing is wanted, or not yet' },
    ),
  ),
  score: nullable(Type.Number({ description: 'The share of the judged criteria that are met, 0 to 1' })),
  disposition: nullable(
    Type.String({ description: 'The output `disposition`; without one met, partly_met or not_met, by the criteria' }),
  ),
  sipStatus: nullable(Type.Integer({ description: 'Final status of the INVITE where the network refused it' })),
  q850Cause: nullable(Type.Integer({ description: 'Q.850 cause where the peer sent one: 17 busy, 21 rejected, …' })),
  appointments: Type.Array(AppointmentRecord),
  erasedAt: nullable(
    Type.String({ format: 'date-time', description: 'When names, numbers, words and recording were erased' }),
  ),
} satisfies Record<
  | keyof CallResource
  | 'toolCalls'
  | 'sources'
  | 'transfers'
  | 'languageChanges'
  | 'resumptions'
  | 'problems'
  | 'scheduled',
  TSchema
>;

export const CallRecord = Type.Object(members, { title: 'Call' });
