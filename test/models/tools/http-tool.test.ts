// One run of an HTTP tool against a real server: what leaves, what comes back, and what never leaves.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { runHttpTool, ToolConnections } from '../../../models/tools/http-tool.ts';
import type { HttpTool, ToolInputs } from '../../../models/tools/tool.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server, and all that it was asked. */
async function serve(t: TestContext, answer: RequestListener) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function connect(t: TestContext, allowPrivate = true): ToolConnections {
  const connections = new ToolConnections({ allowPrivate });
  t.after(() => connections.close());
  return connections;
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

const ORDER: HttpTool = {
  id: 'tol_1',
  name: 'find_order',
  description: 'Finds an order.',
  method: 'POST',
  url: 'http://127.0.0.1:1/orders',
  headers: {},
  parameters: {
    type: 'object',
    properties: { number: { type: 'string', minLength: 1 }, express: { type: 'boolean' } },
    required: ['number'],
  },
  timeoutMs: 2_000,
};
const inputs = (given: Record<string, unknown>, more: Partial<ToolInputs> = {}): ToolInputs => ({
  arguments: given,
  values: {},
  headerValues: {},
  key: 'key-1',
  ...more,
});

test('a POST carries its arguments as JSON, its headers and its key, and gives the answer as data', async (t) => {
  const { seen, origin } = await serve(t, json({ state: 'shipped' }));
  const tool = {
    ...ORDER,
    url: `${origin}/orders`,
    headers: { Authorization: 'Bearer s3cret', 'X-Call': '{{callId}}' },
  };
  const run = await runHttpTool(
    tool,
    inputs({ number: '4711', express: true }, { headerValues: { callId: 'call_1' } }),
    connect(t),
  );
  assert.deepEqual(run.result, { ok: true, status: 200, data: { state: 'shipped' } });
  const [request] = seen;
  assert.equal(request?.method, 'POST');
  assert.deepEqual(JSON.parse(request?.body ?? ''), { number: '4711', express: true });
  const { authorization, 'x-call': callId, 'idempotency-key': key, 'content-type': type } = request?.headers ?? {};
  assert.deepEqual([authorization, callId, key, type], ['Bearer s3cret', 'call_1', 'key-1', 'application/json']);
});

test('a GET has its arguments in path and query, each as one value whatever is in it', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const tool: HttpTool = { ...ORDER, method: 'GET', url: `${origin}/shops/{{shop}}/orders/{{number}}?by=phone` };
  const given = inputs({ number: 'a/../b?x=1', express: true }, { values: { shop: 'main street' } });
  await runHttpTool(tool, given, connect(t));
  assert.equal(seen[0]?.url, '/shops/main%20street/orders/a%2F..%2Fb%3Fx%3D1?by=phone&express=true');
  assert.equal(seen[0]?.body, '');
});

test('only declared arguments leave, and none takes the place of a fact or of the URL’s own query', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const parameters = { type: 'object', properties: { number: {}, region: {}, callerNumber: {} } };
  const orders: HttpTool = {
    ...ORDER,
    method: 'GET',
    parameters,
    url: `${origin}/customers/{{callerNumber}}/{{customerId}}?region=eu`,
  };
  const values = { callerNumber: '+12025550123', customerId: 'cus_1' };
  const said = { number: '1', region: 'us', callerNumber: '+4915112345678', customerId: 'cus_99', admin: 'true' };
  await runHttpTool(orders, inputs(said, { values }), connect(t));
  await runHttpTool({ ...orders, method: 'POST' }, inputs(said, { values }), connect(t));
  assert.equal(seen[0]?.url, '/customers/%2B12025550123/cus_1?region=eu&number=1');
  assert.equal(seen[1]?.url, '/customers/%2B12025550123/cus_1?region=eu');
  assert.deepEqual(JSON.parse(seen[1]?.body ?? ''), { number: '1', region: 'us' });
  const nobody = await runHttpTool(orders, inputs(said, { values: { customerId: 'cus_1' } }), connect(t));
  assert.equal('error' in nobody.result && nobody.result.error, 'bad_arguments', 'a caller without a number is nobody');
  assert.equal(seen.length, 2);
});

test('within an argument, too, only declared members leave, unless it may have any', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const item = { type: 'object', properties: { sku: { type: 'string' } } };
  const parameters = {
    type: 'object',
    properties: {
      items: { type: 'array', items: item },
      note: { type: 'object' },
      to: { ...item, additionalProperties: true },
    },
  };
  const given = { items: [{ sku: 'a', price: 0 }], note: { any: 1 }, to: { sku: 'b', price: 0 } };
  await runHttpTool({ ...ORDER, parameters, url: `${origin}/orders` }, inputs(given), connect(t));
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { ...given, items: [{ sku: 'a' }] });
});

test('a path that a value would leave, or that lacks its value, is not asked', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const tool: HttpTool = { ...ORDER, method: 'GET', url: `${origin}/orders/{{number}}` };
  for (const number of ['..', '.']) {
    const { result, request } = await runHttpTool(tool, inputs({ number }), connect(t));
    assert.deepEqual([result.ok, 'error' in result && result.error, request], [false, 'bad_arguments', null]);
  }
  const without: HttpTool = { ...tool, url: `${origin}/orders/{{customer}}` };
  const { result } = await runHttpTool(without, inputs({ number: '1' }), connect(t));
  assert.equal('error' in result && result.error, 'bad_arguments');
  assert.deepEqual(seen, []);
});

test('arguments that do not fit the schema stay here, and the model is told what to do', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const tool = { ...ORDER, url: origin };
  for (const given of [{}, { number: '' }, { number: { nested: true } }]) {
    const { result } = await runHttpTool(tool, inputs(given), connect(t));
    assert.ok(!result.ok && result.error === 'bad_arguments' && /number/.test(result.message), JSON.stringify(result));
  }
  assert.deepEqual(seen, []);
});

test('a fixed argument is the tool’s, not the model’s; a default fills what is left out', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const properties = {
    customer: { type: 'string', const: '{{customerId}}' },
    channel: { type: 'string', default: 'phone of {{callerNumber}}' },
  };
  const tool = { ...ORDER, url: origin, parameters: { type: 'object', properties, required: ['customer'] } };
  const values = { customerId: 'c-1', callerNumber: '+4930' };
  await runHttpTool(tool, inputs({ customer: 'somebody else' }, { values }), connect(t));
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { customer: 'c-1', channel: 'phone of +4930' });
});

test('a value in a header is one line, and nothing that was said stands in one', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const tool = { ...ORDER, url: origin, headers: { 'X-Customer': 'id {{customer}}', 'X-Number': '{{number}}' } };
  const headerValues = { customer: 'a\r\nX-Admin: yes' };
  await runHttpTool(tool, inputs({ number: '4711' }, { values: { number: '4711' }, headerValues }), connect(t));
  assert.equal(seen[0]?.headers['x-customer'], 'id a X-Admin: yes');
  assert.equal(seen[0]?.headers['x-number'], '');
  assert.equal(seen[0]?.headers['x-admin'], undefined);
});

test('a GET is repeated once where the server is busy or gone, a POST never', async (t) => {
  let asked = 0;
  const { origin, seen } = await serve(t, (request, response) => {
    asked++;
    json(asked === 1 ? { busy: true } : { asked }, asked === 1 ? 503 : 200)(request, response);
  });
  const tool: HttpTool = { ...ORDER, url: origin, method: 'GET' };
  const run = await runHttpTool(tool, inputs({ number: '1' }), connect(t));
  assert.deepEqual(run.result, { ok: true, status: 200, data: { asked: 2 } });
  assert.equal(seen[0]?.headers['idempotency-key'], seen[1]?.headers['idempotency-key']);

  asked = 0;
  const posted = await runHttpTool({ ...tool, method: 'POST' }, inputs({ number: '1' }), connect(t));
  assert.deepEqual([posted.result.ok, asked], [false, 1]);
});

test('a redirect is not followed, and a private address is not asked', async (t) => {
  const { seen, origin } = await serve(t, (_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end('<a>moved</a>');
  });
  const tool = { ...ORDER, url: origin };
  const redirected = await runHttpTool(tool, inputs({ number: '1' }), connect(t));
  assert.deepEqual(redirected.result, {
    ok: false,
    error: 'failed',
    status: 302,
    message: 'It answered 302: redirects are not followed.',
  });
  assert.equal(seen.length, 1);
  for (const url of [origin, 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'http://example.com/']) {
    const { result } = await runHttpTool({ ...ORDER, url }, inputs({ number: '1' }), connect(t, false));
    assert.ok(!result.ok && result.error === 'refused', `${url}: ${JSON.stringify(result)}`);
  }
  assert.equal(seen.length, 1);
});

test('an answer of 5 MB is cut, one that is no JSON is text, and the model gets a few thousand characters', async (t) => {
  const { origin } = await serve(t, (request, response) => {
    if (request.url === '/long') response.end('x'.repeat(5_000_000));
    else if (request.url === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Two <b>left</b>');
    else if (request.url === '/list')
      json(Array.from({ length: 900 }, (_, id) => ({ id, name: 'n'.repeat(40) })))(request, response);
    else response.end('{"broken": ');
  });
  const ask = (path: string) =>
    runHttpTool({ ...ORDER, url: `${origin}${path}`, parameters: { type: 'object' } }, inputs({}), connect(t));
  const long = await ask('/long');
  assert.equal(long.answer?.isCut, true);
  assert.equal(String(long.answer?.body).length, 65_536);
  assert.ok(JSON.stringify(long.result).length < 4_200);
  assert.deepEqual((await ask('/page')).result, { ok: true, status: 200, data: 'Two left' });
  assert.deepEqual((await ask('/broken')).result, { ok: true, status: 200, data: '{"broken":' });
  const { result } = await ask('/list');
  assert.ok(result.ok && Array.isArray(result.data));
  assert.match(String(result.data.at(-1)), /^… 8\d\d more$/);
  assert.ok(JSON.stringify(result).length < 4_200);
});

test('a server that hangs or is not there is an answer too, and so is a run that is given up', async (t) => {
  const { origin, seen } = await serve(t, () => undefined);
  const hung = await runHttpTool({ ...ORDER, url: origin, timeoutMs: 250 }, inputs({ number: '1' }), connect(t));
  assert.ok(!hung.result.ok && hung.result.error === 'timeout');
  const gone = await runHttpTool({ ...ORDER, url: 'http://127.0.0.1:1/' }, inputs({ number: '1' }), connect(t));
  assert.ok(!gone.result.ok && gone.result.error === 'unreachable');
  const abort = new AbortController();
  const running = runHttpTool({ ...ORDER, url: origin }, inputs({ number: '1' }), connect(t), abort.signal);
  while (seen.length < 2) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  const { result } = await running;
  assert.ok(!result.ok && result.error === 'cancelled');
});

test('arguments are completed and read as what the schema asks for on a copy: the history keeps what the model wrote', async (t) => {
  const { seen, origin } = await serve(t, json({}));
  const properties = { party: { type: 'object', properties: { guests: { type: 'integer' } } } };
  const tool: HttpTool = { ...ORDER, url: origin, parameters: { type: 'object', properties } };
  const given = { party: { guests: '4' } };
  await runHttpTool(tool, inputs(given), connect(t));
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { party: { guests: 4 } });
  assert.deepEqual(given, { party: { guests: '4' } });
});
