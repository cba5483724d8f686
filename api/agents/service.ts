// Agents: voice personas. The business defines all behaviour.

import { baseLanguage, isOfOneLanguage, type LanguageSettings } from '../../db/domain/calls/languages.ts';
import {
  type AgentCounts,
  agentCounts,
  getAgent,
  insertAgent,
  listAgents,
  softDeleteAgent,
  updateAgent,
} from '../../db/queries/businesses/agents.ts';
import { deleteDraft, drafted, draftsOf, getDraft } from '../../db/queries/businesses/drafts.ts';
import { agentColumns } from '../../db/records/agent-columns.ts';
import { type ConversationSettings, isoTime } from '../../db/records/resources.ts';
import type { AgentTable } from '../../db/schema/agents.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { checkQuota } from '../spend/quotas.ts';
import { checkToolIds } from '../tools/references.ts';
import { type Editing, editing, keepDraft, keepVersion } from '../versions/keep.ts';
import { type OfferedVoice, offeredVoice, offeredVoices } from '../voices/voices.ts';
import { type AgentLanguages, checkLanguages } from './languages.ts';
import type { AgentCreate, AgentPatch, AgentQuery, AgentRecord } from './schema.ts';

/** `draft`: the number of the draft that the row shows. */
function agentRecord(row: AgentTable, draft: number | null, count?: AgentCounts): AgentRecord {
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
    publishedVersion: row.version,
    draftVersion: draft,
    ...(count ? { _count: count } : {}),
  };
}

export async function listAgentRecords(context: ApiContext, accountId: string, query: AgentQuery) {
  const { page, limit, isActive } = query;
  const filter = isActive === undefined ? {} : { isActive };
  const { rows, total } = await listAgents(context.read, accountId, filter, { limit, offset: offsetOf(query) });
  const ids = rows.map((row) => row.id);
  const counts = await agentCounts(context.read, accountId, ids);
  const drafts = await draftsOf(context.read, accountId, ids);
  return {
    data: rows.map((row) => {
      const draft = drafts.get(row.id);
      const count = counts.get(row.id) ?? { calls: 0, phoneNumbers: 0 };
      return agentRecord(drafted(row, draft), draft?.number ?? null, count);
    }),
    pagination: pagination(page, limit, total),
  };
}

/** Deleted agents can be read by id, with their `deletedAt`, because calls refer to them. */
export async function readAgent(context: ApiContext, accountId: string, id: string): Promise<AgentRecord> {
  const row = await getAgent(context.read, accountId, id);
  if (row === undefined) throw notFound('Agent');
  const draft = await getDraft(context.read, accountId, id);
  return agentRecord(drafted(row, draft), draft?.number ?? null);
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
async function withWarnings(context: ApiContext, row: AgentTable, draft: number | null): Promise<AgentAnswer> {
  const data = agentRecord(row, draft);
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
    const after = agentRecord(row, null);
    await keepVersion(trx, actor, { subject: 'agent', before: null, after, nowMs: row.createdAt });
  });
  return withWarnings(context, row, null);
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
  const before = agentRecord(current, null);
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
  const current = (await editedAgent(context.db, accountId, id)).row;
  // A voice that is no longer offered may stay; a new one must exist.
  if (body.voiceId !== undefined && body.voiceId !== current.voiceId) await knownVoice(context, body.voiceId);
  await checkPatchedLanguages(context, current, body);
  checkModels(context, body.conversation, JSON.parse(current.conversation) as ConversationSettings);
  const changes = agentColumns(body);
  const changed = await context.db.transaction().execute(async (trx) => {
    const of = await editedAgent(trx, accountId, id);
    if (changes.toolIds !== undefined && changes.toolIds !== of.row.toolIds)
      await checkToolIds(trx, accountId, body.toolIds);
    const number = of.draft?.number ?? null;
    if (Object.keys(changes).length === 0) return { row: of.row, draft: number };
    const change = {
      subject: 'agent',
      before: agentRecord(of.row, number),
      nowMs: context.now(),
      restoredFrom,
    } as const;
    if (of.isDraft) return keepDraft(trx, actor, { ...change, of, columns: changes, recordOf: agentRecord });
    const row = await updateAgent(trx, accountId, id, changes);
    if (row === undefined) throw refused('AGENT_DELETED', 'Agent is deleted');
    await keepVersion(trx, actor, { ...change, after: agentRecord(row, null) });
    // The version stands in the row, too.
    return { row: (await getAgent(trx, accountId, id)) ?? row, draft: null };
  });
  return withWarnings(context, changed.row, changed.draft);
}

/** @throws {ApiError} 404, 409 for a deleted one */
async function editedAgent(db: Db, accountId: string, id: string): Promise<Editing<AgentTable>> {
  const live = await getAgent(db, accountId, id);
  if (live === undefined) throw notFound('Agent');
  if (live.deletedAt !== null) throw refused('AGENT_DELETED', 'Agent is deleted');
  return editing(db, 'agent', live);
}

/** Makes the columns of its draft what calls obey. @throws {ApiError} 409; 422 for a tool that is gone */
export async function publishAgent(
  trx: Db,
  accountId: string,
  id: string,
  columns: Partial<AgentTable>,
): Promise<void> {
  if (columns.toolIds !== undefined) await checkToolIds(trx, accountId, JSON.parse(columns.toolIds) as string[]);
  if ((await updateAgent(trx, accountId, id, columns)) === undefined)
    throw refused('AGENT_DELETED', 'Agent is deleted');
}

export async function deleteAgent(context: ApiContext, accountId: string, id: string): Promise<AgentRecord> {
  const row = await context.db.transaction().execute(async (trx) => {
    const deleted = await softDeleteAgent(trx, accountId, id, context.now());
    if (deleted !== undefined) await deleteDraft(trx, accountId, id);
    return deleted;
  });
  if (row !== undefined) return agentRecord(row, null);
  const current = await getAgent(context.db, accountId, id);
  if (current === undefined) throw notFound('Agent');
  throw current.deletedAt === null
    ? refused('AGENT_IN_USE', 'Agent is used by an active campaign')
    : refused('AGENT_DELETED', 'Agent is deleted');
}
