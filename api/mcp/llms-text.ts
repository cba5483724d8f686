// GET /llms.txt (llmstxt.org): for an assistant that is given the address of the service, what it is and where its
// interfaces and pages are.
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';

const PAGES = [
  ['getting-started', 'from a web site to a number that is answered'],
  ['tokens', 'signing in, personal access tokens and their scopes'],
  ['agents', 'voice, language and manner of an agent'],
  ['businesses', 'hours, services, answers, knowledge'],
  ['campaigns', 'agents that answer and call for a business'],
  ['tools', 'other systems that an agent asks in a call'],
  ['results', 'values and verdicts that are read from each call'],
  ['numbers', 'search, buy and bring along telephone numbers'],
  ['webhooks', 'events, signatures and retries'],
  ['coming-from', 'names of Vapi, Retell, Bland, jambonz and LiveKit, and ours'],
  ['assistants', 'this service as tools of an assistant'],
  ['errors', 'each code of an error, and what to do'],
] as const;

export function registerLlmsText(app: App, { config }: ApiContext): void {
  const options = { config: { public: true, bare: true }, schema: { hide: true } };
  app.get('/llms.txt', options, async (request, reply) => {
    const base = config.publicUrl ?? `${request.protocol}://${request.host}`;
    const text = `# Voice Calls

> An AI phone service: agents answer and place telephone calls, talk, book appointments, and pass callers on.

## Interfaces

- [MCP server](${base}/mcp): POST, streamable HTTP, \`Authorization: Bearer vcs_…\`; each operation of the API is a tool, the usual ones are shown, and all with \`?toolsets=all\`
- [REST API](${base}/openapi.json): OpenAPI 3.1, under ${base}/api/v1; [reference](${base}/docs/)

## Pages

${PAGES.map(([page, what]) => `- [${page}](${base}/docs/${page}.md): ${what}`).join('\n')}
`;
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text);
  });
}
