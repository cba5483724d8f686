import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkUrl, isPublicAddress } from '../../db/shared/net/address-rules.ts';
import { checkAddress, guardedConnector, resolveChecked, safeFetch } from '../../db/shared/net/safe-fetch.ts';

const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected;

async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  t.after(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close,
  };
}

const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
];

test('no special-purpose address counts as public', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
});

test('a cloud’s host is not public, though its number is', () => {
  for (const address of ['168.63.129.16', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254'])
    assert.equal(isPublicAddress(address), false, address);
});

test('ordinary addresses of the internet count as public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::8']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('hosts written to hide an address are refused', async () => {
  for (const host of ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '134744072', '0x08080808']) {
    await assert.rejects(checkAddress(`https://${host}/hook`), code('HOST_REFUSED'), host);
  }
  for (const host of ['0', '0.0.0.0', '127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '[::1]']) {
    await assert.rejects(checkAddress(`https://${host}/`), (error) =>
      /_REFUSED$/.test((error as { code: string }).code),
    );
  }
  await assert.rejects(checkAddress('https://[::ffff:10.0.0.1]/'), code('ADDRESS_REFUSED'));
  await assert.rejects(checkAddress('https://[64:ff9b::a00:1]/'), code('ADDRESS_REFUSED'));
  await assert.rejects(checkAddress('https://１２７.0.0.1/'), code('HOST_REFUSED'));
});

test('schemes, credentials and nonsense are refused before any name is asked for', () => {
  assert.throws(() => checkUrl('http://example.com', { schemes: ['https:'] }), code('SCHEME_REFUSED'));
  assert.throws(() => checkUrl('file:///etc/passwd'), code('SCHEME_REFUSED'));
  assert.throws(() => checkUrl('https://user:pass@example.com/'), code('CREDENTIALS_REFUSED'));
  assert.throws(() => checkUrl('https://'), code('INVALID_URL'));
  assert.throws(() => checkUrl('example.com/hook'), code('INVALID_URL'));
  assert.equal(checkUrl('https://example.com/hook').hostname, 'example.com');
});

test('a name with one private address among public ones is refused', async () => {
  const resolve = async () => ['8.8.8.8', '2606:4700::1111', '10.0.0.7'];
  await assert.rejects(checkAddress('https://hooks.example.com/', { resolve }), code('ADDRESS_REFUSED'));
  assert.deepEqual(await resolveChecked('hooks.example.com', { resolve: async () => ['8.8.8.8'] }), ['8.8.8.8']);
  await assert.rejects(resolveChecked('gone.example.com', { resolve: async () => [] }), code('NAME_NOT_RESOLVED'));
});

test('a name that turns private between the check and the connection is not connected to', async (t) => {
  let requests = 0;
  const server = await serve(t, (_, response) => {
    requests++;
    response.end('inside');
  });
  const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? ['127.0.0.1'];
  const url = `http://rebinding.example.com:${server.port}/`;
  await checkAddress(url, { resolve });
  await assert.rejects(safeFetch(url, { resolve, maxBytes: 100, timeoutMs: 5_000 }), code('ADDRESS_REFUSED'));
  assert.equal(requests, 0);
});

test('the connector itself refuses a literal private address', async () => {
  const error = await new Promise((resolve) =>
    guardedConnector()({ hostname: '127.0.0.1', port: '9', protocol: 'http:' } as never, (...result) =>
      resolve(result[0]),
    ),
  );
  assert.equal((error as { code: string }).code, 'ADDRESS_REFUSED');
});

test('the connection goes to the resolved address with the URL’s own host name', async (t) => {
  const hosts: unknown[] = [];
  const server = await serve(t, (request, response) => {
    hosts.push(request.headers.host);
    response.end('hello');
  });
  const answer = await safeFetch(`http://hooks.example.com:${server.port}/x`, {
    allowPrivate: true,
    resolve: async () => ['127.0.0.1'],
    maxBytes: 100,
    timeoutMs: 5_000,
  });
  assert.equal(answer.body.toString(), 'hello');
  assert.equal(answer.truncated, false);
  assert.deepEqual(hosts, [`hooks.example.com:${server.port}`]);
});

test('an endless answer is cut at the limit', async (t) => {
  let closed: () => void = () => {};
  const hungUp = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const server = await serve(t, (_, response) => {
    const write = () => {
      while (response.write(Buffer.alloc(16_384, 'a')));
    };
    response.on('drain', write).on('close', closed);
    write();
  });
  const answer = await safeFetch(server.url, { allowPrivate: true, maxBytes: 10_000, timeoutMs: 10_000 });
  assert.equal(answer.truncated, true);
  assert.equal(answer.body.length, 10_000);
  await hungUp;
});

test('redirects are followed only when asked, each hop judged anew, and never beyond the limit', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/end') return response.end('end');
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://2130706433/secret' }).end();
    return response.writeHead(301, { location: '/end' }).end();
  });
  const options = { allowPrivate: true, maxBytes: 100, timeoutMs: 5_000 };
  assert.equal((await safeFetch(server.url, options)).status, 301);
  const followed = await safeFetch(server.url, { ...options, maxRedirects: 3 });
  assert.equal(followed.body.toString(), 'end');
  assert.equal(followed.url.pathname, '/end');
  await assert.rejects(safeFetch(`${server.url}/loop`, { ...options, maxRedirects: 3 }), code('TOO_MANY_REDIRECTS'));
  await assert.rejects(safeFetch(`${server.url}/inside`, { ...options, maxRedirects: 3 }), code('HOST_REFUSED'));
  const posted = await safeFetch(server.url, { ...options, maxRedirects: 3, method: 'POST', body: '{}' });
  assert.equal(posted.status, 301);
});

test('a connection without TLS that may only go to this machine goes nowhere else', async (t) => {
  const options = { schemes: ['https:'], allowPrivate: true, plainToLoopback: true };
  for (const host of ['localhost', '127.0.0.9', '[::1]', 'my.localhost'])
    assert.ok(checkUrl(`http://${host}/`, options));
  for (const host of ['10.0.0.1', '[::ffff:10.0.0.1]', 'example.com', '0.0.0.0'])
    assert.throws(() => checkUrl(`http://${host}/`, options), code('SCHEME_REFUSED'), host);
  // A stored URL is not checked again, its connection is.
  const ask = { allowPrivate: true, plainToLoopback: true, maxBytes: 100, timeoutMs: 5_000 };
  const resolve = async (): Promise<string[]> => ['127.0.0.1', '10.0.0.1'];
  await assert.rejects(safeFetch('http://10.0.0.1/', ask), code('ADDRESS_REFUSED'));
  await assert.rejects(safeFetch('http://moved.example.com/', { ...ask, resolve }), code('ADDRESS_REFUSED'));
  const server = await serve(t, (_request, response) => response.end('reached'));
  assert.equal((await safeFetch(server.url, ask)).body.toString(), 'reached');
  await assert.rejects(
    safeFetch(server.url, { ...ask, allowPrivate: false, schemes: ['http:'] }),
    code('ADDRESS_REFUSED'),
  );
});

test('a redirect from outside to a private address is refused', async (t) => {
  const server = await serve(t, (_, response) => response.end('inside'));
  await assert.rejects(
    safeFetch(server.url, { maxRedirects: 2, maxBytes: 100, timeoutMs: 5_000 }),
    code('ADDRESS_REFUSED'),
  );
});

test('compressed answers are decoded within the limit', async (t) => {
  const server = await serve(t, (request, response) => {
    const size = request.url === '/bomb' ? 1_000_000 : 50;
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(size, 'z')));
  });
  const options = { allowPrivate: true, maxBytes: 5_000, timeoutMs: 5_000 };
  assert.equal((await safeFetch(server.url, options)).body.toString(), 'z'.repeat(50));
  await assert.rejects(safeFetch(`${server.url}/bomb`, options), code('BAD_ANSWER'));
});

test('failures have a code: refused, silent, cut off, no TLS, silent name server, given up', async (t) => {
  const silent = await serve(t, () => {});
  const cutting = await serve(t, (request) => request.socket.destroy());
  const plain = await serve(t, (_, response) => response.end('plain'));
  const options = { allowPrivate: true, maxBytes: 100, timeoutMs: 300 };
  await assert.rejects(safeFetch(silent.url, options), code('TIMEOUT'));
  await assert.rejects(safeFetch(cutting.url, { ...options, timeoutMs: 5_000 }), code('CONNECTION_FAILED'));
  await assert.rejects(safeFetch(plain.url.replace('http:', 'https:'), { ...options, timeoutMs: 5_000 }), (error) =>
    /TLS_FAILED|CONNECTION_FAILED/.test((error as { code: string }).code),
  );
  await assert.rejects(
    safeFetch('http://never.example.com/', { ...options, resolve: () => new Promise(() => {}) }),
    code('TIMEOUT'),
  );
  const given = new AbortController();
  const pending = safeFetch(silent.url, { ...options, timeoutMs: 30_000, signal: given.signal });
  given.abort();
  await assert.rejects(pending, code('ABORTED'));
  const port = plain.port;
  await Promise.all([silent.close(), cutting.close(), plain.close()]);
  await assert.rejects(
    safeFetch(`http://127.0.0.1:${port}/`, { ...options, timeoutMs: 5_000 }),
    code('CONNECTION_FAILED'),
  );
});
