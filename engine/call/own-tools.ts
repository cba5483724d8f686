// The tenants' own tools as the calls use them: their rows opened, one set of connections for all HTTP tools, and a
// session a call for each MCP server. Their clients are loaded at the first question: most installations have no tools.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { ToolTable } from '../../db/schema/tools.ts';
import { unseal } from '../../db/shared/secrets/secret-box.ts';
import type { LookupFacts } from '../../models/tools/lookup.ts';
import type { McpTool } from '../../models/tools/mcp.ts';
import type { McpServerSession } from '../../models/tools/mcp-servers.ts';
import { openedTool, serverToolName } from '../../models/tools/open.ts';
import { declaredValue } from '../../models/tools/schema.ts';
import type { HttpTool, ToolAnswer, ToolInputs } from '../../models/tools/tool.ts';
import type { CallTool } from '../dialogue/tools/account-tools.ts';

export interface OwnTools {
  /** The tools of a call. One whose headers cannot be opened is left out. */
  open(rows: readonly ToolTable[]): { tools: CallTool[]; warm(): void; close(): void };
  /** Asks what a business's own system knows of a call that begins. `body`: all of the answer. Never throws. */
  lookUp(business: BusinessTable, facts: LookupFacts): Promise<{ ok: boolean; body: unknown; result: ToolAnswer }>;
}

const LOOKUP = {
  name: 'lookup',
  description: '',
  method: 'POST',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      [
        ...['callId', 'direction', 'fromNumber', 'toNumber', 'callerName'],
        ...['businessId', 'campaignId', 'agentId', 'variables'],
      ].map((name) => [name, {}]),
    ),
  },
} as const;

/** Of one call. Each turn's request to the model has all of them, and is written on the thread of all calls. */
const TOOLS_MAX = 128;
const DEFINITIONS_MAX = 65_536;

/** Whether the tool fits; if so, its room is taken. */
function takesRoom(room: { tools: number; characters: number }, tool: CallTool): boolean {
  const { name, description, parameters } = tool;
  const characters = JSON.stringify({ name, description, parameters }).length;
  if (room.tools === 0 || characters > room.characters) return false;
  room.tools--;
  room.characters -= characters;
  return true;
}

interface OwnToolsOptions {
  secretKey: Buffer;
  allowPrivate: boolean;
  log: Logger;
}

export class TenantTools implements OwnTools {
  readonly #options: OwnToolsOptions;
  #asking: ReturnType<TenantTools['load']> | null = null;

  constructor(options: OwnToolsOptions) {
    this.#options = options;
  }

  open(rows: readonly ToolTable[]): ReturnType<OwnTools['open']> {
    const sessions: Session[] = [];
    const room = { tools: TOOLS_MAX, characters: DEFINITIONS_MAX };
    let isCut = false;
    const tools = rows.flatMap((row) => {
      // No further catalogue is parsed in vain.
      if (isCut) return [];
      try {
        const session = row.kind === 'http' ? null : this.#session(row);
        const all = session === null ? [this.#httpTool(row)] : this.#serverTools(row, session);
        const taken = all.filter((tool) => takesRoom(room, tool));
        isCut ||= taken.length < all.length;
        if (session !== null && taken.length > 0) sessions.push(session);
        return taken;
      } catch (error) {
        const { log } = this.#options;
        log.error({ toolId: row.id, error: messageOf(error) }, 'a tool cannot be opened: calls go on without it');
        return [];
      }
    });
    if (isCut) this.#options.log.warn({ tools: tools.length }, 'a call has too many tools: the last are left out');
    return {
      tools,
      warm: () => {
        for (const session of sessions) session.open();
      },
      close: () => {
        for (const session of sessions) session.close();
      },
    };
  }

  #session(row: ToolTable): Session {
    const server = openedTool(row, this.#opens(row.id));
    return new Session(async () => (await this.#loaded()).servers.session(server));
  }

  async lookUp(business: BusinessTable, facts: LookupFacts): ReturnType<OwnTools['lookUp']> {
    const { id, lookup, lookupHeadersSealed } = business;
    const { log } = this.#options;
    try {
      const { runHttpTool, connections } = await this.#loaded();
      const { url, timeoutMs } = JSON.parse(lookup ?? '') as { url: string; timeoutMs: number };
      const headers = lookupHeadersSealed === null ? '{}' : this.#opens(id)(lookupHeadersSealed);
      const tool = { ...LOOKUP, id, url, timeoutMs, headers: JSON.parse(headers) as Record<string, string> };
      const inputs = { arguments: { ...facts }, values: {}, headerValues: {}, key: `${facts.callId}-lookup` };
      const { result, answer, tookMs } = await runHttpTool(tool, inputs, connections);
      this.#tell({ callId: facts.callId, businessId: id }, result, tookMs, 'call looked up');
      return { ok: result.ok, body: answer?.body ?? null, result };
    } catch (error) {
      log.error({ businessId: id, error: messageOf(error) }, 'a look-up cannot be opened: calls go on without it');
      const message = 'The look-up could not be made.';
      return { ok: false, body: null, result: { ok: false, error: 'refused', message } };
    }
  }

  /** The clients of tools are loaded once. */
  async load() {
    const { runHttpTool, ToolConnections } = await import('../../models/tools/http-tool.ts');
    const { parametersFault } = await import('../../models/tools/parameters.ts');
    const { McpServers } = await import('../../models/tools/mcp-servers.ts');
    const { allowPrivate } = this.#options;
    const servers = new McpServers({ allowPrivate });
    return { runHttpTool, parametersFault, servers, connections: new ToolConnections({ allowPrivate }) };
  }

  #loaded(): ReturnType<TenantTools['load']> {
    this.#asking ??= this.load();
    return this.#asking;
  }

  #opens(context: string): (box: string) => string {
    return (box) => unseal(this.#options.secretKey, context, box);
  }

  #httpTool(row: ToolTable): CallTool {
    const tool: HttpTool = openedTool(row, this.#opens(row.id));
    return {
      ...useOf(row),
      ...tool,
      ask: async (inputs: ToolInputs, signal: AbortSignal) => {
        const { runHttpTool, connections } = await this.#loaded();
        const { result, tookMs } = await runHttpTool(tool, inputs, connections, signal);
        this.#tell({ toolId: tool.id }, result, tookMs, 'tool asked');
        return result;
      },
    };
  }

  #serverTools(row: ToolTable, session: Session): CallTool[] {
    const only = row.onlyNames === null ? null : new Set(JSON.parse(row.onlyNames) as string[]);
    const catalogue = JSON.parse(row.catalogue ?? '[]') as McpTool[];
    return catalogue
      .filter(({ name }) => only === null || only.has(name))
      .map(({ name, description, parameters }) => ({
        ...useOf(row),
        id: row.id,
        name: serverToolName(row.name, name),
        description: describedBy(row, description),
        parameters,
        timeoutMs: row.timeoutMs,
        ask: async (inputs: ToolInputs, signal: AbortSignal) => {
          const startedAt = performance.now();
          const { key } = inputs;
          const complete = structuredClone(inputs.arguments);
          const { parametersFault } = await this.#loaded();
          const fault = parametersFault(parameters, complete);
          if (fault !== null) return { ok: false, error: 'bad_arguments', message: fault } as const;
          const given = declaredValue(parameters, complete) as Record<string, unknown>;
          const result = await (await session.get()).call(name, given, { timeoutMs: row.timeoutMs, key, signal });
          this.#tell({ toolId: row.id, tool: name }, result, performance.now() - startedAt, 'tool asked');
          return result;
        },
      }));
  }

  /** Never what was asked, or answered. */
  #tell(of: Record<string, string>, result: ToolAnswer, tookMs: number, text: string): void {
    this.#options.log.info({ ...of, tookMs: Math.round(tookMs), ...(result.ok ? {} : { error: result.error }) }, text);
  }
}

/** The account's words about the server stand before the server's words about its tool. */
function describedBy({ description }: ToolTable, own: string): string {
  const ofAccount = description.trim();
  return `${ofAccount}${/[.!?。！？]$/u.test(ofAccount) ? '' : '.'} ${own}`.trim();
}

/** A session with a server, made when it is first wanted. */
class Session {
  readonly #make: () => Promise<McpServerSession>;
  #made: Promise<McpServerSession> | null = null;

  constructor(make: () => Promise<McpServerSession>) {
    this.#make = make;
  }

  get(): Promise<McpServerSession> {
    this.#made ??= this.#make();
    return this.#made;
  }

  open(): void {
    this.get().then(
      (session) => session.open(),
      () => undefined,
    );
  }

  close(): void {
    this.#made?.then(
      (session) => session.close(),
      () => undefined,
    );
  }
}

/** How the conversation uses a row's tools. */
function useOf(
  row: ToolTable,
): Pick<CallTool, 'mode' | 'sayWhile' | 'assigns' | 'phrases' | 'whenInterrupted' | 'readsOnly'> {
  return {
    mode: row.mode,
    sayWhile: row.sayWhile,
    assigns: JSON.parse(row.assigns) as CallTool['assigns'],
    phrases: JSON.parse(row.phrases) as string[],
    whenInterrupted: row.whenInterrupted,
    readsOnly: row.kind === 'http' && row.method === 'GET',
  };
}
