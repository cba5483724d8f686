// A system that the agents ask: an order by its number, and who calls. Node 20 without packages; PORT, default 8090.
// Behind it stands your own database: here two orders in a map.
import { createServer } from 'node:http';

const TOKEN = process.env.TOOL_TOKEN ?? 'change-me';
const ORDERS = new Map([
  ['4711', { state: 'shipped', arrives: 'Tuesday' }],
  ['4712', { state: 'packed', arrives: 'Friday' }],
]);
const CUSTOMERS = new Map([['+12025550143', { customer: 'Ada Lovelace', tier: 'gold' }]]);
/** Answers by Idempotency-Key: what is asked twice is done once. Yours belong into a table that is pruned each day. */
const answered = new Map();

function answer(path, body) {
  if (path === '/orders') {
    const order = ORDERS.get(String(body.number));
    return order
      ? { say: `Your order is ${order.state} and arrives on ${order.arrives}.`, ...order }
      : { say: 'I cannot find an order with that number.', state: 'unknown' };
  }
  if (path === '/who-calls') {
    const caller = body.direction === 'outbound' ? body.toNumber : body.fromNumber;
    return { variables: CUSTOMERS.get(caller) ?? {} };
  }
  return null;
}

const server = createServer(async (request, response) => {
  const send = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(401, { error: 'wrong token' });
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 100_000) return send(413, { error: 'too long' });
  }
  const key = request.headers['idempotency-key'];
  if (answered.has(key)) return send(200, answered.get(key));
  let body;
  try {
    body = JSON.parse(text || '{}');
  } catch {
    return send(400, { error: 'no JSON' });
  }
  const found = answer(new URL(request.url, 'http://localhost').pathname, body);
  if (found === null) return send(404, { error: 'no such tool' });
  answered.set(key, found);
  send(200, found);
});
server.listen(Number(process.env.PORT ?? 8090), process.env.HOST ?? '127.0.0.1', () => {
  console.log(`listening on port ${server.address().port}`);
});
