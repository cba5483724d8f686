// A client's own data of a call or a contact: `variables` for spoken texts and prompts, `metadata` for the client.

import { Type } from 'typebox';
import { nullable } from './envelope-schema.ts';
import { patterned } from './patterns.ts';

const NAMES_MAX = 50;
const VALUE_CHARS_MAX = 1_000;

const texts = (description: string) =>
  nullable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: NAMES_MAX,
      propertyNames: {
        type: 'string',
        pattern: patterned('^[A-Za-z0-9_]{1,64}$', 'must have letters, digits and _ only, at most 64'),
      },
      additionalProperties: { type: 'string', maxLength: VALUE_CHARS_MAX },
      description: `${description}; at most ${NAMES_MAX} names of letters, digits and _`,
    }),
  );

export const Variables = texts('Fill {{name}} in greeting, prompt, instructions and voicemail message');
export const Metadata = texts('Kept with the call and in its events, never shown to the model');

export const Texts = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } });

/** The column's text; undefined if the field was not sent. */
export const textsColumn = (texts: Record<string, string> | null | undefined): string | undefined =>
  texts == null ? undefined : JSON.stringify(texts);
