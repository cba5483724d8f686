// Foreign telephones whose engine is killed: baresip in the clear, with Opus and by TLS with SRTP, and sipp, which
// hangs up while there is no engine. Each call goes on by what the telephone itself says and hears.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderSpeech } from '../../bench/rig/caller/speech.ts';
import { processesOf } from '../../bench/rig/engine-threads.ts';
import { saidBy } from '../../bench/rig/rest.ts';
import { pause } from '../../bench/rig/scenario.ts';
import { openTlsDoor } from '../../bench/rig/tls-door.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';
import { callWithBaresip } from '../support/sip/baresip.ts';
import { missingPeer, runPeer } from '../support/sip/peers.ts';
import { useService } from '../support/use-service.ts';

const tls = await openTlsDoor();
const { service, rest } = useService(tls.environment, { close: async () => tls.close() });

const killEngine = (): void => {
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
};

/** The greeting has been heard, and nobody speaks. */
const GREETED_MS = 9_000;
const SECONDS = 30;

describe('baresip', { skip: missingPeer('baresip') }, () => {
  const ways = [
    { name: 'PCMU', call: {}, secure: false },
    { name: 'Opus', call: { codec: 'OPUS' }, secure: false },
    { name: 'SRTP by TLS', call: { encryption: 'srtp-mand' }, secure: true },
  ] as const;
  for (const { name, call: how, secure } of ways) {
    test(`by ${name}: hears the agent again on the same call, asks, and is answered`, async () => {
      const question = await renderSpeech('What are your opening hours?', 'flite-awb');
      const user = `resumed-${name.replaceAll(' ', '')}`;
      const talking = callWithBaresip({
        ...how,
        user,
        target: secure ? `sip:demo@${tls.address};transport=tls` : `sip:demo@${service.sipAddress}`,
        seconds: SECONDS,
        microphone: question,
        leadMs: 19_000,
      });
      await rest.eventually('the answer', async () => (await rest.callsFrom(user))[0]?.status === 'IN_PROGRESS');
      await pause(GREETED_MS);
      killEngine();
      const { heard, output } = await talking;
      const ended = await rest.eventually('the end', async () =>
        (await rest.callsFrom(user)).find((one) => one.endedAt),
      );
      const call = await rest.must('GET', `/calls/${ended.id}`);
      assert.deepEqual(
        [call.status, call.endReason, call.resumptions?.length],
        ['COMPLETED', 'caller_hangup', 1],
        output.slice(-800),
      );
      assert.ok(saidBy(call, 'agent').some((text) => text.includes('I lost you for a moment')));
      assert.match(saidBy(call, 'caller').join(' '), /opening hours/i);
      assert.ok(heard, output.slice(-800));
      const samples = decodeWav(heard).channelsSamples[0] ?? new Int16Array();
      const rate = decodeWav(heard).sampleRateHz;
      const last = samples.subarray(samples.length - 12 * rate);
      assert.ok(
        last.some((sample) => Math.abs(sample) > 1_000),
        'the answer is in what it recorded',
      );
    });
  }
});

test('sipp hangs up after its engine was killed and came back: its BYE is answered, and the call has one end', {
  skip: missingPeer('sipp'),
}, async () => {
  const calling = runPeer(
    'sipp',
    `${service.sipAddress} -sn uac -s demo -i 127.0.0.1 -nostdin -m 1 -d 20000 -timeout 60`.split(' '),
    { timeoutMs: 80_000 },
  );
  await rest.eventually('the answer', async () => (await rest.callsFrom('sipp'))[0]?.status === 'IN_PROGRESS');
  await pause(3_000);
  killEngine();
  const { code, output } = await calling;
  assert.equal(code, 0, output.slice(-800));
  const call = await rest.eventually('the end', async () => (await rest.callsFrom('sipp')).find((one) => one.endedAt));
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
});

test('a caller who hangs up while there is no engine is ended within seconds of the next one’s start', async () => {
  const { caller, number } = await greeted(service);
  killEngine();
  await pause(150);
  void caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  const { resumptions = [] } = await rest.must('GET', `/calls/${call.id}`);
  const backAtMs = Date.parse(call.startedAt) + (resumptions[0]?.atMs ?? 0);
  assert.ok(
    Date.parse(call.endedAt ?? '') - backAtMs < 6_000,
    JSON.stringify([resumptions, call.startedAt, call.endedAt]),
  );
});
