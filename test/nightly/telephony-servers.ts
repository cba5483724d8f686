// drachtio and FreeSWITCH themselves under what goes wrong between their peers and the engine: answers that fork or
// change, CANCELs that cross them, keys beside plain RTP, a server that stands still or refuses. Prints what it saw.
// The servers of docs/freeswitch.md run on loopback; parts that stop a server want its process, FREESWITCH_PID.
//
//   TELEPHONY=drachtio node supervise.mjs run test/nightly/telephony-servers.ts [PART]

import { readFileSync } from 'node:fs';
import { tone } from '../../bench/rig/conversation/tones.ts';
import { PhoneAudio } from '../../engine/test-runs/caller/phone/audio.ts';
import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import {
  contactOf,
  headerValue,
  message,
  methodOf,
  newBranch,
  newTag,
  response,
  SDP_TYPE,
  sdp,
  statusOf,
} from '../../engine/test-runs/caller/phone/sip-text.ts';

import { waitFor } from '../support/sip/baresip-phone.ts';
import {
  channels,
  ENGINE_HZ,
  hears,
  isRelayed,
  type Near,
  noChannels,
  PEER_HZ,
  pause,
  socketCallee,
  switches,
  target,
  withNear,
} from './telephony-near.ts';
import { expect, runTrial, saw, type TrialPart } from './trial.ts';

const { DRACHTIO_PID, FREESWITCH_PID, CALLS = '500' } = process.env;

/** Callers whose CANCEL leaves around our answer, which takes longer with FreeSWITCH. */
async function callersCancel(near: Near): Promise<void> {
  const outcomes = new Map<string, number>();
  for (let n = 0; n < 120; n++) {
    const phone = await Phone.start();
    const call = phone.place({ target: target(near), from: `caller${n}` }, async (own) => {
      await own.pause(isRelayed ? n : n / 4);
      own.hangUp();
    });
    await waitFor('the caller has an answer', () => call.received.some((each) => /^[2-6]\d\d$/.test(each)), 5_000);
    await pause(100);
    // As any telephone does (RFC 3261 9.1): what was answered in spite of its CANCEL, it ends.
    if (call.state === 'up') call.hangUp();
    await waitFor('the caller is released', () => call.state === 'ended', 5_000);
    const seen = call.received.filter((each) => each !== '1xx' && each !== '100').join(' ');
    outcomes.set(seen, (outcomes.get(seen) ?? 0) + 1);
    phone.stop();
  }
  for (const [seen, count] of outcomes) saw(`${count} × the caller got ${seen}`);
  await waitFor('every leg has ended', () => near.allEnded, 10_000).catch(() => {});
  saw(`the engine's legs: ${near.ends()}`);
  expect(near.allEnded, 'legs are still up');
  expect(!near.legs.some(({ events }) => events.some((e) => e.type === 'ended' && e.end.by === 'server')), near.ends());
  await noChannels();
}

/** A callee who picks up when the CANCEL is there, or a few ms before. */
async function calleesAnswerCancelled(near: Near): Promise<void> {
  for (const [order, early] of [
    ['200 to the INVITE, then 200 to the CANCEL', false],
    ['200 to the INVITE some ms around our CANCEL', true],
  ] as const) {
    const outcomes = new Map<string, number>();
    for (let n = 0; n < 40; n++) {
      let invite = '';
      let rang = (): void => {};
      const isRinging = new Promise<void>((resolve) => {
        rang = resolve;
      });
      const tag = newTag();
      const callee = await socketCallee((text, send) => {
        const answer = (): void => {
          send(response(invite, 200, { tag, contact: callee.contact, headers: [SDP_TYPE], body: sdp(40_000) }));
        };
        const method = methodOf(text);
        if (method === 'INVITE') {
          invite = text;
          send(response(text, 180, { tag, contact: callee.contact }));
          if (early) setTimeout(answer, n / 8);
          rang();
        } else if (method === 'CANCEL') {
          if (!early) answer();
          send(response(text, 200, { tag }));
        } else if (method === 'BYE') send(response(text, 200));
      });
      const leg = near.dial(`sip:callee@127.0.0.1:${callee.port}`);
      await isRinging;
      await pause(early ? 2 : 10);
      leg.hangUp();
      const isReleased = await waitFor('BYE', () => callee.received.some((each) => each.startsWith('BYE')), 5_000).then(
        () => true,
        () => false,
      );
      const seen = `${callee.received.map((each) => each.split(' ')[0]).join(' ')}${isReleased ? '' : ' (left on the line)'}`;
      outcomes.set(seen, (outcomes.get(seen) ?? 0) + 1);
      callee.close();
    }
    for (const [seen, count] of outcomes) saw(`${order}: ${count} × the callee got ${seen}`);
    expect(![...outcomes.keys()].some((each) => each.includes('left')), 'a callee is left on the line');
  }
  await noChannels();
}

/** A response of one of two telephones, with the audio of one of two ports. */
type Step = [status: number, phone: 0 | 1, audio: 0 | 1];

const FORK_ONE: Step[] = [
  [183, 0, 0],
  [183, 1, 1],
  [200, 1, 1],
];
const FORK_BOTH: Step[] = [...FORK_ONE, [200, 0, 0]];
const CHANGED: Step[] = [
  [183, 1, 0],
  [200, 1, 1],
];

/** The second telephone picks up, with the audio of the second port. */
async function answered(near: Near, steps: readonly Step[]): Promise<void> {
  const audios = [await PhoneAudio.open('127.0.0.1', true), await PhoneAudio.open('127.0.0.1', true)] as const;
  const [first, second] = audios;
  const tags = [`one${newTag()}`, `two${newTag()}`] as const;
  second.speak(tone([PEER_HZ], 2_000, 6_000), 16_000);
  const callee = await socketCallee(async (text, send) => {
    const method = methodOf(text);
    if (method === 'BYE') return send(response(text, 200));
    if (method !== 'INVITE') return;
    const media = Number(/m=audio (\d+)/.exec(text)?.[1]);
    second.talkTo({ address: '127.0.0.1', port: media });
    for (const [status, phone, audio] of steps) {
      const options = { contact: callee.contact, headers: [SDP_TYPE], body: sdp(audios[audio].port) };
      send(response(text, status, { ...options, tag: tags[phone] }));
      await pause(100);
    }
  });
  const leg = near.dial(`sip:callee@127.0.0.1:${callee.port}`);
  await waitFor('it is answered', () => near.legs.some(({ events }) => events.some((e) => e.type === 'answered')));
  await pause(1_500);
  const seen = [hears(second, ENGINE_HZ), hears(first, ENGINE_HZ), hears(near.audio, PEER_HZ)];
  saw(`hears the other: who picked up ${seen[0]}, the other telephone ${seen[1]}, the engine ${seen[2]}`);
  if (isRelayed) saw(`${await channels()} channels in the call`);
  if (steps === FORK_BOTH) await pause(3_000);
  leg.hangUp();
  await pause(700);
  saw(`the callees got ${callee.received.join(' | ')}`);
  callee.close();
  for (const audio of audios) {
    audio.hush();
    audio.close();
  }
  expect(seen[0] === true && seen[2] === true, 'no audio with the one who picked up');
  expect(near.allEnded, 'the leg is still up');
  await noChannels();
}

/** The callee's first word after the ACK is an offer with another port: FreeSWITCH may still take its answer. */
async function offersAtOnce(near: Near): Promise<void> {
  const audio = await PhoneAudio.open('127.0.0.1', true);
  audio.speak(tone([PEER_HZ], 2_000, 6_000), 16_000);
  const tag = newTag();
  let invite = '';
  const answers: string[] = [];
  const callee = await socketCallee((text, send) => {
    const method = methodOf(text);
    const options = { tag, contact: callee.contact };
    if (statusOf(text) > 0) {
      if (statusOf(text) >= 200) answers.push(text);
    } else if (method === 'INVITE') {
      invite = text;
      send(response(text, 200, { ...options, headers: [SDP_TYPE], body: sdp(40_000) }));
    } else if (method === 'BYE') send(response(text, 200));
    else if (method === 'ACK' && answers.length === 0) {
      const lines = [
        `INVITE ${contactOf(invite)} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${callee.port};branch=${newBranch()};rport`,
        'Max-Forwards: 70',
        `From: ${headerValue(invite, 'To')};tag=${tag}`,
        `To: ${headerValue(invite, 'From')}`,
        `Call-ID: ${headerValue(invite, 'Call-ID')}`,
        'CSeq: 1 INVITE',
        `Contact: <${callee.contact}>`,
        SDP_TYPE,
      ];
      audio.talkTo({ address: '127.0.0.1', port: Number(/m=audio (\d+)/.exec(invite)?.[1]) });
      send(message(lines, sdp(audio.port, 2)));
    }
  });
  const leg = near.dial(`sip:callee@127.0.0.1:${callee.port}`);
  await waitFor('the offer is answered', () => answers.length > 0);
  await pause(1_500);
  saw(`its offer got ${answers[0]?.split('\r\n')[0]}; the callee hears ${hears(audio, ENGINE_HZ)} at its new port`);
  expect(hears(audio, ENGINE_HZ), 'the audio did not follow the offer');
  leg.hangUp();
  await pause(700);
  callee.close();
  audio.hush();
  audio.close();
  await noChannels();
}

/** RTP/AVP with keys beside it. */
async function keysBesidePlain(near: Near): Promise<void> {
  const phone = await Phone.start({ talks: true });
  phone.audio.speak(tone([PEER_HZ], 2_000, 6_000), 16_000);
  const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 7).toString('base64')}`;
  const offer = sdp(phone.audio.port).replace(/(a=rtpmap:0 PCMU\/8000\r\n)/, `$1${key}\r\n`);
  const call = phone.place({ target: target(near), from: 'keys', offer });
  await waitFor('it is up', () => call.state === 'up');
  await pause(1_500);
  saw(`heard: the caller ${hears(phone.audio, ENGINE_HZ)}, the engine ${hears(near.audio, PEER_HZ)}`);
  saw(`the answer: ${call.accepted.split('\r\n\r\n')[1]?.replaceAll('\r\n', ' | ')}`);
  expect(hears(phone.audio, ENGINE_HZ) && hears(near.audio, PEER_HZ), 'no plain audio');
  expect(!call.accepted.includes('crypto'), 'keys in the answer');
  call.hangUp();
  await waitFor('the end', () => call.state === 'ended', 5_000);
  phone.stop();
  await noChannels();
}

/** FreeSWITCH stands still for 10 s under a call. */
async function standsStill(near: Near): Promise<void> {
  const phone = await Phone.start({ talks: true });
  phone.audio.speak(tone([PEER_HZ], 2_000, 6_000), 16_000);
  const call = phone.place({ target: target(near), from: 'still' });
  await waitFor('it is up', () => call.state === 'up');
  await pause(2_000);
  const stoppedAt = performance.now();
  const since = (): string => `${((performance.now() - stoppedAt) / 1_000).toFixed(1)} s`;
  process.kill(Number(FREESWITCH_PID), 'SIGSTOP');
  call.onEvent = (event) => saw(`${since()}: the caller: ${JSON.stringify(event)}`);
  try {
    await pause(2_000);
    const second = await Phone.start();
    const other = second.place({ target: target(near), from: 'second' });
    const status = await Promise.race([other.final(), pause(8_000).then(() => 0)]);
    saw(`${since()}: a call meanwhile got ${status}`);
    second.stop();
    await pause(Math.max(0, 10_000 - (performance.now() - stoppedAt)));
  } finally {
    process.kill(Number(FREESWITCH_PID), 'SIGCONT');
  }
  saw(`${since()}: FreeSWITCH goes on; the legs: ${near.ends()}`);
  await pause(3_000);
  saw(
    `${since()}: the caller is ${call.state}; heard: the caller ${hears(phone.audio, ENGINE_HZ)}, the engine ${hears(near.audio, PEER_HZ)}`,
  );
  await waitFor('calls are taken again', () => near.telephony.isReady, 10_000);
  const third = await Phone.start();
  const next = third.place({ target: target(near), from: 'third' });
  expect((await next.final()) === 200, 'the next call is not answered');
  saw(`${since()}: the next call is answered`);
  next.hangUp();
  if (call.state === 'up') call.hangUp();
  await waitFor('the callers are released', () => call.state === 'ended' && next.state === 'ended', 5_000);
  third.stop();
  phone.stop();
  saw(`the legs: ${near.ends()}`);
  await noChannels();
}

/** Calls while one of the servers refuses: FREESWITCH_PORTS has two. */
async function oneRefuses(near: Near): Promise<void> {
  const took: number[] = [];
  const phones: Phone[] = [];
  for (let n = 0; n < 10; n++) {
    const phone = await Phone.start();
    const startedAt = performance.now();
    const call = phone.place({ target: target(near), from: `refused${n}` });
    const status = await call.final();
    took.push(Math.round(performance.now() - startedAt));
    expect(status === 200, `call ${n} got ${status}`);
    phones.push(phone);
    await pause(300);
  }
  saw(`10 of 10 answered, after ${took.join(', ')} ms`);
  for (const phone of phones) phone.calls[0]?.hangUp();
  await pause(1_000);
  const callee = await Phone.start({ script: answers() });
  for (let n = 0; n < 5; n++) {
    const leg = near.dial(`sip:callee@127.0.0.1:${callee.port}`);
    const events = near.legs.at(-1)?.events ?? [];
    await waitFor('ours is answered', () => events.some(({ type }) => type === 'answered'), 8_000);
    leg.hangUp();
    await waitFor('it is released', () => !callee.isUp, 8_000);
  }
  saw('5 of 5 of ours answered');
  for (const phone of [...phones, callee]) phone.stop();
  saw(`the legs: ${near.ends()}`);
}

const rssMb = (pid: string | undefined): string =>
  pid === undefined
    ? '?'
    : `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024)} MB`;

/** Short calls both ways. */
async function manyShortCalls(near: Near): Promise<void> {
  const total = Number(CALLS);
  const callee = await Phone.start({ script: answers() });
  let done = 0;
  let failed = 0;
  const one = async (n: number): Promise<void> => {
    if (n % 2 === 0) {
      const phone = await Phone.start();
      const call = phone.place({ target: target(near), from: `short${n}`, resends: true });
      const status = await call.final();
      if (status !== 200) failed++;
      await pause(50 + (n % 7) * 30);
      call.hangUp();
      await waitFor('the end', () => call.state === 'ended', 10_000).catch(() => failed++);
      phone.stop();
    } else {
      const leg = near.dial(`sip:callee@127.0.0.1:${callee.port}`);
      const record = near.legs.at(-1);
      const seen = (type: string): boolean => record?.events.some((event) => event.type === type) ?? false;
      await waitFor('an outcome', () => seen('answered') || seen('ended'), 10_000).catch(() => {});
      if (!seen('answered')) failed++;
      await pause(50 + (n % 5) * 40);
      leg.hangUp();
      await waitFor('the end', () => seen('ended'), 10_000).catch(() => failed++);
    }
    done++;
  };
  const report = (): void => {
    globalThis.gc?.();
    const { heapUsed } = process.memoryUsage();
    saw(
      `after ${done}: drachtio ${rssMb(DRACHTIO_PID)}, FreeSWITCH ${rssMb(FREESWITCH_PID)}, this process's heap ${Math.round(heapUsed / 1_048_576)} MB; ${failed} failed`,
    );
  };
  report();
  const lane = async (first: number): Promise<void> => {
    for (let n = first; n < total; n += 6) {
      await one(n);
      if (done % 100 === 0) report();
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, n) => lane(n)));
  callee.stop();
  report();
  saw(`the legs: ${near.ends()}`);
  expect(failed === 0, `${failed} calls failed`);
  expect(near.allEnded, 'legs are still up');
  await noChannels();
}

const needsSwitch = !isRelayed && 'TELEPHONY is not freeswitch';
const needsPid = needsSwitch || (FREESWITCH_PID === undefined && 'no FREESWITCH_PID');
const parts: Array<TrialPart<null>> = [
  { name: 'callers-cancel', run: () => withNear(callersCancel) },
  { name: 'callees-answer-cancelled', run: () => withNear(calleesAnswerCancelled) },
  { name: 'fork-one', run: () => withNear((near) => answered(near, FORK_ONE)) },
  { name: 'fork-both', run: () => withNear((near) => answered(near, FORK_BOTH)) },
  { name: 'answer-changes', run: () => withNear((near) => answered(near, CHANGED)) },
  { name: 'offers-at-once', run: () => withNear(offersAtOnce) },
  { name: 'keys-beside-plain', run: () => withNear(keysBesidePlain) },
  { name: 'stands-still', missing: needsPid, run: () => withNear(standsStill) },
  {
    name: 'one-refuses',
    missing: needsSwitch || (switches.length < 2 && 'one FreeSWITCH only'),
    run: () => withNear(oneRefuses),
  },
  { name: 'short-calls', run: () => withNear(manyShortCalls) },
];
const failed = await runTrial(parts, null, process.argv[2]);
process.exit(failed === 0 ? 0 : 1);
