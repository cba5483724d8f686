// The security headers of every answer. helmet would build them for each request, at the cost of the token check and
// the rate limit together; here it runs once.
import helmet from '@fastify/helmet';
import fastify from 'fastify';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';

export async function registerSecurityHeaders(app: App, context: ApiContext): Promise<void> {
  const headers = Object.fromEntries(await headersOfHelmet(context));
  app.addHook('onRequest', (_request, reply, done) => {
    // Not of `reply.raw`: once that has one header, Node takes all others one by one too, which costs as much again.
    reply.headers(headers);
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
    for (const [name, value] of Object.entries(raw.getHeaders())) headers.push([name, String(value)]);
  });
  await server.inject('/');
  await server.close();
  return headers;
}

/** Browsers must upgrade to https only if it is served: over plain http on a LAN, every link would break. */
function upgraded({ config }: ApiContext): [] | null {
  return config.publicUrl?.startsWith('https:') ? [] : null;
}
