// We call sipp: an independent callee that answers, is busy, does not answer, sends early media, or answers just as we
// give up; over UDP and TCP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import type { LegEnd } from '../../engine/sip/telephony.ts';
import { runSipp, skipWithoutSipp } from '../support/sip/sipp.ts';

function answerTo(status: string, extra = '', body = ''): string {
  const lines = [
    `SIP/2.0 ${status}`,
    '[last_Via:]',
    '[last_From:]',
    '[last_To:];tag=[call_number]',
    '[last_Call-ID:]',
    '[last_CSeq:]',
    'Contact: <sip:[local_ip]:[local_port];transport=[transport]>',
    ...(extra === '' ? [] : [extra]),
    ...(body === '' ? ['Content-Length: 0'] : ['Content-Type: application/sdp', 'Content-Length: [len]', '', body]),
  ];
  return `<send${/^2/.test(status) ? ' retrans="500"' : ''}><![CDATA[\n${lines.join('\n')}\n\n]]></send>`;
}

const media = `v=0
o=callee 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio 45678 RTP/AVP 8 101
a=rtpmap:101 telephone-event/8000`;

function scenario(steps: string): string {
  return `<?xml version="1.0"?><scenario name="callee">${steps}</scenario>`;
}

function recv(method: string): string {
  return `<recv request="${method}" crlf="true"></recv>`;
}

const okTo = (method: string): string => `${recv(method)}
  <send><![CDATA[
    SIP/2.0 200 OK
    [last_Via:]
    [last_From:]
    [last_To:]
    [last_Call-ID:]
    [last_CSeq:]
    Content-Length: 0
  ]]></send>`;
const hangUp = okTo('BYE');

interface Outcome {
  seen: string[];
  end: LegEnd | null;
  exitCode: number | null;
  messages: string;
  output: string;
}

/** Dials sipp through a trunk; `during` acts on the leg after the given event. */
async function call(
  steps: string,
  options: { transport?: 'udp' | 'tcp'; ringTimeoutMs?: number; hangUpOn?: 'answered' | 'ringing' } = {},
): Promise<Outcome> {
  const port = await reservePort();
  const mode = options.transport === 'tcp' ? 't1' : 'u1';
  const sipp = await runSipp(['-p', String(port), '-t', mode, '-m', '1', '-timeout', '25'], scenario(steps));
  const harness = await startHarness(() => {});
  // sipp needs a moment to bind; TCP does not retransmit.
  await new Promise((resolve) => setTimeout(resolve, 700));
  const leg = recordLeg(
    harness.telephony.dial({
      trunkIds: [],
      // Not through a trunk: its health check's OPTIONS would be a call that the scenario does not know.
      to: `sip:+15551112222@127.0.0.1:${port};transport=${options.transport ?? 'udp'}`,
      from: '+15559990000',
      fromName: 'Shop',
      audio: { address: '127.0.0.1', port: 40_000 },
      ringTimeoutMs: options.ringTimeoutMs ?? 15_000,
    }),
  );
  // The callee's end always ends the test.
  const finished = sipp.done.finally(() => leg.leg.hangUp());
  if (options.hangUpOn) {
    await Promise.race([leg.next(options.hangUpOn), leg.next('ended')]);
    leg.leg.hangUp();
  }
  const { end } = await leg.next('ended');
  const { exitCode, messages, output } = await finished;
  await harness.telephony.stop();
  assert.deepEqual(harness.errors, []);
  const seen = leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored');
  return { seen, end, exitCode, messages, output };
}

for (const transport of ['udp', 'tcp'] as const) {
  test(`answered over ${transport}, hung up by us`, { skip: skipWithoutSipp, timeout: 60_000 }, async () => {
    const steps = recv('INVITE') + answerTo('180 Ringing') + answerTo('200 OK', '', media) + recv('ACK') + hangUp;
    const outcome = await call(steps, { transport, hangUpOn: 'answered' });
    assert.equal(outcome.exitCode, 0, outcome.output);
    assert.deepEqual(outcome.seen, ['ringing', 'answered', 'ended']);
    assert.equal(outcome.end?.by, 'local');
  });
}

test('busy: 486 is acknowledged and ends the call', { skip: skipWithoutSipp, timeout: 60_000 }, async () => {
  const outcome = await call(recv('INVITE') + answerTo('486 Busy Here', 'Reason: Q.850;cause=17') + recv('ACK'));
  assert.equal(outcome.exitCode, 0, outcome.output);
  assert.deepEqual(outcome.end, { by: 'remote', sipStatus: 486, q850Cause: 17, reason: 'Busy Here', rang: false });
});

test('183 with early media, then 200', { skip: skipWithoutSipp, timeout: 60_000 }, async () => {
  const steps =
    recv('INVITE') +
    answerTo('183 Session Progress', '', media) +
    '<pause milliseconds="300"/>' +
    answerTo('200 OK', '', media) +
    recv('ACK') +
    hangUp;
  const outcome = await call(steps, { hangUpOn: 'answered' });
  assert.equal(outcome.exitCode, 0, outcome.output);
  assert.deepEqual(outcome.seen, ['ringing', 'answered', 'ended']);
});

const okToCancel = okTo('CANCEL');

function toInvite(status: string, body = ''): string {
  return answerTo(status, '', body)
    .replace('[last_Via:]', 'Via: [$via]')
    .replace('[last_CSeq:]', 'CSeq: 1 INVITE')
    .replace('[last_To:];tag', '[last_To:];tag');
}

const keepVia = `<recv request="INVITE" crlf="true"><action><ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/></action></recv>`;

test('180 and 183 that demand a PRACK (RFC 3262), then 200', { skip: skipWithoutSipp, timeout: 60_000 }, async () => {
  const reliable = (rseq: number) => `Require: 100rel\nRSeq: ${rseq}`;
  const steps =
    keepVia +
    answerTo('180 Ringing', reliable(4_711)) +
    okTo('PRACK') +
    toInvite('183 Session Progress', media).replace('Content-Type', `${reliable(4_712)}\nContent-Type`) +
    okTo('PRACK') +
    toInvite('200 OK') +
    recv('ACK') +
    hangUp;
  const outcome = await call(steps, { hangUpOn: 'answered' });
  assert.equal(outcome.exitCode, 0, outcome.output + outcome.messages);
  assert.deepEqual(outcome.seen, ['ringing', 'ringing', 'answered', 'ended']);
  assert.match(outcome.messages, /RAck: 4711 1 INVITE/);
  assert.match(outcome.messages, /RAck: 4712 1 INVITE/);
});

test('no answer: CANCEL after the ring time, 487, ACK', { skip: skipWithoutSipp, timeout: 60_000 }, async () => {
  const steps = keepVia + answerTo('180 Ringing') + okToCancel + toInvite('487 Request Terminated') + recv('ACK');
  const outcome = await call(steps, { ringTimeoutMs: 1_200 });
  assert.equal(outcome.exitCode, 0, outcome.output + outcome.messages);
  assert.deepEqual(outcome.end, {
    by: 'local',
    sipStatus: 408,
    q850Cause: null,
    reason: 'not answered in time',
    rang: true,
  });
});

test('a CANCEL that crosses the 200: the answered call gets ACK and BYE', {
  skip: skipWithoutSipp,
  timeout: 60_000,
}, async () => {
  const steps = keepVia + answerTo('180 Ringing') + okToCancel + toInvite('200 OK', media) + recv('ACK') + hangUp;
  const outcome = await call(steps, { hangUpOn: 'ringing' });
  assert.equal(outcome.exitCode, 0, outcome.output + outcome.messages);
  assert.equal(outcome.end?.by, 'local');
});
