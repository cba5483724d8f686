// The simulated caller believes a BYE of its own call only: what it measures is the end that the service has sent.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import {
  headerValue,
  message,
  methodOf,
  response,
  sdp,
  statusOf,
} from '../../engine/test-runs/caller/phone/sip-text.ts';
import { callerDialog, parseTarget } from '../../engine/test-runs/caller/sip.ts';

test('a BYE of another Call-ID or with another tag gets 481 and ends nothing; the right one ends the call', async (t) => {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const next = async (isWanted: (text: string) => boolean): Promise<{ text: string; from: number }> => {
    for (;;) {
      const [data, { port: from }] = await once(socket, 'message');
      if (isWanted(String(data))) return { text: String(data), from };
    }
  };
  const events: string[] = [];
  const dialog = callerDialog({
    target: parseTarget(`sip:demo@127.0.0.1:${port}`),
    localAddress: '127.0.0.1',
    rtpPort: 40_000,
    from: 'caller',
    acceptsRefer: false,
    codec: 'PCMU',
    onEvent: ({ type }) => events.push(type),
  });
  t.after(() => dialog.close());
  const invited = next((text) => methodOf(text) === 'INVITE');
  await dialog.invite();
  const { text: invite, from } = await invited;
  const acknowledged = next((text) => methodOf(text) === 'ACK');
  socket.send(
    response(invite, 200, { tag: 'theirs', contact: `sip:demo@127.0.0.1:${port}`, body: sdp(40_002) }),
    from,
    '127.0.0.1',
  );
  await acknowledged;

  const ours = /tag=(\w+)/.exec(headerValue(invite, 'From'))?.[1] ?? '';
  const callId = headerValue(invite, 'Call-ID');
  let sent = 0;
  const bye = async (of: { callId: string; theirs: string; ours: string }): Promise<number> => {
    const cseq = `${++sent} BYE`;
    const answered = next((text) => headerValue(text, 'CSeq') === cseq);
    const lines = [
      'BYE sip:caller@127.0.0.1 SIP/2.0',
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${sent}`,
      'Max-Forwards: 70',
      `From: <sip:demo@127.0.0.1>${of.theirs}`,
      `To: <sip:caller@127.0.0.1>${of.ours}`,
      `Call-ID: ${of.callId}`,
      `CSeq: ${cseq}`,
    ];
    socket.send(message(lines), from, '127.0.0.1');
    return statusOf((await answered).text);
  };
  const right = { callId, theirs: ';tag=theirs', ours: `;tag=${ours}` };
  assert.equal(await bye({ ...right, callId: 'another' }), 481);
  assert.equal(await bye({ ...right, theirs: ';tag=strangers' }), 481);
  assert.equal(await bye({ ...right, theirs: '' }), 481);
  assert.equal(await bye({ ...right, ours: ';tag=strangers' }), 481);
  assert.equal(await bye({ ...right, ours: '' }), 481);
  assert.deepEqual(events, ['answered']);
  assert.equal(await bye(right), 200);
  assert.deepEqual(events, ['answered', 'ended']);
});
