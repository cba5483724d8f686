// Agents as clients send and read them.
import { type Static, Type } from 'typebox';
import { nullable, Timestamp } from '../envelope-schema.ts';
import { pageQuery } from '../pagination.ts';

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
    isActive: Type.Boolean(),
    createdAt: Timestamp,
    deletedAt: nullable(Timestamp),
    _count: Type.Optional(AgentCount),
  },
  { title: 'Agent' },
);
export type AgentRecord = Static<typeof AgentRecord>;

/** BCP 47, the part that is in use: language, script, region, variants. */
const Locale = Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', maxLength: 35 });

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  description: nullable(Type.String({ maxLength: 2_000 })),
  voiceId: Type.String({ minLength: 1, maxLength: 100, description: 'One of GET /voices' }),
  language: Locale,
  additionalLanguages: Type.Array(Locale, { maxItems: 20 }),
  isActive: Type.Boolean(),
};

export const AgentCreate = Type.Object(
  {
    name: fields.name,
    voiceId: fields.voiceId,
    description: Type.Optional(fields.description),
    language: Type.Optional(fields.language),
    additionalLanguages: Type.Optional(fields.additionalLanguages),
    isActive: Type.Optional(fields.isActive),
  },
  { additionalProperties: false },
);
export type AgentCreate = Static<typeof AgentCreate>;

export const AgentPatch = Type.Partial(Type.Object(fields), { additionalProperties: false });
export type AgentPatch = Static<typeof AgentPatch>;

export const AgentQuery = Type.Object({ ...pageQuery, isActive: Type.Optional(Type.Boolean()) });
export type AgentQuery = Static<typeof AgentQuery>;
