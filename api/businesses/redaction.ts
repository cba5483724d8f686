// `redaction` of a business: the schema of the field, and its column.
import { type Static, Type } from 'typebox';
import { REDACTED_KINDS } from '../../db/domain/redaction/kinds.ts';
import type { RedactionPolicy } from '../../db/domain/redaction/policy.ts';
import { nullable, oneOf } from '../frame/envelope-schema.ts';

const KINDS =
  'Found by rules and check digits, in figures and in spoken words; `name`: those that the call knows alone';
const TRANSCRIPT = 'In all that is kept and shown of a call: `my card is [card]`. Default true';
const WEBHOOKS = 'In the events of a call’s end, where the transcript keeps it. Default true';
const AUDIO = 'The recording is silent over the utterances that have it; its times stay true. Default false';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const RedactionInput = nullable(
  Type.Object(
    {
      kinds: Type.Array(oneOf(REDACTED_KINDS), { minItems: 1, maxItems: 20, description: KINDS }),
      transcript: flag(TRANSCRIPT),
      webhooks: flag(WEBHOOKS),
      audio: flag(AUDIO),
    },
    { additionalProperties: false, description: 'What is taken out of what callers say (docs/redaction.md)' },
  ),
);

export const RedactionRecord = nullable(
  Type.Object(
    {
      kinds: Type.Array(oneOf(REDACTED_KINDS)),
      transcript: Type.Boolean(),
      webhooks: Type.Boolean(),
      audio: Type.Boolean(),
    },
    { title: 'Redaction' },
  ),
);

export function redactionColumn(body: Static<typeof RedactionInput>): string | null {
  if (body === null) return null;
  const { kinds, transcript = true, webhooks = true, audio = false } = body;
  const policy: RedactionPolicy = { kinds: [...new Set(kinds)], transcript, webhooks, audio };
  return JSON.stringify(policy);
}
