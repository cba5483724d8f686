// Catalogues of MCP servers: read when a server is saved, when somebody asks for it, and again each hour.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { staleCatalogues, updateTool } from '../../db/queries/tools/tools.ts';
import type { ToolTable } from '../../db/schema/tools.ts';
import { unseal } from '../../db/shared/secrets/secret-box.ts';
import type { McpTool } from '../../models/tools/mcp.ts';
import { openedTool } from '../../models/tools/open.ts';
import type { ApiContext } from '../context.ts';
import type { JobRun } from '../frame/job.ts';
import { FairLanes } from '../threads/fair-lanes.ts';
import { withServer } from './connections.ts';

/** Servers that one look of the job finds. */
const PER_LOOK = 20;
const PER_LOOK_OF_ACCOUNT = 5;
/** Each is asked from a thread of its own. */
const LANES = { total: 4, perAccount: 1 };
const MAX_CATALOGUE_CHARS = 200_000;

type Read = Partial<ToolTable> & Pick<ToolTable, 'catalogueTriedAt' | 'catalogueError'>;

/** Asks the server. Where it fails, what was known of it stays. Never throws. */
export async function readCatalogue(context: ApiContext, row: ToolTable): Promise<Read> {
  const catalogueTriedAt = context.now();
  try {
    const tools = await askServer(context, row);
    const catalogue = JSON.stringify(tools);
    if (catalogue.length > MAX_CATALOGUE_CHARS) throw new Error('The catalogue of the server is too long.');
    return { catalogue, catalogueAt: catalogueTriedAt, catalogueTriedAt, catalogueError: null };
  } catch (error) {
    return { catalogueTriedAt, catalogueError: messageOf(error) };
  }
}

/** Tools whose parameters arguments cannot be examined by are left out. */
async function askServer(context: ApiContext, row: ToolTable): Promise<McpTool[]> {
  const { schemaFault } = await import('../../models/tools/parameters.ts');
  const { url, headers } = openedTool(row, (box) => unseal(context.secretKey, row.id, box));
  const tools = await withServer(context, { url, headers }, (session) => session.catalogue());
  return tools.filter(({ parameters }) => schemaFault(parameters) === null);
}

/** Reads the catalogues that are an hour old, those of the accounts in turn: a run waits for no server. */
export class CatalogueJob implements JobRun {
  readonly #context: ApiContext;
  readonly #lanes = new FairLanes(LANES);

  constructor(context: ApiContext) {
    this.#context = context;
  }

  /** Returns how many are due. */
  async run(): Promise<number> {
    const { read, db, now, outage, log } = this.#context;
    const stale = { beforeMs: now() - HOUR_MS, limit: PER_LOOK, perAccount: PER_LOOK_OF_ACCOUNT };
    const rows = await staleCatalogues(read, stale);
    const wishes = rows.map((row) => ({ key: row.id, accountId: row.accountId, row }));
    this.#lanes.offer(wishes, async ({ row }) => {
      try {
        await updateTool(db, row.accountId, row.id, await readCatalogue(this.#context, row));
      } catch (error) {
        if (!outage.explains(error)) log.error({ err: error, toolId: row.id }, 'a catalogue was not kept');
      }
    });
    return rows.length;
  }

  stop(): Promise<void> {
    return this.#lanes.stop();
  }

  /** Resolves when no server is being asked. */
  settled(): Promise<void> {
    return this.#lanes.settled();
  }
}
