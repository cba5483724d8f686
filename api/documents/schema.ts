// Documents of a business as clients send and read them.
import { type Static, Type } from 'typebox';
import { oneOf, Timestamp } from '../envelope-schema.ts';

const KINDS = ['text', 'markdown'] as const;

export const DocumentCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    kind: Type.Optional(
      oneOf(KINDS, { description: 'Default text. Of markdown, lines that begin with # are headings' }),
    ),
    text: Type.String({ minLength: 1, maxLength: 900_000, pattern: '\\S' }),
  },
  { additionalProperties: false },
);
export type DocumentCreate = Static<typeof DocumentCreate>;

export const DocumentRecord = Type.Object(
  {
    id: Type.String(),
    businessId: Type.String(),
    name: Type.String(),
    kind: oneOf(KINDS),
    characters: Type.Integer(),
    passages: Type.Integer({ description: 'How many it was cut into' }),
    createdAt: Timestamp,
  },
  { title: 'Document' },
);
export type DocumentRecord = Static<typeof DocumentRecord>;

export const DocumentSearch = Type.Object(
  { question: Type.String({ minLength: 1, maxLength: 1_000, description: 'As a caller would ask it' }) },
  { additionalProperties: false },
);

export const PassageRecord = Type.Object(
  {
    documentId: Type.String(),
    name: Type.String({ description: 'The document’s' }),
    heading: Type.String(),
    passage: Type.String(),
  },
  { title: 'Passage' },
);
export type PassageRecord = Static<typeof PassageRecord>;

export const BusinessParams = Type.Object({ id: Type.String() });
export const DocumentParams = Type.Object({ id: Type.String(), documentId: Type.String() });
