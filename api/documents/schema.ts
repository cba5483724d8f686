// Documents of a business as clients send and read them.

import { type Static, Type } from 'typebox';
import { DOCUMENT_KINDS } from '../../db/schema/knowledge.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { NOT_BLANK } from '../frame/patterns.ts';

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK });

/** Either a text or an address; the service checks what the schema leaves open. */
export const DocumentCreate = Type.Object(
  {
    name: Name,
    kind: Type.Optional(
      oneOf(['text', 'markdown', 'html'], {
        description: 'Of `text`; default text. Of markdown, lines that begin with # are headings, of html h1 to h6',
      }),
    ),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 900_000, pattern: NOT_BLANK })),
    url: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'In place of `text`: a page, a text, a PDF or a Word document, up to 5 MiB, which is fetched',
      }),
    ),
    refreshHours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 720, description: 'With `url`: it is fetched again so many hours later' }),
    ),
  },
  { additionalProperties: false },
);
export type DocumentCreate = Static<typeof DocumentCreate>;

/** For the OpenAPI document alone: the parts are read as a stream. */
export const DocumentForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'A .pdf, .docx, .html, .md or .txt, up to 20 MiB',
  }),
  name: Type.Optional(Name),
});

export const DocumentRecord = Type.Object(
  {
    id: Type.String(),
    businessId: Type.String(),
    name: Type.String(),
    kind: oneOf(DOCUMENT_KINDS),
    characters: Type.Integer(),
    passages: Type.Integer({ description: 'How many it was cut into' }),
    createdAt: Timestamp,
    sourceUrl: nullable(Type.String({ description: 'Where it is read from' })),
    refreshHours: nullable(Type.Integer({ description: 'It is read again so many hours later' })),
    readAt: nullable({ ...Timestamp, description: 'When it was last read as it is' }),
    error: nullable(Type.String({ description: 'Why the last reading failed; what was read before is kept' })),
    embedding: oneOf(['off', 'waiting', 'done'], {
      description: 'Whether passages are found by their meaning too; off where no server for it is set',
    }),
    embeddingError: nullable(Type.String({ description: 'Why that has to wait; words find the passages meanwhile' })),
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
