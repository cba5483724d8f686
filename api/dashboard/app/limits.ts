// The limits of fields, as forms use them: those of the OpenAPI document (api-limits.ts), its words in hints, and the
// few that the document leaves open.
import {
  HEADER_NAME_CHARACTERS_MAX,
  PATH_CHARACTERS_MAX,
  VARIABLE_NAME_CHARACTERS_MAX,
} from '../../../db/domain/field-limits.ts';
import { formatNumber } from './format.ts';
import { t } from './words/words.ts';

export interface TextLimits {
  readonly maxLength?: number;
}

export interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** For a hint: `100 to 10,000`. */
export const spanText = ({ minimum, maximum }: Required<NumberLimits>): string =>
  t('{least} to {most}', { least: formatNumber(minimum), most: formatNumber(maximum) });

export const HEADER_NAME: TextLimits = { maxLength: HEADER_NAME_CHARACTERS_MAX };
export const TOOL_VARIABLE: TextLimits = { maxLength: VARIABLE_NAME_CHARACTERS_MAX };
export const TOOL_PATH: TextLimits = { maxLength: PATH_CHARACTERS_MAX };
/** A number as people write it, with blanks and brackets: the service reads it, and the document states no length. */
export const TYPED_NUMBER: TextLimits = { maxLength: 30 };
/** Parts of a tool's JSON schema, whose shape the document leaves open. */
export const ARGUMENT_NAME: TextLimits = { maxLength: 100 };
export const ARGUMENT_DESCRIPTION: TextLimits = { maxLength: 1_000 };
/** A filter by a value that calls are read for. */
export const RESULT_VALUE: TextLimits = { maxLength: 200 };
/** Scores are shared in per cent. */
export const PERCENT: NumberLimits = { minimum: 0, maximum: 100 };
