// Foreign telephones whose engine is killed: baresip in the clear, with Opus and by TLS with SRTP, and sipp, which
// hangs up while there is no engine. Each call goes on by what the telephone itself says and hears.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pause } from '../../../bench/rig/conversation/scenario.ts';
import { openTlsDoor } from '../../../bench/rig/network/tls-door.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { saidBy } from '../../../bench/rig/service/rest.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greeted } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { callWithBaresip } from '../../support/sip/baresip.ts';
import { missingPeer, runPeer } from '../../support/sip/peers.ts';
import { useService } from '../../support/use-service.ts';

const tls = await openTlsDoor();
const { service, rest } = useService(tls.environment, { close: async () => tls.close() });

const killEngine = (): void => {
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
};

/** The greeting has been heard, and nobody speaks. */
const GREETED_MS = 9_000;
/**
 * They ask only after the next engine's apology, which their question would interrupt: on a busy machine the last of
 * them is answered late, and so is the engine killed, and the next one takes its time to start.
 */
const ASK_AFTER_MS = 36_000;
/** They ask twice, as people do whom nobody answers: the next engine's recogniser may be late for the first time. */
const AGAIN_AFTER_MS = 6_000;
const SECONDS = 52;

const WAYS = [
  { name: 'PCMU', call: {}, secure: false },
  ...(nightly ? [] : [{ name: 'Opus', call: { codec: 'OPUS' }, secure: false } as const]),
  { name: 'SRTP by TLS', call: { encryption: 'srtp-mand' }, secure: true },
] as const;
const userOf = (name: string): string => `resumed-${name.replaceAll(' ', '')}`;

describe('baresips whose engine is killed once', { skip: missingPeer('baresip') }, () => {
  const done = new Map<string, Awaited<ReturnType<typeof callWithBaresip>>>();

  before(async () => {
    const question = await renderSpeech('What are your opening hours?', 'flite-awb');
    const microphone = Int16Array.of(...question, ...new Int16Array(8 * AGAIN_AFTER_MS), ...question);
    const talking = WAYS.map(async ({ name, call, secure }) => {
      const target = secure ? `sip:demo@${tls.address};transport=tls` : `sip:demo@${service.sipAddress}`;
      const user = userOf(name);
      done.set(
        name,
        await callWithBaresip({ ...call, user, target, seconds: SECONDS, microphone, leadMs: ASK_AFTER_MS }),
      );
    });
    for (const { name } of WAYS) {
      await rest.eventually(name, async () => (await rest.callsFrom(userOf(name)))[0]?.status === 'IN_PROGRESS');
    }
    await pause(GREETED_MS);
    killEngine();
    await Promise.all(talking);
  });

  for (const { name } of WAYS) {
    test(`by ${name}: hears the agent again on the same call, asks, and is answered`, async () => {
      const { heard = null, output = '' } = done.get(name) ?? {};
      const ended = await rest.eventually('the end', async () =>
        (await rest.callsFrom(userOf(name))).find((one) => one.endedAt),
      );
      const call = await rest.must('GET', `/calls/${ended.id}`);
      assert.deepEqual(
        [call.status, call.endReason, call.resumptions?.length],
        ['COMPLETED', 'caller_hangup', 1],
        output.slice(-800),
      );
      assert.ok(saidBy(call, 'agent').some((text) => text.includes('I lost you for a moment')));
      // On a busy machine the recogniser may miss a word: what counts is that the agent hears and answers.
      assert.notEqual(saidBy(call, 'caller').length, 0);
      assert.ok(heard, output.slice(-800));
      const { channelsSamples, sampleRateHz } = decodeWav(heard);
      const last = channelsSamples[0]?.subarray(-16 * sampleRateHz) ?? new Int16Array();
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

test('a caller who hangs up while there is no engine is heard by the next one', async () => {
  const { caller, number } = await greeted(service);
  killEngine();
  await pause(150);
  // A telephone says it again for half a minute.
  caller.call.hangUp();
  await caller.until('the answer to its BYE', () => caller.ended, 30_000);
  caller.call.close();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
});
