// Schemas of what agents, businesses and tools were and will be: versions, drafts, canaries, and their publication.
import { type Static, Type } from 'typebox';
import { RUN_STATUSES } from '../../db/domain/tests/definitions.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';

const Value = (description: string) => Type.Unsafe<unknown>({ description });

const FieldChange = Type.Object(
  {
    field: Type.String(),
    from: Value('In a list at most 2,000 characters of its text or JSON'),
    to: Value('As `from`'),
    words: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), is: oneOf(['same', 'gone', 'new'] as const) }), {
        description: 'Of long texts: the words in order. Those that are `same` or `gone` make `from`, others `to`',
      }),
    ),
  },
  { title: 'FieldChange' },
);
export type FieldChange = Static<typeof FieldChange>;

const Share = (description: string) =>
  Type.Object(
    { share: Type.Number({ minimum: 0, maximum: 1 }), low: Type.Number(), high: Type.Number() },
    { description: `${description}; with 95 % confidence it lies between low and high` },
  );

const VersionCalls = Type.Object(
  {
    answered: Type.Integer({ description: 'The newest of its calls that were answered and have ended, at most 200' }),
    transferred: Share('To a person'),
    failed: Share('By a fault of a model or of the media; a call that a crash has ended names no version'),
    leftEarly: Share('The caller hung up within 20 s'),
    responseGapMs: nullable(
      Type.Object(
        { median: Type.Number(), low: Type.Number(), high: Type.Number() },
        { description: 'Of the calls’ medians of what callers waited for answers' },
      ),
    ),
  },
  { title: 'VersionCalls' },
);
export type VersionCalls = Static<typeof VersionCalls>;

const fields = {
  number: Type.Integer({ description: 'From 1, in order of the changes' }),
  isCurrent: Type.Boolean({ description: 'The published one: the next call runs by it' }),
  isDraft: Type.Boolean({ description: 'It waits to be published' }),
  actor: nullable(Type.String({ description: 'Id of the user; null for what was there before versions were kept' })),
  restoredFrom: nullable(Type.Integer({ description: 'The version that was brought back' })),
  createdAt: Timestamp,
  publishedAt: nullable(Timestamp),
  against: nullable(
    Type.Integer({
      description:
        'The version with which it is compared, by default the one that was changed; null: the first one kept',
    }),
  ),
  changes: Type.Array(FieldChange),
};

export const VersionRecord = Type.Object(
  {
    ...fields,
    calls: Type.Optional(nullable(VersionCalls)),
    testRuns: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          status: oneOf(RUN_STATUSES),
          suiteId: Type.String(),
          suiteName: Type.String(),
        }),
        { description: 'Of each test suite the newest run that tried it' },
      ),
    ),
  },
  { title: 'Version' },
);
export type VersionRecord = Static<typeof VersionRecord>;

export const VersionWithContent = Type.Object(
  {
    ...fields,
    content: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The fields as they were, without secrets',
    }),
  },
  { title: 'VersionWithContent' },
);
export type VersionWithContent = Static<typeof VersionWithContent>;

export const VersionQuery = Type.Object({
  ...pageQuery,
  calls: Type.Optional(Type.Boolean({ description: 'With what the calls of each version were like; null for tools' })),
  campaignId: Type.Optional(Type.String({ minLength: 1, description: 'With `calls`: of this campaign alone' })),
  tests: Type.Optional(Type.Boolean({ description: 'With the runs of test suites that tried each version' })),
});
export type VersionQuery = Static<typeof VersionQuery>;

export const SubjectParams = Type.Object({ id: Type.String() });
export const VersionParams = Type.Object({ id: Type.String(), number: Type.String() });
export const AgainstQuery = Type.Object({
  against: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'Another version to compare with; default: the one before',
    }),
  ),
});

const ofSubject = {
  subject: oneOf(['agent', 'business', 'tool'] as const),
  id: Type.String(),
  name: Type.String(),
};

export const DraftRecord = Type.Object(
  {
    ...ofSubject,
    publishedVersion: Type.Integer({ description: 'The version that calls obey' }),
    draftVersion: Type.Integer(),
    actor: nullable(Type.String({ description: 'Id of the user who changed it last' })),
    changedAt: Timestamp,
    changes: Type.Array(FieldChange, { description: 'Empty where only values of headers differ' }),
  },
  { title: 'Draft' },
);
export type DraftRecord = Static<typeof DraftRecord>;

const Figure = Type.Object({ value: Type.Number({ description: 'A share of 0 to 1, or ms' }), calls: Type.Integer() });

const Evidence = Type.Object(
  {
    measure: oneOf(['failed', 'transferred', 'leftEarly', 'responseGapMs'] as const),
    direction: oneOf(['more', 'fewer', 'slower'] as const),
    canary: Figure,
    published: Figure,
    p: Type.Number({
      description: 'The chance of such evidence, had the version been as good, however often one looks',
    }),
  },
  { title: 'CanaryEvidence' },
);

export const CanaryRecord = Type.Object(
  {
    id: Type.String(),
    subject: oneOf(['agent', 'business'] as const),
    subjectId: Type.String(),
    version: Type.Integer(),
    publishedVersion: Type.Integer({ description: 'With which it is compared' }),
    share: Type.Integer({ description: 'Per cent of the calls' }),
    calls: Type.Integer({ description: 'After so many that were not worse it is published' }),
    actor: Type.String({ description: 'Id of the user who began it' }),
    canaryCalls: Type.Integer({ description: 'Calls of it that count: answered, ended, of each number the first' }),
    publishedCalls: Type.Integer({ description: 'Calls of the published version in the same time' }),
    result: nullable(
      oneOf(['promoted', 'rolled_back', 'stopped'] as const, {
        description: '`rolled_back`: it was worse. `stopped`: by hand, or it could not be published. Null: it runs',
      }),
    ),
    evidence: Type.Array(Evidence, { description: 'Of one that was worse, the strongest first' }),
    createdAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { title: 'Canary' },
);
export type CanaryRecord = Static<typeof CanaryRecord>;

export const PublishBody = Type.Object(
  {
    canary: Type.Optional(
      Type.Object(
        {
          share: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 50,
              default: 10,
              description: 'Per cent of the calls, by their numbers',
            }),
          ),
          calls: Type.Optional(
            Type.Integer({
              minimum: 20,
              maximum: 1_000,
              default: 100,
              description: 'After so many of its calls that were not worse it is published to all',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const PublishedRecord = Type.Object(
  {
    ...ofSubject,
    from: Type.Integer({ description: 'The version that calls obeyed' }),
    to: Type.Integer(),
    canary: nullable(CanaryRecord),
  },
  { title: 'Published' },
);
export type PublishedRecord = Static<typeof PublishedRecord>;

export const DiscardedRecord = Type.Object({ ...ofSubject, draftVersion: Type.Integer() }, { title: 'Discarded' });
export type DiscardedRecord = Static<typeof DiscardedRecord>;
