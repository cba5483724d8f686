// The subjects of versions, and how each is read and changed.
import type { TSchema } from 'typebox';
import type { VersionSubject } from '../../db/schema/versions.ts';
import { type AgentPatch, AgentRecord } from '../agents/schema.ts';
import { patchAgent, readAgent } from '../agents/service.ts';
import { contextWarnings } from '../businesses/rules.ts';
import { type BusinessPatch, BusinessRecord } from '../businesses/schema.ts';
import { businessRow, patchBusiness } from '../businesses/service.ts';
import { businessVersion } from '../businesses/version.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { type ToolPatch, ToolRecord } from '../tools/schema.ts';
import { patchTool, toolRecord, toolRow } from '../tools/service.ts';
import type { Content } from './keep.ts';

export interface Recorded {
  id: string;
  createdAt: string;
}

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
    actor: Actor,
    id: string,
    content: Content,
    restoredFrom: number,
  ): Promise<{ data: Recorded; warnings?: string[] }>;
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'agent',
    path: '/agents',
    tag: 'Agents',
    record: AgentRecord,
    read: readAgent,
    change: (context, actor, id, content, from) => patchAgent(context, actor, id, content as AgentPatch, from),
  },
  {
    name: 'business',
    path: '/businesses',
    tag: 'Businesses',
    record: BusinessRecord,
    read: async ({ read }, accountId, id) => businessVersion(read, await businessRow(read, accountId, id)),
    async change(context, actor, id, { documents, ...content }, from) {
      const data = await patchBusiness(context, actor, id, content as BusinessPatch, 'version-restored', from);
      const warnings = [
        ...(contextWarnings(data.businessContext) ?? []),
        ...(documents === undefined ? [] : ['Documents stay as they are: a version knows their names only']),
      ];
      return warnings.length === 0 ? { data } : { data, warnings };
    },
  },
  {
    name: 'tool',
    path: '/tools',
    tag: 'Tools',
    record: ToolRecord,
    read: async (context, accountId, id) => toolRecord(await toolRow(context.read, accountId, id)),
    // The values of headers are in no version: those of today stay, where the address is the same server's.
    change: (context, actor, id, { headerNames: _, ...content }, from) =>
      patchTool(context, actor, id, content as ToolPatch, from),
  },
];
