// Agents: voice personas. The business defines all behaviour.

import { baseLanguage, isOfOneLanguage, type LanguageSettings } from '../../db/domain/call-languages.ts';
import {
  type AgentCounts,
  agentCounts,
  getAgent,
  insertAgent,
  listAgents,
  softDeleteAgent,
  updateAgent,
} from '../../db/queries/businesses/agents.ts';
import { type ConversationSettings, isoTime } from '../../db/records/resources.ts';
import type { AgentTable } from '../../db/schema/agents.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { checkQuota } from '../spend/quotas.ts';
import { checkToolIds } from '../tools/references.ts';
import { keepVersion } from '../versions/keep.ts';
import { type OfferedVoice, offeredVoice, offeredVoices } from '../voices/voices.ts';
import { type AgentLanguages, checkLanguages } from './languages.ts';
import type { AgentCreate, AgentPatch, AgentQuery, AgentRecord } from './schema.ts';

function agentRecord(row: AgentTable, count?: AgentCounts): AgentRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    voiceId: row.voiceId,
    language: row.language,
    primaryLanguage: row.primaryLanguage,
    additionalLanguages: JSON.parse(row.additionalLanguages) as string[],
    languages: JSON.parse(row.languages) as LanguageSettings[],
    conversation: JSON.parse(row.conversation) as ConversationSettings,
    toolIds: JSON.parse(row.toolIds) as string[],
    isActive: row.isActive === 1,
    createdAt: isoTime(row.createdAt),
    deletedAt: row.deletedAt === null ? null : isoTime(row.deletedAt),
    ...(count ? { _count: count } : {}),
  };
}

export async function listAgentRecords(context: ApiContext, accountId: string, query: AgentQuery) {
  const { page, limit, isActive } = query;
  const filter = isActive === undefined ? {} : { isActive };
  const { rows, total } = await listAgents(context.read, accountId, filter, { limit, offset: offsetOf(query) });
  const counts = await agentCounts(
    context.read,
    accountId,
    rows.map((row) => row.id),
  );
  return {
    data: rows.map((row) => agentRecord(row, counts.get(row.id) ?? { calls: 0, phoneNumbers: 0 })),
    pagination: pagination(page, limit, total),
  };
}

/** Deleted agents can be read by id, with their `deletedAt`, because calls refer to them. */
export async function readAgent(context: ApiContext, accountId: string, id: string): Promise<AgentRecord> {
  const row = await getAgent(context.read, accountId, id);
  if (row === undefined) throw notFound('Agent');
  return agentRecord(row);
}

async function knownVoice(context: ApiContext, voiceId: string, field = 'voiceId'): Promise<OfferedVoice> {
  const voice = await offeredVoice(context, voiceId);
  if (voice === undefined) throw invalid([{ field, message: 'must be one of the voices of GET /voices' }]);
  return voice;
}

/** A voice that is no longer offered may stay; a new one must exist. */
async function checkLanguageVoices(
  context: ApiContext,
  languages: readonly LanguageSettings[],
  current: readonly LanguageSettings[] = [],
): Promise<void> {
  for (const [at, { voiceId }] of languages.entries()) {
    if (voiceId === undefined || current.some((each) => each.voiceId === voiceId)) continue;
    await knownVoice(context, voiceId, `languages[${at}].voiceId`);
  }
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

interface AgentAnswer {
  data: AgentRecord;
  warnings?: string[];
}

/** A voice reads any text by the rules of its own language: text in another language is unintelligible. */
async function withWarnings(context: ApiContext, row: AgentTable): Promise<AgentAnswer> {
  const data = agentRecord(row);
  const voices = await offeredVoices(context);
  const spoken = [
    { who: 'the agent', voiceId: row.voiceId, language: row.language },
    ...data.languages.map(({ voiceId, language }) => ({ who: 'a call in that language', voiceId, language })),
  ];
  const warnings = spoken.flatMap(({ who, voiceId, language }) => {
    const voice = voices.find(({ id }) => id === voiceId);
    if (voice === undefined || !isOfOneLanguage(voice)) return [];
    if (baseLanguage(voice.language) === baseLanguage(language)) return [];
    return [
      `the voice ${voice.id} speaks ${voice.language}, ${who} ${language}: choose a voice of that language (GET /voices)`,
    ];
  });
  return warnings.length === 0 ? { data } : { data, warnings };
}

export async function createAgent(context: ApiContext, actor: Actor, body: AgentCreate): Promise<AgentAnswer> {
  const { accountId } = actor;
  const voice = await knownVoice(context, body.voiceId);
  const language = body.language ?? voice.language;
  const { additionalLanguages = [], languages = [] } = body;
  checkLanguages({ language, additionalLanguages, languages });
  checkModels(context, body.conversation);
  await checkLanguageVoices(context, languages);
  const row: AgentTable = {
    id: newId('agt'),
    accountId,
    name: body.name,
    description: body.description ?? null,
    voiceId: body.voiceId,
    language,
    primaryLanguage: baseLanguage(language),
    additionalLanguages: JSON.stringify(additionalLanguages),
    languages: JSON.stringify(languages),
    conversation: JSON.stringify(body.conversation ?? {}),
    toolIds: JSON.stringify(body.toolIds ?? []),
    isActive: body.isActive === false ? 0 : 1,
    createdAt: context.now(),
    deletedAt: null,
    version: 1,
  };
  await context.db.transaction().execute(async (trx) => {
    await checkQuota(trx, accountId, 'agents');
    await checkToolIds(trx, accountId, body.toolIds);
    await insertAgent(trx, accountId, row);
    await keepVersion(trx, actor, { subject: 'agent', before: null, after: agentRecord(row), nowMs: row.createdAt });
  });
  return withWarnings(context, row);
}

/** Models are asked with the operator's key. One that an agent has already may stay. @throws {ApiError} 422 */
function checkModels({ config }: ApiContext, sent: ConversationSettings = {}, before: ConversationSettings = {}): void {
  const { agentModels } = config;
  if (agentModels === null) return;
  const faults = (['model', 'speechModel'] as const).flatMap((field) => {
    const model = sent[field];
    if (model === undefined || model === before[field] || agentModels.includes(model)) return [];
    return [{ field: `conversation.${field}`, message: `must be one of ${agentModels.join(', ') || 'none'}` }];
  });
  if (faults.length > 0) throw invalid(faults);
}

/** A value that was stored before a rule came stays; one that is sent obeys it. */
async function checkPatchedLanguages(context: ApiContext, current: AgentTable, body: AgentPatch): Promise<void> {
  const { language, additionalLanguages, languages } = body;
  const before = agentRecord(current);
  const isKept = (name: keyof AgentLanguages) => body[name] === undefined || isEqual(body[name], before[name]);
  if (isKept('language') && isKept('additionalLanguages') && isKept('languages')) return;
  checkLanguages({
    language: language ?? before.language,
    additionalLanguages: additionalLanguages ?? before.additionalLanguages,
    languages: languages ?? before.languages,
  });
  await checkLanguageVoices(context, languages ?? [], before.languages);
}

export async function patchAgent(
  context: ApiContext,
  actor: Actor,
  id: string,
  body: AgentPatch,
  restoredFrom: number | null = null,
): Promise<AgentAnswer> {
  const { accountId } = actor;
  const current = await getAgent(context.db, accountId, id);
  if (current === undefined) throw notFound('Agent');
  if (current.deletedAt !== null) throw refused('AGENT_DELETED', 'Agent is deleted');
  // A voice that is no longer offered may stay; a new one must exist.
  if (body.voiceId !== undefined && body.voiceId !== current.voiceId) await knownVoice(context, body.voiceId);
  await checkPatchedLanguages(context, current, body);
  checkModels(context, body.conversation, JSON.parse(current.conversation) as ConversationSettings);
  const changes: Partial<AgentTable> = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.voiceId !== undefined && { voiceId: body.voiceId }),
    ...(body.language !== undefined && { language: body.language, primaryLanguage: baseLanguage(body.language) }),
    ...(body.additionalLanguages !== undefined && { additionalLanguages: JSON.stringify(body.additionalLanguages) }),
    ...(body.languages !== undefined && { languages: JSON.stringify(body.languages) }),
    ...(body.conversation !== undefined && { conversation: JSON.stringify(body.conversation) }),
    ...(body.toolIds !== undefined && { toolIds: JSON.stringify(body.toolIds) }),
    ...(body.isActive !== undefined && { isActive: body.isActive ? 1 : 0 }),
  };
  const row = await context.db.transaction().execute(async (trx) => {
    if (changes.toolIds !== undefined && changes.toolIds !== current.toolIds)
      await checkToolIds(trx, accountId, body.toolIds);
    if (Object.keys(changes).length === 0) return current;
    const changed = await updateAgent(trx, accountId, id, changes);
    if (changed === undefined) return undefined;
    const [before, after] = [agentRecord(current), agentRecord(changed)];
    await keepVersion(trx, actor, { subject: 'agent', before, after, nowMs: context.now(), restoredFrom });
    return changed;
  });
  if (row === undefined) throw refused('AGENT_DELETED', 'Agent is deleted');
  return withWarnings(context, row);
}

export async function deleteAgent(context: ApiContext, accountId: string, id: string): Promise<AgentRecord> {
  const row = await softDeleteAgent(context.db, accountId, id, context.now());
  if (row !== undefined) return agentRecord(row);
  const current = await getAgent(context.db, accountId, id);
  if (current === undefined) throw notFound('Agent');
  throw current.deletedAt === null
    ? refused('AGENT_IN_USE', 'Agent is used by an active campaign')
    : refused('AGENT_DELETED', 'Agent is deleted');
}
