// The subjects of versions, and how each is read and changed.
import type { TSchema } from 'typebox';
import type { NoticeRule } from '../../db/domain/notices/rules.ts';
import type { VersionSubject } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import { type AgentPatch, AgentRecord } from '../agents/schema.ts';
import { patchAgent, publishAgent, readAgent } from '../agents/service.ts';
import { audit } from '../audit/business-log.ts';
import { checkMayReach } from '../businesses/reach.ts';
import { contextWarnings } from '../businesses/rules.ts';
import { type BusinessPatch, BusinessRecord } from '../businesses/schema.ts';
import { businessWithDraft, patchBusiness, publishBusiness } from '../businesses/service.ts';
import { businessVersion } from '../businesses/version.ts';
import type { ApiContext } from '../context.ts';
import type { Actor, Auth } from '../frame/app.ts';
import { restorableRules } from '../notices/rules.ts';
import { type ToolPatch, ToolRecord } from '../tools/schema.ts';
import { patchTool, publishTool, readTool, refreshTool } from '../tools/service.ts';
import type { Content, Recorded } from './keep.ts';

export interface Subject {
  name: VersionSubject;
  path: string;
  tag: string;
  record: TSchema;
  /** @throws {ApiError} 404 */
  read(context: ApiContext, accountId: string, id: string): Promise<Recorded>;
  /** Changes the fields of `content` as a PATCH does. @throws {ApiError} as a PATCH */
  change(
    context: ApiContext,
    auth: Auth,
    id: string,
    content: Content,
    restoredFrom: number,
  ): Promise<{ data: Recorded; warnings?: string[] }>;
  /**
   * Makes the columns of a draft what calls obey.
   * @returns what is to be done when that is committed, with its warnings
   * @throws {ApiError} 409; 422 for a reference that is gone
   */
  publish(trx: Db, context: ApiContext, actor: Actor, draft: Publishing): Promise<(() => Promise<string[]>) | null>;
  discarded?(trx: Db, actor: Actor, id: string, nowMs: number): Promise<void>;
}

interface Publishing {
  id: string;
  /** Of the subject's row. */
  columns: object;
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'agent',
    path: '/agents',
    tag: 'Agents',
    record: AgentRecord,
    read: readAgent,
    change: (context, actor, id, content, from) => patchAgent(context, actor, id, content as AgentPatch, from),
    async publish(trx, _, { accountId }, { id, columns }) {
      await publishAgent(trx, accountId, id, columns);
      return null;
    },
  },
  {
    name: 'business',
    path: '/businesses',
    tag: 'Businesses',
    record: BusinessRecord,
    async read({ read }, accountId, id) {
      const { row, draft } = await businessWithDraft(read, accountId, id);
      return businessVersion(read, row, draft);
    },
    async change(context, auth, id, { documents, notify, ...content }, from) {
      const { row } = await businessWithDraft(context.read, auth.accountId, id);
      const told = notify === undefined ? null : restorableRules(context, row, notify as NoticeRule[]);
      const body = { ...content, ...(told && { notify: told.rules }) } as BusinessPatch;
      checkMayReach(auth, body, row);
      const data = await patchBusiness(context, auth, id, body, 'version-restored', from);
      const warnings = [
        ...(told?.isShort ? ['A rule of notify is left out: its address is in no version. Add it anew'] : []),
        ...(contextWarnings(data.businessContext) ?? []),
        ...(documents === undefined ? [] : ['Documents stay as they are: a version knows their names only']),
      ];
      return warnings.length === 0 ? { data } : { data, warnings };
    },
    async publish(trx, context, actor, { id, columns }) {
      await publishBusiness(trx, actor, id, columns, context.now());
      return null;
    },
    discarded: (trx, actor, id, nowMs) => audit(trx, actor, id, 'draft-discarded', {}, nowMs),
  },
  {
    name: 'tool',
    path: '/tools',
    tag: 'Tools',
    record: ToolRecord,
    read: (context, accountId, id) => readTool(context.read, accountId, id),
    // The values of headers are in no version: those of today stay, where the address is the same server's.
    change: (context, actor, id, { headerNames: _, ...content }, from) =>
      patchTool(context, actor, id, content as ToolPatch, from),
    async publish(trx, context, { accountId }, { id, columns }) {
      const { isElsewhere } = await publishTool(trx, accountId, id, columns);
      return isElsewhere ? async () => (await refreshTool(context, accountId, id)).warnings ?? [] : null;
    },
  },
];

export function subjectNamed(name: VersionSubject): Subject {
  const found = SUBJECTS.find((subject) => subject.name === name);
  if (found === undefined) throw new Error(`no subject ${name}`);
  return found;
}
