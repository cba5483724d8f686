// The security headers of every answer. helmet would build them for each request, which costs as much as the token and
// the rate limit together; here it is asked once.
import type { ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import fastify from 'fastify';
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';

/** Names as they are written on the wire: Node has them, its types do not. */
type RawNames = ServerResponse & { getRawHeaderNames(): string[] };

export async function registerSecurityHeaders(app: App, context: ApiContext): Promise<void> {
  const headers = await headersOfHelmet(context);
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    done();
  });
}

async function headersOfHelmet(context: ApiContext): Promise<Array<[name: string, value: string]>> {
  const headers: Array<[string, string]> = [];
  const server = fastify();
  await server.register(helmet, {
    global: true,
    contentSecurityPolicy: { useDefaults: true, directives: { upgradeInsecureRequests: upgraded(context) } },
    hsts: false,
  });
  server.addHook('onSend', async (_request, { raw }) => {
    for (const name of (raw as RawNames).getRawHeaderNames()) headers.push([name, String(raw.getHeader(name))]);
  });
  await server.inject('/');
  await server.close();
  return headers;
}

/** Browsers must ask for https only where it is served: over plain http on a LAN, every link would break. */
function upgraded({ config }: ApiContext): [] | null {
  return config.publicUrl?.startsWith('https:') ? [] : null;
}
