// A transfer to a person over and over, to find what fails once in many: announced, heard both ways without gaps, ended
// by the person, recorded as such. With TELEPHONY=drachtio or freeswitch the servers of docs/freeswitch.md are needed;
// their SIP trace and the Call-IDs that are printed here belong together.
//
//   TELEPHONY=drachtio node supervise.mjs run test/nightly/transfers.ts [RUNS]

import type { Caller } from '../../bench/rig/conversation/scenario.ts';
import { isTone, tone } from '../../bench/rig/conversation/tones.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import type { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples, rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';
import { bestMatch, envelope } from '../support/models/envelope.ts';

import { askForPerson, CALLER_HZ, PERSON_HZ, transferToPerson, withPerson } from '../support/sip/transfers.ts';
import { expect, runTrial, saw, type TrialPart } from './trial.ts';

interface House {
  service: Service;
  rest: Rest;
  wish: Int16Array;
}

const [callersTone, personsTone] = [tone([CALLER_HZ], 60_000, 6_000), tone([PERSON_HZ], 60_000, 6_000)];
/** Share of a tone's frames that have to arrive. */
const WHOLE = 0.95;
/** Between the channels of a recording. */
const MAX_SKEW_MS = 100;

const shareOf = (hz: number, frames: readonly Int16Array[]): number =>
  frames.filter((samples) => isTone(hz, samples)).length / Math.max(1, frames.length);

async function transfer({ service, rest, wish }: House): Promise<void> {
  await withPerson(rest, 'answer', async (person) => {
    const { caller, number } = await greeted(service, { record: true });
    try {
      await askForPerson(rest, caller, number, wish);
      await rest.eventually('the person answers', async () => person.isUp);
      void caller.call.speak(callersTone);
      person.audio.speak(personsTone);
      await talk(rest, caller, person);
      person.calls.at(-1)?.hangUp();
      await caller.until('the call ends with the person', () => caller.ended, 20_000);
      const call = await rest.endedCall(number);
      expect(call.status === 'COMPLETED', `the call is ${call.status}, ${call.endReason}`);
      expect(call.outcome === 'transferred', `the outcome is ${call.outcome}, ${call.endReason}`);
      await compareRecording(rest, call.id, caller);
    } finally {
      const legs = person.calls.map(({ callId, received }) => `${callId} (${received.join(' ')})`);
      saw(`${new Date().toISOString()}, from ${number}; to the person ${legs.join(', ') || 'no INVITE'}`);
      caller.call.close();
    }
  });
}

async function talk(rest: Rest, caller: Caller, person: Phone): Promise<void> {
  const joinedAt = await rest.eventually('the person hears the caller', async () => {
    const at = person.audio.heard.findIndex(({ samples }) => isTone(CALLER_HZ, samples));
    return at > 0 && at;
  });
  const announced = person.audio.heard.slice(0, joinedAt).filter(({ samples }) => rms(samples) > 300).length;
  expect(announced > 100, `${announced} frames of announcement`);
  const toCaller = caller.call.heard.length;
  await rest.eventually('they talk for 4 s', async () => person.audio.heard.length > joinedAt + 200);
  const atPerson = shareOf(
    CALLER_HZ,
    person.audio.heard.slice(joinedAt + 25, joinedAt + 200).map(({ samples }) => samples),
  );
  const atCaller = shareOf(PERSON_HZ, caller.call.heard.slice(toCaller + 25));
  saw(`announced ${announced / 50} s; the person hears ${atPerson.toFixed(3)}, the caller ${atCaller.toFixed(3)}`);
  expect(atPerson > WHOLE && atCaller > WHOLE, `gaps: the person hears ${atPerson}, the caller ${atCaller}`);
}

/** Each channel fits what the caller said and heard, and both begin together. */
async function compareRecording(rest: Rest, id: string, { call: { said, heard } }: Caller): Promise<void> {
  const { status, body } = await rest.bytes(`/calls/${id}/audio`);
  expect(status === 200, `the recording: ${status}`);
  const [left = new Int16Array(0), right = new Int16Array(0)] = decodeWav(body).channelsSamples;
  const fits = {
    left: bestMatch(envelope(left), envelope(joinSamples(said))),
    right: bestMatch(envelope(right), envelope(joinSamples(heard))),
  };
  const skewMs = Math.abs(fits.left.shiftMs - fits.right.shiftMs);
  const text = JSON.stringify(fits);
  expect(fits.left.correlation > WHOLE && fits.right.correlation > WHOLE && skewMs <= MAX_SKEW_MS, text);
}

const runs = Number(process.argv[2] ?? 50);
const service = await startService({ MAX_CALLS: '10', LLM: 'receptionist' });
const rest = await new Rest(service).login();
await transferToPerson(rest);
const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
const parts: Array<TrialPart<House>> = Array.from({ length: runs }, (_, index) => ({
  name: `transfer ${index + 1}`,
  run: transfer,
}));
const failed = await runTrial(parts, { service, rest, wish });
saw(`${runs - failed} of ${runs} transfers held`);
for (const line of service.output().split('\n')) {
  if (/"level":(40|50|60)|"level":"(warn|error)/.test(line)) saw(line);
}
await service.stop();
process.exit(failed === 0 ? 0 : 1);
