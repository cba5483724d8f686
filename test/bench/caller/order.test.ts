// The command line of `npm run caller`: what is wrong with it is said in one line before a call is placed, and a call
// that came to nothing says why.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { hintFor, watchForNobody } from '../../../bench/caller/hints.ts';
import { readOrder, WrongOrder } from '../../../bench/caller/order.ts';

const ADDRESS = 'sip:demo@127.0.0.1:5060';
const around = {
  environment: { DATA_DIR: '/nowhere' },
  async lookUp(host: string): Promise<string> {
    if (host === 'pbx.example') return '192.0.2.7';
    throw new Error('getaddrinfo ENOTFOUND');
  },
};
const read = (...args: string[]) => readOrder(args, around);

test('the address alone is an order, and a name in it is looked up', async () => {
  const order = await read(ADDRESS);
  assert.deepEqual(order?.target, { uri: ADDRESS, host: '127.0.0.1', port: 5060 });
  assert.deepEqual([order?.codec, order?.voice, order?.seconds, order?.say], ['PCMU', 'flite-slt', 60, []]);
  const named = await read('sip:+15550100000@pbx.example;transport=udp', '--say', 'Hello', '--codec', 'g722');
  assert.deepEqual([named?.target.host, named?.target.port, named?.codec], ['192.0.2.7', 5060, 'G722']);
  assert.equal(await read('--help'), null);
});

test('each wrong word of the command is named, with what would be right', async () => {
  const cases: Array<[string[], RegExp]> = [
    [[], /which address.*sip:demo@127\.0\.0\.1:5060/],
    [['demo@127.0.0.1'], /no SIP address such as/],
    [['sip:demo@127.0.0.1:99999'], /no SIP address such as/],
    [['sip:demo@127.0.0.1:5060x'], /no SIP address such as/],
    [['sip:demo@[::1]:5060'], /IPv4 only/],
    [['sip:demo@nowhere.example'], /nowhere\.example has no IPv4 address: .*ENOTFOUND/],
    [[ADDRESS, 'your', 'hours'], /"your hours" follows the address .*quotes/],
    [[ADDRESS, '--nonsense'], /--nonsense.*see --help/],
    [[ADDRESS, '--say'], /--say/],
    [[ADDRESS, '--voice', 'nope'], /no "nope" here, but flite-rms, flite-slt, flite-awb, flite-kal16; npm run models/],
    [[ADDRESS, '--voice', 'sherpa:nope'], /no "sherpa:nope" here/],
    [[ADDRESS, '--codec', 'g729'], /none of pcmu, pcma, g722, opus/],
    [[ADDRESS, '--digits', '12x'], /other keys/],
    [[ADDRESS, '--seconds', '0'], /--seconds/],
    [[ADDRESS, '--barge-in-ms', 'soon'], /--barge-in-ms/],
    [[ADDRESS, '--from', 'Ann Lee'], /--from/],
    [[ADDRESS, '--wav', '/nowhere/in.wav'], /--wav \/nowhere\/in\.wav: ENOENT/],
    [[ADDRESS, '--record', '/nowhere/out.wav'], /no folder \/nowhere/],
    [[ADDRESS, '--record', tmpdir()], /is a folder/],
  ];
  for (const [args, words] of cases)
    await assert.rejects(read(...args), (error: Error) => {
      assert.ok(error instanceof WrongOrder, args.join(' '));
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
});

test('a call that was not answered says why and what to do', () => {
  const target = { uri: 'sip:nope@127.0.0.1:5060', host: '127.0.0.1', port: 5060 };
  assert.match(hintFor(null, target) ?? '', /nothing answers at 127\.0\.0\.1:5060.*npm start/);
  assert.match(hintFor(404, target) ?? '', /"nope".*GET \/api\/v1\/phone-numbers/);
  for (const status of [401, 403, 408, 480, 488, 503]) assert.notEqual(hintFor(status, target), null);
  assert.equal(hintFor(486, target), null);
});

test('a port at which nobody listens is found at once; one at which somebody does is not', async () => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const heard = once(socket, 'message');
  const end = watchForNobody({ host: '127.0.0.1', port }, () => assert.fail('somebody listens'));
  await heard;
  end();
  socket.close();
  await once(socket, 'close');
  await new Promise<void>((resolve) => watchForNobody({ host: '127.0.0.1', port }, resolve));
});
