// Serves index.html, and begins a call for whoever presses its button: the personal access token stays here, and the
// browser gets only the address of one call, good once for 60 seconds.
//
//   BASE=http://127.0.0.1:8080 TOKEN=vcs_… CAMPAIGN=cmp_… node server.mjs
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { BASE, TOKEN, CAMPAIGN, PORT = '3000' } = process.env;

async function beginCall() {
  const answer = await fetch(`${BASE}/api/v1/calls/web`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ campaignId: CAMPAIGN, metadata: { page: 'example' } }),
  });
  const { data, error } = await answer.json();
  return answer.ok ? [201, { socketUrl: data.socketUrl }] : [502, { error }];
}

const server = createServer(async (request, response) => {
  if (request.method === 'POST' && request.url === '/call') {
    const [status, body] = await beginCall().catch((fault) => [502, { error: String(fault) }]);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  const page = await readFile(new URL('./index.html', import.meta.url));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
