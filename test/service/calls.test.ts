// Independent peers call the running service: what they hear, and what the call leaves behind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { Call, TranscriptEntry } from '../../api/dashboard/app/api-types.ts';
import { EventStreamParser } from '../../api/dashboard/app/live/event-stream.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted, say, testCaller } from '../support/conversation.ts';
import { bestMatch, envelope } from '../support/models/envelope.ts';
import { callWithBaresip } from '../support/sip/baresip.ts';
import { missingPeer, runPeer } from '../support/sip/peers.ts';
import { useService } from '../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '40' });
after(() => {
  for (const line of service.output().split('\n')) {
    assert.ok(line.split('"callId":').length <= 2, `a line names its call once: ${line}`);
  }
});

const sipp = (args: string[], timeoutMs = 30_000) =>
  runPeer('sipp', [service.sipAddress, '-i', '127.0.0.1', '-nostdin', '-m', '1', '-timeout', '25', ...args], {
    timeoutMs,
  });

/** From the first word of a question to the first words of its answer, on a machine that has much else to do. */
const ANSWERED_WITHIN_S = 12;

/** The caller's question was understood, and the agent's last words answer it; else the talk is told. */
function isAnswered(call: Call): void {
  const talk = call.transcript.map(({ speaker, text, timestamp }) => `${timestamp} ${speaker}: ${text}`).join('\n');
  assert.match(talk, /caller: .*opening hours(.|\n)*agent: .*\bopen\b/i);
}

// More at once are more than two slow cores hear in time, beside the services of other files.
describe('calls', { concurrency: 3 }, () => {
  test('who watches a telephone call reads the words of both sides while they are spoken', async () => {
    const question = await renderSpeech('What are your opening hours?', 'flite-slt');
    const { caller, number } = testCaller(service);
    await caller.answered();
    const running = await rest.eventually('the call', async () => (await rest.callsFrom(number))[0]);
    const response = await fetch(`${service.apiUrl}/api/v1/calls/${running.id}/stream`, {
      headers: { authorization: `Bearer ${await service.login()}` },
    });
    const reading = response.text();
    await caller.agentSound(0);
    await caller.agentQuiet(900);
    await say(caller, question);
    await caller.hangUp();
    const parser = new EventStreamParser();
    const events = parser.take(await reading).map(({ type, data }) => ({ type, data: JSON.parse(data) }));
    const sentences: TranscriptEntry[] = events.flatMap(({ type, data }) => (type === 'transcript' ? [data] : []));
    const words: TranscriptEntry[] = events.flatMap(({ type, data }) => (type === 'words' ? data.said : []));
    for (const speaker of ['agent', 'caller'] as const) {
      const beginnings = words.filter((entry) => {
        const whole = sentences.find(({ timestamp, speaker: by }) => by === speaker && timestamp === entry.timestamp);
        return entry.speaker === speaker && whole !== undefined && entry.text.length < whole.text.length;
      });
      assert.ok(beginnings.length > 0, `${speaker}: ${JSON.stringify(words)} of ${JSON.stringify(sentences)}`);
    }
    assert.ok(!/opening hours/i.test(service.output()), 'what is said stands in no log');
  });

  test('baresip asks, hears the answer, and both are in transcript and recording', {
    skip: missingPeer('baresip'),
  }, async () => {
    const question = await renderSpeech('What are your opening hours?', 'flite-awb');
    const { heard, output } = await callWithBaresip({
      target: `sip:demo@${service.sipAddress}`,
      seconds: 7 + ANSWERED_WITHIN_S,
      microphone: question,
      leadMs: 7_000,
    });
    assert.ok(heard, output.slice(-500));
    const call = await rest.eventually('the call', async () =>
      (await rest.callsFrom('tester')).find((one) => one.endedAt),
    );
    assert.equal(call.status, 'COMPLETED');
    assert.equal(call.endReason, 'caller_hangup');
    isAnswered(call);
    assert.equal(call.latency?.turns, 1);

    const audio = await rest.bytes(`/calls/${call.id}/audio`);
    assert.equal(audio.status, 200);
    const recording = decodeWav(audio.body);
    assert.deepEqual([recording.channels, recording.sampleRateHz], [2, 8_000]);
    const [caller, agent] = recording.channelsSamples;
    assert.ok(caller && agent);
    const there = decodeWav(heard).channelsSamples[0];
    assert.ok(there);
    assert.ok(
      bestMatch(envelope(agent), envelope(there)).correlation > 0.9,
      'baresip heard what the right channel holds',
    );
    assert.ok(
      bestMatch(envelope(caller), envelope(question)).correlation > 0.8,
      'the left channel holds what baresip said',
    );
    // The transcript's times are positions in the recording: the caller's text starts where the loudness does.
    const said = call.transcript.find((entry) => entry.speaker === 'caller');
    const onset = envelope(caller).findIndex((loudness) => loudness > 300) * 20;
    assert.ok(
      Math.abs(onset - (said?.timestamp ?? 0)) < 300,
      `speech at ${onset} ms, transcript says ${said?.timestamp}`,
    );
  });

  // One after the other ask: three questions at once, beside the services of other files, are more than a slow core
  // decodes in time. And before the agent asks, nine seconds after its greeting, whether somebody is there.
  for (const [codec, leadMs] of [
    ['G722', 9_500],
    ['OPUS', 12_000],
  ] as const) {
    test(`baresip asks by ${codec}: the call is wideband, and it is answered`, {
      skip: missingPeer('baresip'),
    }, async () => {
      const user = `tester-${codec.toLowerCase()}`;
      const { heard, output } = await callWithBaresip({
        target: `sip:demo@${service.sipAddress}`,
        seconds: leadMs / 1_000 + ANSWERED_WITHIN_S,
        microphone: await renderSpeech('What are your opening hours?', 'flite-awb'),
        leadMs,
        user,
        codec,
      });
      assert.ok(heard, output.slice(-500));
      const call = await rest.eventually('the call', async () =>
        (await rest.callsFrom(user)).find((one) => one.endedAt),
      );
      isAnswered(call);
      const { body } = await rest.bytes(`/calls/${call.id}/audio`);
      assert.equal(decodeWav(body).sampleRateHz, 16_000);
      // The voice has 16 kHz, so part of what baresip hears lies above a telephone's band.
      const { channelsSamples, sampleRateHz } = decodeWav(heard);
      const all = channelsSamples[0] ?? assert.fail();
      const narrow = resampleWhole(resampleWhole(all, sampleRateHz, 8_000), 8_000, sampleRateHz);
      assert.ok(rms(all) > 500 && rms(all) > 1.005 * rms(narrow), `${rms(all)}, ${rms(narrow)} below 4 kHz`);
    });
  }

  test('the recording is served in ranges', async () => {
    const { caller, number } = await greeted(service);
    await caller.hangUp();
    const call = await rest.endedCall(number);
    const part = await rest.bytes(`/calls/${call.id}/audio`, { range: 'bytes=0-43' });
    assert.equal(part.status, 206);
    assert.equal(part.body.toString('latin1', 0, 4), 'RIFF');
    const past = await rest.bytes(`/calls/${call.id}/audio`, { range: 'bytes=99999999-' });
    assert.equal(past.status, 416);
  });

  test('a caller asks twice and is answered twice', async () => {
    const { caller, number } = await greeted(service);
    await say(caller, await renderSpeech('How much is a haircut?', 'flite-slt'));
    await say(caller, await renderSpeech('Where are you located?', 'flite-slt'));
    await caller.hangUp();
    const call = await rest.endedCall(number);
    assert.equal(call.outcome, 'completed');
    const callerTurns = call.transcript.filter((entry) => entry.speaker === 'caller');
    assert.equal(callerTurns.length, 2, JSON.stringify(call.transcript));
    assert.ok(call.transcript.filter((entry) => entry.speaker === 'agent').length >= 3);
    // The line's figures are there at once; the recording is measured after the end.
    const turns = await rest.eventually('the gaps by the recording', async () => {
      const { latency } = await rest.must('GET', `/calls/${call.id}`);
      return latency?.timeline?.every((turn) => turn.measuredOn === 'recording') && latency.timeline;
    });
    assert.equal(turns.length, 2);
    for (const { speechEndAtMs, turnEndAtMs, firstTokenAtMs, firstAudioAtMs, firstPacketAtMs } of turns) {
      const order = [speechEndAtMs, firstTokenAtMs, firstAudioAtMs, firstPacketAtMs].map(Number);
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
      assert.ok(Number(turnEndAtMs) > speechEndAtMs && Number(turnEndAtMs) <= firstPacketAtMs);
    }
    const picture = await rest.bytes(`/calls/${call.id}/timeline.svg`);
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
  });

  test("the agent returns a caller's goodbye and hangs up", async () => {
    const { caller, number } = await greeted(service);
    await caller.call.speak(await renderSpeech('No thank you, goodbye.', 'flite-slt'));
    await caller.until('the agent hangs up', () => caller.ended, 25_000);
    caller.call.close();
    const call = await rest.endedCall(number);
    assert.equal(call.endReason, 'agent_hangup');
    assert.equal(call.status, 'COMPLETED');
  });

  test('pressed keys become caller entries', async () => {
    const { caller, number } = await greeted(service);
    caller.call.press('12#');
    await rest.eventually('the digits', async () => {
      const [live] = await rest.callsFrom(number);
      const { body } = await rest.request('GET', `/calls/${live?.id}/transcript`);
      return body.data?.some((entry) => entry.text === '12#');
    });
    await caller.hangUp();
    const call = await rest.endedCall(number);
    assert.deepEqual(
      call.transcript.filter((entry) => entry.text === '12#').map((entry) => entry.speaker),
      ['caller'],
    );
  });

  test('a caller who never speaks is prompted, then hears a goodbye', async () => {
    const { caller, number } = testCaller(service);
    await caller.answered();
    await caller.until('the agent gives up', () => caller.ended, 70_000);
    caller.call.close();
    const call = await rest.endedCall(number);
    assert.equal(call.endReason, 'idle');
    assert.equal(call.outcome, 'no_response');
    assert.ok(call.transcript.length >= 3, 'greeting, question, goodbye');
  });

  test('a caller who never stops is answered anyway', async () => {
    const { caller } = await greeted(service);
    const sentence = await renderSpeech('and then I said to her that I would like to know', 'flite-slt');
    const endless = new Int16Array(sentence.length * 16);
    for (let index = 0; index < 16; index++) endless.set(sentence, index * sentence.length);
    const startedAt = performance.now();
    void caller.call.speak(endless);
    await caller.until(
      'the agent answers',
      () => caller.frames.some((frame) => frame.isSound && frame.atMs > startedAt),
      60_000,
    );
    await caller.hangUp();
  });

  test('a caller who vanishes is ended after 20 s without RTP', async () => {
    const { caller, number } = testCaller(service);
    await caller.answered();
    caller.call.stopSending();
    await caller.until('the end', () => caller.ended, 45_000);
    caller.call.close();
    const call = await rest.endedCall(number);
    assert.equal(call.endReason, 'media_timeout');
    assert.equal(call.status, 'COMPLETED');
  });

  test('an unknown number is 404 and leaves no call', async () => {
    const { caller, number } = testCaller(service, 'nobody');
    await assert.rejects(caller.answered(), /ended/);
    caller.call.close();
    const end = caller.events.find((event) => event.type === 'ended');
    assert.equal(end?.type === 'ended' && end.status, 404);
    assert.deepEqual(await rest.callsFrom(number), []);
  });

  test('sipp -sn uac over UDP and over TCP', { skip: missingPeer('sipp') }, async () => {
    for (const transport of ['u1', 't1']) {
      const { code, output } = await sipp(['-sn', 'uac', '-s', 'demo', '-t', transport, '-d', '1500']);
      assert.equal(code, 0, `${transport}: ${output.slice(-1500)}`);
    }
  });

  test('sipp with only unknown codecs is 488', { skip: missingPeer('sipp') }, async () => {
    const { code, output } = await sipp(['-sf', 'test/fixtures/sipp/unknown-codec.xml', '-s', 'demo']);
    assert.equal(code, 0, output.slice(-1500));
  });

  test('sipp without SDP gets an offer in the 200 and answers in the ACK', { skip: missingPeer('sipp') }, async () => {
    const { code, output } = await sipp(['-sf', 'test/fixtures/sipp/late-offer.xml', '-s', 'demo', '-d', '1000']);
    assert.equal(code, 0, output.slice(-1500));
  });

  test('an INVITE that is sent twice is one call', { skip: missingPeer('sipp') }, async () => {
    const { code, output } = await sipp(['-sf', 'test/fixtures/sipp/twice.xml', '-s', 'demo', '-d', '1000']);
    assert.equal(code, 0, output.slice(-1500));
    const calls = await rest.eventually('the call', async () => {
      const found = await rest.callsFrom('+15550197777');
      return found.length > 0 && found.every((call) => call.endedAt) ? found : null;
    });
    assert.equal(calls.length, 1);
  });

  test('twenty calls at once are all greeted', async () => {
    const callers = Array.from({ length: 20 }, () => testCaller(service).caller);
    await Promise.all(callers.map((caller) => caller.answered()));
    await Promise.all(callers.map((caller) => caller.agentSound(0)));
    await Promise.all(callers.map((caller) => caller.hangUp()));
  });
});

test('the log contains nothing that was said', () => {
  assert.doesNotMatch(service.output(), /opening hours|haircut/);
});

test('the recording is on disk as the call left it', async () => {
  const { body } = await rest.request('GET', '/calls?status=COMPLETED&limit=100');
  const recorded = body.data.filter((call) => call.durationSeconds > 2);
  assert.ok(recorded.length > 3);
  for (const { id, durationSeconds } of recorded) {
    const wav = decodeWav(readFileSync(`${service.dataDir}/recordings/${id}.wav`));
    const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
    assert.ok(Math.abs(seconds - durationSeconds) < 2, `${id}: ${seconds} s recorded of ${durationSeconds}`);
  }
});
