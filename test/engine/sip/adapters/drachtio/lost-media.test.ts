// A call whose media fails, and its channels: nobody is left on the line, and FreeSWITCH keeps no channel of a call
// that is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesToRest, eventually } from '../../../../../bench/rig/eventually.ts';
import { silentLog } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { Leg, LegEnd, LegEvent } from '../../../../../engine/sip/telephony.ts';
import type { SentRequest } from '../../../../support/sip/scripted-drachtio.ts';
import { refused, sdpWith, startSwitches } from '../../../../support/sip/scripted-switch.ts';

const LIMIT = { timeout: 20_000 };
const isAnother = ({ method, body }: SentRequest, port: number): boolean =>
  method === 'INVITE' && body.includes(`m=audio ${port} `);

function follow(leg: Leg) {
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  const end = (): LegEnd | undefined => events.flatMap((event) => (event.type === 'ended' ? [event.end] : []))[0];
  return { events, end, seen: (type: LegEvent['type']) => events.some((event) => event.type === type) };
}

for (const [what, status] of [
  ['refuses the answer', 488],
  ['has lost the channel', 481],
] as const) {
  test(`FreeSWITCH ${what}: the callee gets BYE, and the call ends as our fault`, LIMIT, async () => {
    const it = await startSwitches({});
    it.first.takes = (request) => isAnother(request, 40_000) && refused(request, status);
    const { end } = follow(it.dial());
    await eventually(() => end() !== undefined && it.atCallee.includes('BYE') && it.channels() === 0);
    assert.deepEqual(it.atCallee, ['INVITE', 'ACK', 'BYE']);
    assert.deepEqual([end()?.by, end()?.sipStatus], ['server', 503]);
    await it.stop();
  });
}

test('the channels cannot be bridged: the callee gets BYE', LIMIT, async () => {
  const it = await startSwitches({});
  it.first.events.answer = (command) => (command.startsWith('uuid_bridge') ? '-ERR invalid uuid\n' : null);
  const { end } = follow(it.dial());
  await eventually(() => end() !== undefined && it.atCallee.includes('BYE') && it.channels() === 0);
  assert.equal(end()?.by, 'server');
  await it.stop();
});

test(
  'FreeSWITCH makes no channel to the engine after the answer: the callee gets BYE, no channel stays',
  LIMIT,
  async () => {
    const it = await startSwitches({});
    it.first.takes = (request) => isAnother(request, 42_000) && refused(request, 503);
    const { end } = follow(it.dial());
    await eventually(() => end() !== undefined && it.atCallee.includes('BYE') && it.channels() === 0);
    await it.stop();
  },
);

test('a callee who is answered with no codec of ours gets BYE', LIMIT, async () => {
  const it = await startSwitches({ callee: (request) => request.respond(200, sdpWith('18')) });
  const { end } = follow(it.dial());
  await eventually(() => end() !== undefined && it.atCallee.includes('BYE') && it.channels() === 0);
  assert.equal(end()?.sipStatus, 488);
  await it.stop();
});

test('the call is given up while FreeSWITCH takes the answer: the callee gets one BYE', LIMIT, async () => {
  const it = await startSwitches({});
  let pending: SentRequest | null = null;
  it.first.takes = (request) => {
    if (!isAnother(request, 40_000)) return false;
    pending = request;
    return true;
  };
  const leg = it.dial();
  const { end } = follow(leg);
  await eventually(() => pending !== null);
  leg.hangUp();
  await eventually(() => it.atCallee.includes('BYE'));
  (pending as SentRequest | null)?.respond(200, sdpWith('0', 20_000));
  await eventually(() => end() !== undefined && it.channels() === 0);
  assert.deepEqual(it.atCallee, ['INVITE', 'ACK', 'BYE']);
  await it.stop();
});

test('FreeSWITCH fails before an INVITE leaves: the call ends, and the trunk is not blamed', LIMIT, async () => {
  const it = await startSwitches({});
  it.first.takes = (request) => request.method === 'INVITE' && refused(request, 503);
  const { end } = follow(it.dial());
  await eventually(() => end() !== undefined);
  assert.deepEqual([end()?.by, it.atCallee], ['server', []]);
  await it.stop();
});

test('two 18x and an answer with other SDPs and codecs: two channels in the call, none after it', LIMIT, async () => {
  const it = await startSwitches({
    callee: (request) => {
      request.respond(183, sdpWith('0', 40_001));
      request.respond(183, sdpWith('8', 40_002));
      request.respond(200, sdpWith('8', 40_003));
    },
  });
  const leg = it.dial();
  const { seen, end } = follow(leg);
  await eventually(() => seen('answered'));
  assert.equal(it.channels(), 2);
  assert.deepEqual(it.first.invites, 2);
  leg.hangUp();
  await eventually(() => end() !== undefined && it.channels() === 0);
  await it.stop();
});

test(
  'the channel to the engine fails at the 183 and is made again for the answer: no channel stays',
  LIMIT,
  async () => {
    const it = await startSwitches({
      callee: (request) => {
        request.respond(183, sdpWith('0', 40_001));
        request.respond(200, sdpWith('0', 40_002));
      },
    });
    let refused = 0;
    // It answers, with no audio: what the engine made is of no use to it.
    it.first.takes = (request) => {
      if (!isAnother(request, 42_000) || ++refused > 1) return false;
      it.first.channels.add(request.callId);
      request.respond(200, sdpWith('0', 0));
      it.first.events.connectChannel(request.text);
      return true;
    };
    const leg = it.dial();
    const { seen, end } = follow(leg);
    await eventually(() => seen('answered'));
    leg.hangUp();
    await eventually(() => end() !== undefined && it.channels() === 0);
    await it.stop();
  },
);

test('a caller cancels while FreeSWITCH makes a channel, and it fails: no failed answer is logged', LIMIT, async () => {
  const warnings: string[] = [];
  const it = await startSwitches({ log: { ...silentLog, warn: (_fields, message) => warnings.push(message) } });
  const pending: SentRequest[] = [];
  it.first.takes = (request) => request.method === 'INVITE' && pending.push(request) > 0;
  const ends: LegEnd[] = [];
  it.near.onInvite((leg) => {
    leg.onEvent((event) => {
      if (event.type === 'ended') ends.push(event.end);
    });
    leg.answer({ address: '127.0.0.1', port: 42_000 });
  });
  const lines = (method: string): string[] => [
    `${method} sip:demo@10.0.0.1 SIP/2.0`,
    'Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bKcaller',
    ...['From: <sip:ann@127.0.0.1>;tag=caller', 'To: <sip:demo@10.0.0.1>', 'Call-ID: caller', `CSeq: 1 ${method}`],
    ...['Contact: <sip:ann@127.0.0.1:5071>', 'Max-Forwards: 70', 'Content-Type: application/sdp'],
  ];
  const at = { address: '127.0.0.1', port: 5_071 };
  const answer = it.drachtio.receive(lines('INVITE'), at, sdpWith('0'));
  await eventually(() => pending.length === 2);
  void it.drachtio.receive(lines('CANCEL'), at);
  assert.equal((await answer).status, 487);
  for (const request of pending) request.respond(503);
  // The engine hears of it.
  await comesToRest();
  assert.deepEqual(
    ends.map(({ by }) => by),
    ['remote'],
  );
  assert.ok(!warnings.includes('could not answer an INVITE'), warnings.join('; '));
  await it.stop();
});
