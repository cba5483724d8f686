// Agents as clients send and read them.

import { type Static, Type } from 'typebox';
import { nullable, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { NOT_BLANK } from '../frame/patterns.ts';
import { ToolIds } from '../tools/schema.ts';
import { versionNumbers } from '../versions/version-fields.ts';
import { Languages, Locale } from './languages.ts';

const Words = (maxItems: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }), { maxItems, description });

/** Every field may be left out; docs/agents.md explains each one. */
const Conversation = Type.Partial(
  Type.Object({
    firstSpeaker: Type.Enum(['auto', 'agent', 'caller'], {
      description:
        'Who speaks first. `auto` (default): the agent; a person whom we call is given 1.2 s to say hello. `caller`: the agent waits for the other side',
    }),
    responsiveness: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'How soon a turn counts as ended: 0 waits 1.4 times as long as usual, 1 only 0.6 times. Default 0.5. Without effect where the business sets silenceThresholdMs',
    }),
    interruptionSensitivity: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "In place of the business's: 0 never yields, 1 yields to 120 ms of voice or one word",
    }),
    backchannelWords: Words(50, 'Further words that only encourage the agent and never interrupt it'),
    groupAcknowledgement: Type.Union([Type.Literal('word'), Type.Literal('repeat'), Type.Literal('none')], {
      description:
        'What a caller hears who gives a number or a spelling in groups, while more of it is to come: a short word (default), the group repeated, or nothing',
    }),
    keywords: Words(200, 'Names and terms that the recogniser should expect'),
    pronunciations: Type.Array(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
          say: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 200, description: 'What the voice says in place of a word; the transcript keeps the word' },
    ),
    reminderSeconds: Type.Integer({
      minimum: 2,
      maximum: 120,
      description: 'Silence before "are you still there?", and before the goodbye after the last one. Default 8',
    }),
    reminders: Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'How often it is asked before the goodbye. Default 2',
    }),
    protectGreeting: Type.Boolean({
      description: 'The greeting is spoken to its end whatever the caller says. Default false',
    }),
    lineLostWords: Type.String({
      maxLength: 300,
      description:
        'What the agent says when the line is back after it was lost for a moment; empty: nothing. Default: "Sorry, I lost you for a moment. You were saying?" in the agent\'s language',
    }),
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
      description: 'A model of the configured server in place of OPENAI_MODEL; the built-in receptionist has none',
    }),
    temperature: Type.Number({ minimum: 0, maximum: 2, description: 'Sampling temperature of the model. Default 0.4' }),
    modelTimeoutMs: Type.Integer({
      minimum: 1_000,
      maximum: 30_000,
      description:
        "How long a caller waits for the model's first word, from the end of their turn. Default: LLM_TIMEOUT_MS of the service, 8000",
    }),
    guessing: Type.Boolean({
      description:
        'Prepare replies while the end of a turn is uncertain: quicker answers, about a third more requests to the model. Default true',
    }),
    speechToSpeech: Type.Boolean({
      description:
        'The speech-to-speech model of the service answers, where it has one. false: recogniser, language model and voice do. Default true',
    }),
    speechModel: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
      description: 'Another speech-to-speech model of the same vendor in place of the service’s',
    }),
    speechVoice: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: NOT_BLANK,
      description:
        'A voice of the speech-to-speech model in place of the service’s; the greeting stays in the voice of voiceId',
    }),
  }),
  { additionalProperties: false, title: 'ConversationSettings' },
);

const AgentCount = Type.Object({ calls: Type.Integer(), phoneNumbers: Type.Integer() });

export const AgentRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    voiceId: Type.String(),
    language: Type.String({ description: 'Locale, e.g. en-US' }),
    primaryLanguage: Type.String({ description: 'First part of the language, e.g. en' }),
    additionalLanguages: Type.Array(Type.String()),
    languages: Languages,
    conversation: Conversation,
    toolIds: Type.Array(Type.String()),
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    deletedAt: nullable(Timestamp),
    ...versionNumbers,
    _count: Type.Optional(AgentCount),
  },
  { title: 'Agent' },
);
export type AgentRecord = Static<typeof AgentRecord>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  description: nullable(Type.String({ maxLength: 2_000 })),
  voiceId: Type.String({ minLength: 1, maxLength: 100, description: 'One of GET /voices' }),
  language: Locale,
  additionalLanguages: Type.Array(Locale, { maxItems: 20 }),
  languages: Languages,
  conversation: Conversation,
  toolIds: ToolIds,
  isActive: Type.Boolean(),
};

export const AgentCreate = Type.Object(
  {
    name: fields.name,
    voiceId: fields.voiceId,
    description: Type.Optional(fields.description),
    language: Type.Optional(fields.language),
    additionalLanguages: Type.Optional(fields.additionalLanguages),
    languages: Type.Optional(fields.languages),
    conversation: Type.Optional(fields.conversation),
    toolIds: Type.Optional(fields.toolIds),
    isActive: Type.Optional(fields.isActive),
  },
  { additionalProperties: false },
);
export type AgentCreate = Static<typeof AgentCreate>;

export const AgentPatch = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type AgentPatch = Static<typeof AgentPatch>;

export const AgentQuery = Type.Object({ ...pageQuery, isActive: Type.Optional(Type.Boolean()) });
export type AgentQuery = Static<typeof AgentQuery>;
