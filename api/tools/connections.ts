// Connections to a tenant's systems for as long as one question takes, by the rules of the installation.
import type { ToolConnections } from '../../models/tools/http-tool.ts';
import type { McpServer } from '../../models/tools/mcp.ts';
import type { McpServerSession } from '../../models/tools/mcp-servers.ts';
import type { ApiContext } from '../context.ts';

export async function withConnections<T>(
  { config, resolve }: Pick<ApiContext, 'config' | 'resolve'>,
  use: (connections: ToolConnections) => Promise<T>,
): Promise<T> {
  const { ToolConnections: Connections } = await import('../../models/tools/http-tool.ts');
  const connections = new Connections({ allowPrivate: config.webhookAllowPrivate, ...(resolve ? { resolve } : {}) });
  try {
    return await use(connections);
  } finally {
    await connections.close();
  }
}

/** A session with an MCP server on a thread of its own. */
export async function withServer<T>(
  { config, resolve }: Pick<ApiContext, 'config' | 'resolve'>,
  server: McpServer,
  use: (session: McpServerSession) => Promise<T>,
): Promise<T> {
  const { McpServers } = await import('../../models/tools/mcp-servers.ts');
  const servers = new McpServers({ allowPrivate: config.webhookAllowPrivate, ...(resolve ? { resolve } : {}) });
  const session = servers.session(server);
  try {
    return await use(session);
  } finally {
    await session.close();
    await servers.close();
  }
}
