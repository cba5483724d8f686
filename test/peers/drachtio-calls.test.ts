// Whole calls over drachtio and FreeSWITCH themselves, where FREESWITCH_TEST=1 and they run on loopback as
// docs/freeswitch.md describes: keys, transfers, recordings and early media, by what the parties hear and what the API
// shows.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import type { Caller } from '../../bench/rig/conversation/scenario.ts';
import { isTone, tone } from '../../bench/rig/conversation/tones.ts';
import { type Harness, recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../../bench/rig/service/outbound-setup.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import type { InboundLeg } from '../../engine/sip/telephony.ts';
import type { SimulatedCall } from '../../engine/test-runs/caller/call.ts';
import type { PhoneEvent } from '../../engine/test-runs/caller/phone/phone-call.ts';
import type { CallDialog } from '../../engine/test-runs/caller/sip.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples, rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted, testCaller } from '../support/conversation.ts';
import { bestMatch, envelope } from '../support/models/envelope.ts';

import { haveDrachtioAlone } from '../support/sip/real-servers.ts';
import {
  agentSaid,
  askForPerson,
  CALLER_HZ,
  PERSON_HZ,
  transferToPerson,
  withPerson,
} from '../support/sip/transfers.ts';

const KEYS = '1234567890*#';
const EARLY_HZ = 2_000;
const EARLY_MS = 1_500;
/** Share of a tone's frames that have to arrive. */
const WHOLE = 0.95;
/** Between the channels of a recording. A fork gathers what goes out, and a socket's queue what comes in. */
const MAX_SKEW_MS = process.env.FREESWITCH_MEDIA === 'fork' ? 200 : 100;

/** A contact that our trunk reaches: the embedded endpoint answers, a simulated person listens and speaks. */
class Contact {
  readonly #rest: Rest;
  readonly #campaign: OutboundCampaign;
  readonly #number: string;
  #leg: InboundLeg | null = null;
  #pickUp: ((leg: InboundLeg) => void) | null = null;

  constructor(rest: Rest, campaign: OutboundCampaign, number: string) {
    this.#rest = rest;
    this.#campaign = campaign;
    this.#number = number;
  }

  takes(leg: InboundLeg): void {
    if (leg.called === this.#number) this.#pickUp?.(leg);
  }

  /** `earlyMs`: the contact's network plays something for so long before the answer. */
  dialog(rtpPort: number, onEvent: (event: PhoneEvent) => void, earlyMs: number): CallDialog {
    const audio = { address: '127.0.0.1', port: rtpPort };
    this.#pickUp = (leg) => {
      this.#leg = leg;
      leg.onEvent((event) => {
        if (event.type === 'ended') onEvent({ type: 'ended', by: 'remote', status: 200, reason: 'BYE' });
        const begins = earlyMs > 0 ? event.type === 'audio-changed' : event.type === 'answered';
        if (!begins || !('audio' in event)) return;
        const { remoteAddress: address, remotePort: port, payloadType, telephoneEventPayloadType } = event.audio;
        onEvent({ type: 'answered', address, port, payloadType, eventPayloadType: telephoneEventPayloadType });
      });
      if (earlyMs > 0) leg.ring(audio);
      setTimeout(() => leg.answer(audio), earlyMs);
    };
    return {
      invite: async () => {
        const { id: campaignId, numberId: fromPhoneNumberId } = this.#campaign;
        const body = { campaignId, fromPhoneNumberId, toNumber: this.#number };
        const answer = await this.#rest.request('POST', '/calls', body);
        assert.equal(answer.status, 201, answer.body.error);
      },
      hangUp: () => this.#leg?.hangUp(),
      close: () => {},
    };
  }
}

if (process.env.FREESWITCH_TEST === '1') await haveDrachtioAlone(process.env.DRACHTIO_PORT ?? '9022');

for (const telephony of process.env.FREESWITCH_TEST === '1'
  ? process.env.FREESWITCH_MEDIA === 'fork'
    ? ['freeswitch']
    : ['drachtio', 'freeswitch']
  : []) {
  describe(telephony, { timeout: 300_000 }, () => {
    let service: Service;
    let rest: Rest;
    let far: Harness;
    let trunkId: string;
    let campaign: OutboundCampaign;
    const contacts: Contact[] = [];

    before(async () => {
      service = await startService({ TELEPHONY: telephony, MAX_CALLS: '10', LLM: 'receptionist' });
      rest = await new Rest(service).login();
      far = await startHarness((leg) => {
        for (const contact of contacts) contact.takes(leg);
      });
    });
    after(async () => {
      await far.telephony.stop();
      assert.equal(await service.stop(), 0);
    });

    const typed = ({ transcript }: Call): string =>
      transcript
        .flatMap(({ speaker, text }) => (speaker === 'caller' && /^[\d*#]+$/.test(text) ? [text] : []))
        .join('');

    /** The call's recording beside what its far end said and heard: how well each channel fits, and where it begins. */
    async function compareRecording(call: Call, { said, heard }: SimulatedCall) {
      const { status, body } = await rest.bytes(`/calls/${call.id}/audio`);
      assert.equal(status, 200);
      const { channelsSamples, sampleRateHz } = decodeWav(body);
      const [left = assert.fail(), right = assert.fail()] = channelsSamples;
      assert.equal(sampleRateHz, 8_000);
      assert.equal(left.length, right.length);
      const seconds = left.length / sampleRateHz;
      assert.ok(
        Math.abs(seconds - call.durationSeconds) < 1.5,
        `${seconds} s of audio, ${call.durationSeconds} s of call`,
      );
      return {
        left: bestMatch(envelope(left), envelope(joinSamples(said))),
        right: bestMatch(envelope(right), envelope(joinSamples(heard))),
        samples: { left, right },
      };
    }

    const shareOfTone = (hz: number, samples: Int16Array): number => {
      const frames = Array.from({ length: Math.floor(samples.length / 160) }, (_, index) =>
        samples.subarray(index * 160, index * 160 + 160),
      );
      return frames.filter((frame) => isTone(hz, frame)).length / frames.length;
    };

    test('a caller types over the greeting by telephone events: every key is in the transcript, once', async () => {
      const { caller, number } = testCaller(service);
      await caller.answered();
      await caller.agentSound(0);
      caller.call.press(KEYS);
      await rest.eventually('the keys', () => transcribed(number));
      await caller.hangUp();
      assert.equal(typed(await rest.endedCall(number)), KEYS);
    });

    /** Whether the running call's transcript has all keys. */
    async function transcribed(number: string): Promise<boolean> {
      const live = (await calls()).find((call) => call.fromNumber === number || call.toNumber === number);
      const { body } = await rest.request('GET', `/calls/${live?.id}/transcript`);
      return live !== undefined && typed({ ...live, transcript: body.data ?? [] }).length >= KEYS.length;
    }

    async function calls(): Promise<Array<Call & { toNumber: string }>> {
      return (await rest.request('GET', '/calls?limit=100')).body.data;
    }

    test('a caller types by SIP INFO', async () => {
      const from = '+15550188001';
      const request = {
        trunkIds: [],
        fromName: null,
        audio: { address: '127.0.0.1', port: 43_000 },
        ringTimeoutMs: 9_000,
      };
      const caller = recordLeg(far.telephony.dial({ ...request, from, to: `sip:demo@${service.sipAddress}` }));
      await caller.next('answered');
      caller.leg.sendInfoDigits(KEYS);
      await rest.eventually('the keys', () => transcribed(from));
      caller.leg.hangUp();
      assert.equal(typed(await rest.endedCall(from)), KEYS);
    });

    test('a person takes the call: announced, heard both ways, recorded in place; their end ends the call', async () => {
      await transferToPerson(rest);
      const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
      // Made before the call: while this process computes, nobody in it speaks.
      const [callersTone, personsTone] = [tone([CALLER_HZ], 60_000, 6_000), tone([PERSON_HZ], 60_000, 6_000)];
      await withPerson(rest, 'answer', async (person) => {
        const { caller, number } = await greeted(service, { record: true });
        await askForPerson(rest, caller, number, wish);
        await rest.eventually('the person answers', async () => person.isUp);
        void caller.call.speak(callersTone);
        person.audio.speak(personsTone);
        const joinedAt = await rest.eventually('the person hears the caller', async () => {
          const at = person.audio.heard.findIndex(({ samples }) => isTone(CALLER_HZ, samples));
          return at > 0 && at;
        });
        const announced = person.audio.heard.slice(0, joinedAt).filter(({ samples }) => rms(samples) > 300);
        assert.ok(announced.length > 100, `${announced.length} frames of announcement`);
        const toCaller = caller.call.heard.length;
        await rest.eventually('they talk for 4 s', async () => person.audio.heard.length > joinedAt + 200);
        const toPerson = person.audio.heard.slice(joinedAt + 25, joinedAt + 200).map(({ samples }) => samples);
        assert.ok(shareOfTone(CALLER_HZ, joinSamples(toPerson)) > WHOLE, 'the person hears the caller, without gaps');
        const heard = joinSamples(caller.call.heard.slice(toCaller + 25));
        const share = shareOfTone(PERSON_HZ, heard);
        assert.ok(share > WHOLE, `the caller hears the person in ${share} of the frames`);
        person.calls.at(-1)?.hangUp();
        await caller.until('the call ends with the person', () => caller.ended, 20_000);
        caller.call.close();
        const call = await rest.endedCall(number);
        assert.deepEqual([call.status, call.outcome], ['COMPLETED', 'transferred']);
        const { left, right, samples } = await compareRecording(call, caller.call);
        assert.ok(left.correlation > 0.95 && right.correlation > 0.95, JSON.stringify({ left, right }));
        assert.ok(Math.abs(left.shiftMs - right.shiftMs) <= MAX_SKEW_MS, JSON.stringify({ left, right }));
        assert.ok(shareOfTone(CALLER_HZ, samples.left.slice(-8_000 * 3, -8_000)) > 0.95);
        assert.ok(shareOfTone(PERSON_HZ, samples.right.slice(-8_000 * 3, -8_000)) > 0.95);
      });
    });

    test('nobody takes the call: the agent is back', async () => {
      await transferToPerson(rest);
      const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
      await withPerson(rest, 'busy', async () => {
        const { caller, number } = await greeted(service);
        await askForPerson(rest, caller, number, wish);
        await rest.eventually('the agent says so', async () => /sorry/i.test(await agentSaid(rest, number)));
        await caller.hangUp();
        assert.equal((await rest.endedCall(number)).outcome, 'completed');
      });
    });

    async function contacted(number: string, earlyMs: number): Promise<{ caller: Caller; ended(): Promise<Call> }> {
      trunkId ??= await addTrunk(rest, far.port, { callsPerSecond: 100 });
      campaign ??= await addCampaign(rest, trunkId, '+12025550144');
      const contact = new Contact(rest, campaign, number);
      contacts.push(contact);
      const { caller } = testCaller(service, 'demo', {
        record: true,
        dialog: (rtpPort, onEvent) => contact.dialog(rtpPort, onEvent, earlyMs),
      });
      const ended = () =>
        rest.eventually('the end', async () =>
          (await calls()).find((call) => call.toNumber === number && call.endedAt !== null),
        );
      return { caller, ended };
    }

    test('a contact types over the greeting: every key arrives, once', async () => {
      const number = '+12025561701';
      const { caller, ended } = await contacted(number, 0);
      await caller.answered();
      await caller.agentSound(0);
      caller.call.press(KEYS);
      await rest.eventually('the keys', () => transcribed(number));
      await caller.hangUp();
      const call = await ended();
      assert.deepEqual([typed(call), call.status], [KEYS, 'COMPLETED']);
    });

    test('early media of a contact: neither answer nor speech; the greeting follows the answer, whole', async () => {
      const { caller, ended } = await contacted('+12025561702', EARLY_MS);
      void caller.call.speak(tone([EARLY_HZ], EARLY_MS - 200, 8_000));
      await caller.answered();
      const ringingAt = performance.now();
      const greetedAt = await caller.agentSound(0);
      assert.ok(greetedAt - ringingAt > EARLY_MS - 300, `the greeting began ${greetedAt - ringingAt} ms after the 183`);
      await caller.agentQuiet(1_000);
      await caller.hangUp();
      const call = await ended();
      assert.deepEqual([call.status, call.outcome], ['COMPLETED', 'hung_up']);
      assert.equal(call.transcript.filter(({ speaker }) => speaker === 'caller').length, 0);
      const { right, samples } = await compareRecording(call, caller.call);
      assert.ok(right.correlation > 0.95, JSON.stringify(right));
      assert.ok(shareOfTone(EARLY_HZ, samples.left) < 0.02, 'the recording begins with the answer');
    });
  });
}
