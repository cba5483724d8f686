// A socket of IPv6 that serves IPv4 too, as with SIP_HOST `::`: here on the mapped loopback, so that nobody else comes.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { createNodeNetwork } from '../../../../../engine/sip/stack/network/node-network.ts';

test('a telephone of IPv4 is known by its own address, and the answer reaches it', async () => {
  const heard = Promise.withResolvers<string>();
  const socket = await createNodeNetwork().bindDatagrams({ address: '::ffff:127.0.0.1', port: 0 }, (_bytes, from) => {
    heard.resolve(from.address);
    socket.send(Buffer.from('answer'), from, assert.fail);
  });
  const phone = createSocket('udp4');
  phone.send('question', socket.local.port, '127.0.0.1');
  const [answer] = await once(phone, 'message');
  assert.deepEqual([await heard.promise, String(answer)], ['127.0.0.1', 'answer']);
  phone.close();
  socket.close();
});
