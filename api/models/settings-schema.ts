// The settings by which an ADMIN chooses the engines that listen, think and speak, and their form in an answer: a key
// never leaves the service.

import { type Static, Type } from 'typebox';
import { MODEL_FIELDS, MODEL_KINDS } from '../../db/domain/model-settings.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { LANGUAGE_TAG } from '../frame/patterns.ts';

export const SettableKind = oneOf(MODEL_KINDS);

const StoredKey = nullable(
  Type.Object(
    { end: nullable(Type.String({ description: 'Its last four characters; null for a short key, or a variable’s' })) },
    { title: 'StoredKey' },
  ),
);

export const ModelSettings = Type.Object(
  {
    kind: SettableKind,
    revision: Type.Integer({ description: 'Grows with every change; 0: nothing was ever set' }),
    changedAt: nullable(Timestamp),
    engine: nullable(
      Type.String({
        description: 'A name of GET /admin/models; null: the best that is installed, of `speech-to-speech` none',
      }),
    ),
    baseUrl: nullable(Type.String({ description: 'null: the vendor’s' })),
    model: nullable(Type.String({ description: 'null: the engine’s default' })),
    apiKey: StoredKey,
    voices: nullable(Type.String({ description: 'Of `tts`, as `TTS_VOICES`' })),
    voice: nullable(Type.String({ description: 'Of `speech-to-speech`, by the vendor’s name; null: its default' })),
    fallbackBaseUrl: nullable(Type.String({ description: 'Of `llm`: a second model’s server' })),
    fallbackModel: nullable(Type.String({ description: 'Of `llm`' })),
    fallbackApiKey: StoredKey,
    fixed: Type.Array(Type.Object({ field: oneOf(MODEL_FIELDS), variable: Type.String() }, { title: 'FixedSetting' }), {
      description: 'Fields that an environment variable sets; they cannot be changed here',
    }),
    running: nullable(
      Type.String({
        description:
          'What new calls use now; null while the engine is down. Of `speech-to-speech` also `cascade`: recogniser, ' +
          'dialogue model and voice',
      }),
    ),
    state: oneOf(['in-use', 'waiting', 'failed'] as const, {
      description: '`waiting`: the engine has not taken the settings yet; `failed`: the former engine goes on',
    }),
    error: nullable(Type.String({ description: 'Why the engine did not take the settings' })),
  },
  { title: 'ModelSettings' },
);
export type ModelSettings = Static<typeof ModelSettings>;

const text = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ minLength: 1, maxLength, description })));
const key = () =>
  Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 512,
        writeOnly: true,
        description: 'Stays if absent, but is dropped when the engine or the server changes',
      }),
    ),
  );

const fields = {
  engine: text(200, 'null: the best that is installed; of `speech-to-speech`, as `cascade`, none'),
  baseUrl: text(500, 'http or https; of `stt` and `speech-to-speech` also ws or wss'),
  model: text(200, 'null: the engine’s default'),
  apiKey: key(),
  voices: text(2_000, 'Of `tts`, as `TTS_VOICES`'),
  voice: text(200, 'Of `speech-to-speech`, by the vendor’s name'),
  fallbackBaseUrl: text(500, 'Of `llm`'),
  fallbackModel: text(200, 'Of `llm`'),
  fallbackApiKey: key(),
};

export const ModelSettingsTest = Type.Object(
  {
    ...fields,
    language: Type.Optional(
      Type.String({
        pattern: LANGUAGE_TAG,
        maxLength: 35,
        description: 'Of the sentence, for `stt` and `tts`; default English',
      }),
    ),
    spokenBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Of `stt`: the engine that says the sentence; default the built-in voice',
      }),
    ),
  },
  { additionalProperties: false },
);
const ChangedFields = Type.Object(fields);
export const ModelSettingsPatch = Type.Object(
  {
    ...fields,
    revision: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Of the settings that were read: 409 if they have changed since' }),
    ),
  },
  { additionalProperties: false },
);
export type ModelSettingsChanges = Static<typeof ChangedFields>;

const outcome = {
  engine: Type.String({ description: 'What was tested' }),
  error: nullable(Type.String({ description: 'Why it does not work; null if it does' })),
  firstMs: nullable(Type.Integer({ description: 'To the first word, the first audio, or the recognised text' })),
  totalMs: nullable(Type.Integer({ description: 'To the end of the answer' })),
  text: nullable(Type.String({ description: 'The answer’s words, or those that were recognised' })),
  audioBytes: nullable(Type.Integer({ description: 'Of `tts` and `speech-to-speech`' })),
};

export const ModelTestResult = Type.Object(
  {
    ...outcome,
    sentence: nullable(Type.String({ description: 'Said by a voice, or to a recogniser' })),
    wordErrors: nullable(Type.Integer({ description: 'Of `stt`: words of the sentence that it heard differently' })),
    fallback: nullable(Type.Object(outcome, { title: 'FallbackTestResult' })),
  },
  { title: 'ModelTestResult' },
);
