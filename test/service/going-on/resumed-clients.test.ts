// Foreign telephones in a call whose engine is killed under them: baresip holds the call before and takes it back
// afterwards, or types; sipp was asked to call a person (REFER) and reports to the next engine, or keeps a key pressed
// all the while.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, before, describe, test } from 'node:test';
import { pause } from '../../../bench/rig/conversation/scenario.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { saidBy } from '../../../bench/rig/service/rest.ts';
import { decodeWav } from '../../../media/wav.ts';
import { BaresipPhone } from '../../support/sip/baresip-phone.ts';
import { missingPeer } from '../../support/sip/peers.ts';
import type { SippResult } from '../../support/sip/sipp.ts';
import { answers, asks, callWithSipp, pauseFor } from '../../support/sip/sipp-caller.ts';
import { agentSaid, PERSON, transferToPerson } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const skip = missingPeer('baresip', 'sipp');
const { service, rest } = useService(
  { MAX_CALLS: '10', LLM: 'receptionist' },
  {
    ...{ skip, prepare: () => transferToPerson(rest) },
  },
);

const KEY = 7;
/** RFC 4733 2.5.1.3: a longer press goes on as another segment. */
const SEGMENT_UNITS = 0xffff;

/** A telephone whose key stays pressed; it finds our port by our packets. */
async function heldKey() {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  let remote: { address: string; port: number } | null = null;
  let received = 0;
  socket.on('message', (_packet, from) => {
    remote = from;
    received++;
  });
  let [sequence, timestamp, units, isEnding, isPressed] = [1, 8_000, 0, false, false];
  const send = (): void => {
    if (!remote || !isPressed) return;
    units += 400;
    if (units > SEGMENT_UNITS) [timestamp, units] = [timestamp + SEGMENT_UNITS, units - SEGMENT_UNITS];
    const packet = Buffer.from([0x80, 101, 0, 0, 0, 0, 0, 0, 0, 0, 0x5e, 0xaf, KEY, isEnding ? 0x8a : 0x0a, 0, 0]);
    packet.writeUInt16BE(sequence++, 2);
    packet.writeUInt32BE(timestamp, 4);
    packet.writeUInt16BE(units, 14);
    socket.send(packet, remote.port, remote.address);
  };
  const timer = setInterval(send, 50);
  return {
    port: socket.address().port,
    get received() {
      return received;
    },
    press: () => {
      isPressed = true;
    },
    release: async () => {
      isEnding = true;
      await pause(200);
      isPressed = false;
    },
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}

const call = async (user: string) => rest.must('GET', `/calls/${(await rest.callsFrom(user))[0]?.id}`);
const isUp = (user: string) =>
  rest.eventually(`the answer to ${user}`, async () => (await rest.callsFrom(user))[0]?.status === 'IN_PROGRESS');
/** While it goes on, too. */
async function said(user: string, speaker: 'agent' | 'caller'): Promise<string[]> {
  const { body } = await rest.request('GET', `/calls/${(await rest.callsFrom(user))[0]?.id}/transcript`);
  const entries: Array<{ speaker: string; text: string }> = body.data ?? [];
  return entries.filter((entry) => entry.speaker === speaker).map(({ text }) => text);
}
const keysOf = async (user: string): Promise<string[]> =>
  saidBy(await rest.must('GET', `/calls/${(await rest.endedCall(user)).id}`), 'caller');

describe('four telephones whose engine is killed once', { skip }, () => {
  let phones: Record<'holder' | 'typist', BaresipPhone>;
  let key: Awaited<ReturnType<typeof heldKey>>;
  let pressing: Promise<SippResult>;
  let referred: Promise<SippResult>;
  let heardOfHolder = 0;

  before(async () => {
    key = await heldKey();
    phones = {
      holder: await BaresipPhone.start({ address: 'holder@127.0.0.1' }),
      typist: await BaresipPhone.start({ address: 'typist@127.0.0.1' }),
    };
    for (const phone of Object.values(phones)) await phone.command('dial', `sip:demo@${service.sipAddress}`);
    pressing = callWithSipp(service.sipAddress, {
      ...{ user: 'presser', audio: { port: key.port } },
      steps: [answers('presser', 'BYE')],
    }).then(({ done }) => done);
    for (const user of ['holder', 'typist', 'presser']) await isUp(user);
    const notify = (cseq: number, state: string, fragment: string): string =>
      asks(
        'referred',
        'NOTIFY',
        cseq,
        ['Event: refer', `Subscription-State: ${state}`],
        ['message/sipfrag;version=2.0', fragment],
      );
    referred = callWithSipp(service.sipAddress, {
      user: 'referred',
      steps: [
        pauseFor(3_000),
        asks('referred', 'INFO', 2, [], ['application/dtmf-relay', 'Signal=0\nDuration=160']),
        answers('referred', 'REFER', { status: '202 Accepted' }),
        // Meanwhile its engine is killed.
        pauseFor(8_000),
        notify(3, 'active;expires=60', 'SIP/2.0 100 Trying'),
        notify(4, 'terminated;reason=noresource', 'SIP/2.0 200 OK'),
        answers('referred', 'BYE'),
      ],
    }).then(({ done }) => done);
    await rest.eventually('the agent connects', async () =>
      /connecting|put you/.test(await agentSaid(rest, 'referred')),
    );
    key.press();
    await phones.holder.command('hold');
    await rest.eventually('the key is heard', async () => (await said('presser', 'caller')).includes(String(KEY)));
    for (const digit of '12') await phones.typist.command('sndcode', digit);
    await pause(700);
    process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
    const before = key.received;
    await rest.eventually('the line is back', async () => key.received > before + 100);
    await phones.typist.command('sndcode', '3');
    await key.release();
    heardOfHolder = (await said('holder', 'agent')).length;
  });

  after(async () => {
    key?.close();
    for (const phone of Object.values(phones ?? {})) await phone.stop();
  });

  test('what a caller types before and after is heard once, as it was typed', async () => {
    await rest.eventually('all are heard', async () => (await said('typist', 'caller')).join('').includes('3'));
    await phones.typist.command('hangup');
    assert.equal((await keysOf('typist')).join(''), '123');
  });

  test('a key that stays pressed all the while is one key', async () => {
    await pause(3_000);
    const { id } = await call('presser');
    await rest.must('POST', `/calls/${id}/end`);
    const { exitCode, output } = await pressing;
    assert.equal(exitCode, 0, output.slice(-800));
    assert.deepEqual(await keysOf('presser'), [String(KEY)]);
  });

  test('who held the call takes it back: the agent speaks, and is heard', async () => {
    const held = await call('holder');
    assert.deepEqual([held.status, held.resumptions?.length ?? 1], ['IN_PROGRESS', 1]);
    await phones.holder.command('resume');
    await rest.eventually('the agent speaks', async () => (await said('holder', 'agent')).length > heardOfHolder);
    await phones.holder.command('hangup');
    const ended = await rest.endedCall('holder');
    const record = await rest.must('GET', `/calls/${ended.id}`);
    assert.deepEqual([record.endReason, record.resumptions?.length], ['caller_hangup', 1]);
    assert.match(saidBy(record, 'agent').join(' '), /lost you/);
    const recorded = phones.holder.heard().at(-1);
    assert.ok(recorded);
    const { channelsSamples, sampleRateHz } = decodeWav(recorded);
    const last = channelsSamples[0]?.subarray(-8 * sampleRateHz) ?? new Int16Array();
    assert.ok(
      last.some((sample) => Math.abs(sample) > 1_000),
      'the agent is in what it recorded',
    );
  });

  test('who was asked to call the person reports to the next engine, which ends the call as transferred', async () => {
    const { exitCode, output, messages } = await referred;
    assert.equal(exitCode, 0, output.slice(-800));
    assert.ok(messages.includes(`Refer-To: <sip:${PERSON}`));
    const { id } = await rest.endedCall('referred');
    const record = await rest.must('GET', `/calls/${id}`);
    assert.deepEqual([record.outcome, record.endReason], ['transferred', 'transfer']);
    assert.equal(record.resumptions?.length, 1);
    assert.doesNotMatch(saidBy(record, 'agent').join(' '), /lost you/);
  });
});
