// The versions that the record of an agent, a business or a tool names.
import { Type } from 'typebox';
import { nullable } from '../frame/envelope-schema.ts';

/** A body may carry what was read. */
export const VERSION_NUMBERS = ['publishedVersion', 'draftVersion'] as const;

export const versionNumbers = {
  publishedVersion: Type.Integer({ description: 'The version that calls obey' }),
  draftVersion: nullable(
    Type.Integer({
      description:
        'The version that this record shows, where a draft waits to be published; null: the record is what calls obey',
    }),
  ),
};
