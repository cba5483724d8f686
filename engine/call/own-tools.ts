// The tenants' own tools as the calls use them: their rows opened, and one set of connections for all of them. What
// asks them is loaded at the first question: most installations have no tools.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { ToolTable } from '../../db/schema/tools.ts';
import { unseal } from '../../db/shared/secret-box.ts';
import type { LookupFacts } from '../../models/tools/lookup.ts';
import { openedTool } from '../../models/tools/open.ts';
import type { ToolAnswer } from '../../models/tools/tool.ts';
import type { AskTool, CallTool } from '../dialogue/tools/account-tools.ts';

export interface OwnTools {
  /** The tools of a call. One whose headers cannot be opened is left out. */
  of(rows: readonly ToolTable[]): CallTool[];
  ask: AskTool;
  /** Asks what a business's own system knows of a call that begins. `body`: all of the answer. Never throws. */
  lookUp(business: BusinessTable, facts: LookupFacts): Promise<{ ok: boolean; body: unknown; result: ToolAnswer }>;
}

const LOOKUP = {
  name: 'lookup',
  description: '',
  method: 'POST',
  parameters: { type: 'object' },
} as const;

export interface OwnToolsOptions {
  secretKey: Buffer;
  allowPrivate: boolean;
  log: Logger;
}

export function createOwnTools({
  secretKey,
  allowPrivate,
  log,
}: OwnToolsOptions): OwnTools & { close(): Promise<void> } {
  const open = async () => {
    const { runHttpTool, ToolConnections } = await import('../../models/tools/http-tool.ts');
    return { runHttpTool, connections: new ToolConnections({ allowPrivate }) };
  };
  let opened: ReturnType<typeof open> | null = null;
  return {
    of: (rows) =>
      rows.flatMap((row) => {
        try {
          return [toolOf(row, secretKey)];
        } catch (error) {
          log.error({ toolId: row.id, error: messageOf(error) }, 'a tool cannot be opened: calls go on without it');
          return [];
        }
      }),
    async ask(tool, inputs, signal): Promise<ToolAnswer> {
      opened ??= open();
      const { runHttpTool, connections } = await opened;
      const { result, tookMs } = await runHttpTool(tool, inputs, connections, signal);
      const failed = result.ok ? {} : { error: result.error };
      log.info({ toolId: tool.id, tookMs: Math.round(tookMs), ...failed }, 'tool asked');
      return result;
    },
    async lookUp(business, facts) {
      opened ??= open();
      const { runHttpTool, connections } = await opened;
      const { id, lookup, lookupHeadersSealed } = business;
      try {
        const { url, timeoutMs } = JSON.parse(lookup ?? '') as { url: string; timeoutMs: number };
        const headers = lookupHeadersSealed === null ? '{}' : unseal(secretKey, id, lookupHeadersSealed);
        const tool = { ...LOOKUP, id, url, timeoutMs, headers: JSON.parse(headers) as Record<string, string> };
        const inputs = { arguments: { ...facts }, values: {}, headerValues: {}, key: `${facts.callId}-lookup` };
        const { result, answer, tookMs } = await runHttpTool(tool, inputs, connections);
        const failed = result.ok ? {} : { error: result.error };
        log.info({ callId: facts.callId, businessId: id, tookMs: Math.round(tookMs), ...failed }, 'call looked up');
        return { ok: result.ok, body: answer?.body ?? null, result };
      } catch (error) {
        log.error({ businessId: id, error: messageOf(error) }, 'a look-up cannot be opened: calls go on without it');
        const message = 'The look-up could not be made.';
        return { ok: false, body: null, result: { ok: false, error: 'refused', message } };
      }
    },
    close: async () => (await opened)?.connections.close(),
  };
}

/** @throws Error if its headers were sealed by another key */
function toolOf(row: ToolTable, secretKey: Buffer): CallTool {
  return {
    ...openedTool(row, (box) => unseal(secretKey, row.id, box)),
    mode: row.mode,
    sayWhile: row.sayWhile,
    assigns: JSON.parse(row.assigns) as CallTool['assigns'],
    phrases: JSON.parse(row.phrases) as string[],
    whenInterrupted: row.whenInterrupted,
  };
}
