// Several FreeSWITCH servers, of which one hangs or refuses: the call goes to the next one, and the next calls leave
// the failing one alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../../bench/rig/clock.ts';
import { eventually } from '../../../../../bench/rig/eventually.ts';
import { HostBreaker } from '../../../../../engine/sip/adapters/drachtio/media/host-breaker.ts';
import type { Leg } from '../../../../../engine/sip/telephony.ts';
import type { SentRequest } from '../../../../support/sip/scripted-drachtio.ts';
import { refused, startSwitches } from '../../../../support/sip/scripted-switch.ts';

const LIMIT = { timeout: 20_000 };
type Stage = Awaited<ReturnType<typeof startSwitches>>;

async function answered(leg: Leg): Promise<void> {
  const types: string[] = [];
  leg.onEvent(({ type }) => types.push(type));
  await eventually(() => types.includes('answered') || types.includes('ended'));
  assert.ok(types.includes('answered'), 'the call was not answered');
}

async function callerIn(it: Stage): Promise<number> {
  it.near.onInvite((leg) => leg.answer({ address: '127.0.0.1', port: 42_000 }));
  const lines = ['INVITE sip:demo@10.0.0.1 SIP/2.0', 'Via: SIP/2.0/UDP 127.0.0.1:5071;branch=z9hG4bKcaller'];
  lines.push('From: <sip:ann@127.0.0.1>;tag=caller', 'To: <sip:demo@10.0.0.1>', 'Call-ID: caller', 'CSeq: 1 INVITE');
  lines.push('Contact: <sip:ann@127.0.0.1:5071>', 'Max-Forwards: 70', 'Content-Type: application/sdp');
  const sdp = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', 'm=audio 40000 RTP/AVP 0', ''];
  return (await it.drachtio.receive(lines, { address: '127.0.0.1', port: 5071 }, sdp.join('\r\n'))).status;
}

const FAILS: Array<[string, (it: Stage) => void]> = [
  ['hangs', ({ first }) => (first.takes = ({ method }: SentRequest) => method === 'INVITE')],
  ['has no room', ({ first }) => (first.takes = (r) => r.method === 'INVITE' && refused(r, 503))],
  [
    'answers INVITE and refuses commands',
    ({ first }) => (first.events.answer = (command) => (command.startsWith('uuid_') ? '-ERR no reply\n' : null)),
  ],
];

for (const [what, fails] of FAILS) {
  test(`a FreeSWITCH ${what}: its caller is answered by the next one, which keeps all channels`, LIMIT, async () => {
    const it = await startSwitches({ servers: 2 });
    fails(it);
    assert.equal(await callerIn(it), 200);
    const [bad, good] = it.switches;
    await eventually(() => good?.channels.size === 2 && bad?.channels.size === 0);
    assert.ok((bad?.invites ?? 0) > 0, 'it was tried first');
    await it.stop();
  });
}

test(
  'a FreeSWITCH hangs: our call goes by the next one, and the following calls leave the first alone',
  LIMIT,
  async () => {
    const it = await startSwitches({ servers: 2 });
    it.first.takes = ({ method }) => method === 'INVITE';
    await answered(it.dial());
    const triedBefore = it.first.invites;
    assert.equal(triedBefore, 1);
    // It still has the fewest channels.
    for (let call = 0; call < 3; call++) await answered(it.dial());
    assert.deepEqual([it.first.invites, it.switches[1]?.channels.size], [triedBefore, 8]);
    await it.stop();
  },
);

test('a FreeSWITCH refuses commands: our call leaves it before the callee is called', LIMIT, async () => {
  const it = await startSwitches({ servers: 2 });
  it.first.events.answer = (command) => (command.startsWith('uuid_') ? '-ERR Command not found!\n' : null);
  await answered(it.dial());
  assert.equal(it.first.invites, 1, 'it was tried first');
  assert.deepEqual(it.atCallee, ['INVITE', 'ACK']);
  await eventually(() => it.first.channels.size === 0 && it.switches[1]?.channels.size === 2);
  await it.stop();
});

test('the only FreeSWITCH has failed a call: it gets the next one all the same', LIMIT, async () => {
  const it = await startSwitches({});
  let failed = false;
  it.first.takes = (request) => {
    if (failed || request.method !== 'INVITE') return false;
    failed = true;
    request.respond(503);
    return true;
  };
  const types: string[] = [];
  it.dial().onEvent(({ type }) => types.push(type));
  await eventually(() => types.includes('ended'));
  await answered(it.dial());
  await it.stop();
});

test('a failing server is tried by one call after 5 s, then after 10 s, and by all once that call has worked', () => {
  const clock = new VirtualClock();
  const breaker = new HostBreaker(clock);
  assert.equal(breaker.isOpen, false);
  assert.equal(breaker.failed(), true);
  assert.equal(breaker.failed(), false, 'side by side: one failure');
  clock.advance(4_999);
  assert.equal(breaker.isOpen, true);
  clock.advance(1);
  assert.equal(breaker.isOpen, false);
  breaker.tried();
  assert.equal(breaker.isOpen, true, 'the others wait for the outcome');
  clock.advance(1_000);
  breaker.failed();
  clock.advance(9_999);
  assert.equal(breaker.isOpen, true);
  clock.advance(1);
  breaker.tried();
  breaker.worked();
  assert.equal(breaker.isOpen, false);
});
