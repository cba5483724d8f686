// Schemas of versions.
import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';

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

const fields = {
  number: Type.Integer({ description: 'From 1, in order of the changes' }),
  isCurrent: Type.Boolean({ description: 'The next call runs by it' }),
  actor: nullable(Type.String({ description: 'Id of the user; null for what was there before versions were kept' })),
  restoredFrom: nullable(Type.Integer({ description: 'The version that was brought back' })),
  createdAt: Timestamp,
  against: nullable(Type.Integer({ description: 'The version with which it is compared; null: the first one kept' })),
  changes: Type.Array(FieldChange),
};

export const VersionRecord = Type.Object(fields, { title: 'Version' });
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
