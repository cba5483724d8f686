// A webhook receiver for Node without dependencies: WEBHOOK_SECRET=whsec_… PORT=3000 node node.mjs
// Put it behind a TLS proxy: webhooks are delivered to HTTPS only. Start it without WEBHOOK_SECRET to create the
// webhook (the secret is in the answer), then again with it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const TOLERANCE_SECONDS = 300;
const secret = process.env.WEBHOOK_SECRET ?? '';
const key = createHash('sha256').update(secret).digest();
const seen = new Set(); // In production: a unique column in your database.

function verify(headers, body) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Before there is a secret, the probe of the creation is all that is taken; it carries nothing. */
function isFirstProbe(body) {
  return secret === '' && body.toString().includes('"type":"webhook.probe"');
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // The raw bytes: parsing and printing JSON again breaks the signature.
  if (isFirstProbe(body)) {
    response.writeHead(204).end();
    return;
  }
  if (secret === '' || !verify(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // Answer first, work later: an answer is awaited for 15 seconds.
  const event = JSON.parse(body.toString());
  if (seen.has(event.id)) return; // Deliveries are at least once.
  seen.add(event.id);
  console.log(event.type, event.id, event.data.id ?? '');
});
server.listen(Number(process.env.PORT ?? 3000), () => console.log(`listening on ${server.address().port}`));
