// Catalogues of MCP servers: read when a server is saved, when somebody asks for it, and again each hour.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { staleCatalogues, updateTool } from '../../db/queries/tools/tools.ts';
import type { ToolTable } from '../../db/schema/tools.ts';
import { unseal } from '../../db/shared/secrets/secret-box.ts';
import type { McpTool } from '../../models/tools/mcp.ts';
import { openedTool } from '../../models/tools/open.ts';
import type { ApiContext } from '../context.ts';
import { withServer } from './connections.ts';

/** Servers in one run of the job; each takes seconds at most. */
const PER_RUN = 20;
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

/** Reads the catalogues that are an hour old. Returns their number. */
export async function refreshCatalogues(context: ApiContext): Promise<number> {
  const rows = await staleCatalogues(context.read, context.now() - HOUR_MS, PER_RUN);
  for (const row of rows) {
    const read = await readCatalogue(context, row);
    await updateTool(context.db, row.accountId, row.id, read);
  }
  return rows.length;
}
