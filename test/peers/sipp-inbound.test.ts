// sipp calls the endpoint: an independent client's INVITE, CANCEL and BYE, over UDP and TCP.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { test } from 'node:test';
import { startHarness } from '../../bench/rig/phone/sip-harness.ts';
import { runSipp, skipWithoutSipp } from '../support/sip/sipp.ts';

const answerAtOnce = { address: '127.0.0.1', port: 40_000 };

for (const transport of ['u1', 't1']) {
  test(`sipp -sn uac over ${transport}: 5 calls are answered and ended`, {
    skip: skipWithoutSipp,
    timeout: 60_000,
  }, async () => {
    const harness = await startHarness((leg) => {
      leg.ring();
      leg.answer(answerAtOnce);
    });
    const args = ['-sn', 'uac', '-t', transport, '-m', '5', '-r', '10', '-d', '100', '-s', 'demo'];
    const sipp = await runSipp([...args, `127.0.0.1:${harness.port}`]);
    const { exitCode, output } = await sipp.done;
    await harness.telephony.stop();
    assert.equal(exitCode, 0, output);
    assert.equal(harness.legs.length, 5);
    for (const { leg, events } of harness.legs) {
      assert.equal(leg.called, 'demo');
      assert.deepEqual(
        events.map(({ type }) => type).filter((type) => type !== 'dialog-stored'),
        ['answered', 'ended'],
      );
      const ended = events.at(-1);
      assert.ok(ended?.type === 'ended' && ended.end.by === 'remote');
    }
    assert.deepEqual(harness.errors, []);
  });
}

const cancelScenario = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="cancel">
  <send retrans="500"><![CDATA[
    INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
    Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
    From: <sip:caller@[local_ip]:[local_port]>;tag=[call_number]
    To: <sip:[service]@[remote_ip]:[remote_port]>
    Call-ID: [call_id]
    CSeq: 1 INVITE
    Contact: <sip:caller@[local_ip]:[local_port]>
    Max-Forwards: 70
    Content-Length: 0
  ]]></send>
  <recv response="100" optional="true"></recv>
  <recv response="180"></recv>
  <send retrans="500"><![CDATA[
    CANCEL sip:[service]@[remote_ip]:[remote_port] SIP/2.0
    Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-3]
    From: <sip:caller@[local_ip]:[local_port]>;tag=[call_number]
    To: <sip:[service]@[remote_ip]:[remote_port]>
    Call-ID: [call_id]
    CSeq: 1 CANCEL
    Max-Forwards: 70
    Content-Length: 0
  ]]></send>
  <recv response="200"></recv>
  <recv response="487"></recv>
  <send><![CDATA[
    ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
    Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch-6]
    From: <sip:caller@[local_ip]:[local_port]>;tag=[call_number]
    To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
    Call-ID: [call_id]
    CSeq: 1 ACK
    Max-Forwards: 70
    Content-Length: 0
  ]]></send>
</scenario>`;

test('a caller who gives up while it rings gets 200 to CANCEL and 487 to INVITE', {
  skip: skipWithoutSipp,
}, async () => {
  const harness = await startHarness((leg) => leg.ring());
  const args = ['-m', '1', '-s', '15550100', '-cid_str', '%u-%p@%s', `127.0.0.1:${harness.port}`];
  const sipp = await runSipp(args, cancelScenario);
  const { exitCode, output } = await sipp.done;
  await harness.telephony.stop();
  assert.equal(exitCode, 0, output);
  const ended = await harness.legs[0]?.next('ended');
  assert.deepEqual(ended?.end, { by: 'remote', sipStatus: 487, q850Cause: null, reason: 'cancelled', rang: true });
});

const mayReplay =
  process.getuid?.() === 0 || process.env.CI ? skipWithoutSipp : 'sipp replays RTP through raw sockets: root only';

test('sipp -sn uac_pcap: its G.711 and digits reach the address that we answered with', {
  skip: mayReplay,
  timeout: 60_000,
}, async () => {
  const payloadTypes = new Map<number, number>();
  const socket = createSocket('udp4');
  socket.on('message', (packet) => {
    const type = (packet[1] ?? 0) & 0x7f;
    payloadTypes.set(type, (payloadTypes.get(type) ?? 0) + 1);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const harness = await startHarness((leg) => leg.answer({ address: '127.0.0.1', port: socket.address().port }));
  const sipp = await runSipp([
    '-sn',
    'uac_pcap',
    '-m',
    '1',
    '-s',
    'demo',
    '-mi',
    '127.0.0.1',
    `127.0.0.1:${harness.port}`,
  ]);
  const { exitCode, output } = await sipp.done;
  await harness.telephony.stop();
  socket.close();
  assert.equal(exitCode, 0, output);
  const answered = harness.legs[0]?.events.find((event) => event.type === 'answered');
  assert.ok(answered?.type === 'answered');
  const { payloadType, telephoneEventPayloadType } = answered.audio;
  assert.equal(payloadType, 8);
  assert.ok((payloadTypes.get(payloadType) ?? 0) > 100, JSON.stringify([...payloadTypes]));
  assert.ok(
    telephoneEventPayloadType !== null && (payloadTypes.get(telephoneEventPayloadType) ?? 0) > 0,
    JSON.stringify([...payloadTypes]),
  );
});
