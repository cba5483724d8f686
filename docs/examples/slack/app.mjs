// A small Slack app: tells a channel of each call that ended, and places calls by `/call +12025550143`.
//   npm install voice-calling-client && PORT=3000 node app.mjs
// VOICE_URL, VOICE_TOKEN (scopes read and call), VOICE_CAMPAIGN (its name), VOICE_WEBHOOK_SECRET (of a webhook for
// call.ended at https://HOST/voice); SLACK_WEBHOOK_URL (an incoming webhook) and SLACK_SIGNING_SECRET (of the app, whose
// command /call has the address https://HOST/slack). Put it behind a TLS proxy, start it without VOICE_WEBHOOK_SECRET to
// make the webhook, then again with it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createClient, verifyWebhook } from 'voice-calling-client';

const env = process.env;
const client = createClient({ url: env.VOICE_URL ?? '', token: env.VOICE_TOKEN });
const BODY_BYTES_MAX = 1024 * 1024;
const TOLERANCE_SECONDS = 300;
const seen = new Set(); // In production: a unique column in your database.

/** Slack's characters of control; words of callers are no links and no mentions. */
const plain = (text) => text.replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);

async function tell(call) {
  const other = call.callerName ?? (call.direction === 'inbound' ? call.fromNumber : call.toNumber);
  const text = `${call.direction === 'inbound' ? 'Call from' : 'Call to'} *${plain(other)}* (${call.durationSeconds} s): ${plain(call.summary ?? call.endReason ?? '')}`;
  const answer = await fetch(env.SLACK_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) console.error(`Slack answered ${answer.status}`);
}

async function onVoice(request, body) {
  // The secret comes with the answer that makes the webhook, after this probe, which carries nothing.
  if (!env.VOICE_WEBHOOK_SECRET && body.includes('"type":"webhook.probe"')) return { status: 204 };
  const event = await verifyWebhook(body, request.headers, [env.VOICE_WEBHOOK_SECRET]).catch(() => null);
  if (event === null) return { status: 401 };
  if (event.type === 'call.ended' && !seen.has(event.id)) {
    seen.add(event.id);
    // Answered first: the service waits for 15 s.
    tell(event.data).catch((fault) => console.error(fault.message));
  }
  return { status: 204 };
}

/** https://api.slack.com/authentication/verifying-requests-from-slack */
function isOfSlack({ headers }, body) {
  const timestamp = String(headers['x-slack-request-timestamp'] ?? '');
  const isNow = Math.abs(Date.now() / 1000 - Number(timestamp)) < TOLERANCE_SECONDS;
  const hmac = createHmac('sha256', env.SLACK_SIGNING_SECRET ?? '')
    .update(`v0:${timestamp}:`)
    .update(body);
  const [expected, given] = [`v0=${hmac.digest('hex')}`, String(headers['x-slack-signature'] ?? '')].map((each) =>
    Buffer.from(each),
  );
  return (
    isNow && Boolean(env.SLACK_SIGNING_SECRET) && given.length === expected.length && timingSafeEqual(given, expected)
  );
}

async function onSlack(request, body) {
  if (!isOfSlack(request, body)) return { status: 401 };
  const toNumber = (new URLSearchParams(body.toString()).get('text') ?? '').replace(/[\s().-]/g, '');
  const text = await place(toNumber).catch((fault) => fault.message);
  return { status: 200, body: { response_type: 'ephemeral', text: plain(text) } };
}

async function place(toNumber) {
  const campaigns = await client.campaigns.list().all();
  const campaign = campaigns.find(({ name }) => name === env.VOICE_CAMPAIGN);
  if (campaign === undefined) return `There is no campaign ${env.VOICE_CAMPAIGN}`;
  const [fromPhoneNumberId] = campaign.phoneNumberIds;
  if (fromPhoneNumberId === undefined) return `${campaign.name} has no number to call from`;
  // Slack waits for 3 s.
  const options = { timeoutMs: 2_500, retries: 0 };
  const call = await client.calls.place({ campaignId: campaign.id, fromPhoneNumberId, toNumber }, options);
  return `Calling ${call.toNumber}`;
}

const ROUTES = { 'POST /voice': onVoice, 'POST /slack': onSlack };

async function read(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const route = ROUTES[`${request.method} ${request.url}`];
  const body = route && (await read(request));
  const answer = !route ? { status: 404 } : body === null ? { status: 413 } : await route(request, body);
  response.writeHead(answer.status, answer.body && { 'content-type': 'application/json' });
  response.end(answer.body && JSON.stringify(answer.body));
});
server.listen(Number(env.PORT ?? 3000), () => console.log(`listening on ${server.address().port}`));
