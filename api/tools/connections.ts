// Connections to a tenant's systems for as long as one question takes, by the rules of the installation.
import type { ToolConnections } from '../../models/tools/http-tool.ts';
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
