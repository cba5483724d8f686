// A briefed transfer's last step: from the key by which a person accepts to the sound of each side at the other one.

import { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { Caller, INSTANT, pause, withService } from '../rig/conversation/scenario.ts';
import { isTone, tone } from '../rig/conversation/tones.ts';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- bridge [--calls N]
  N calls, one after another (default 20): each caller asks for a person, who accepts with key 1 in the briefing`;

const PERSON = '+12125550177';
const CALLER_HZ = 1_250;
const PERSON_HZ = 700;
const WISH = 'can I speak to a person please';
/** The key is no multiple of a frame behind anything: it meets the engine's frames at any moment. */
const KEY_STEP_MS = 7;

/** From the key to the other side's sound, ms. */
interface Bridged {
  person: number;
  caller: number;
}

async function waitFor<T>(what: string, find: () => T | undefined, timeoutMs = 30_000): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await pause(10);
  }
}

/** One destination, at a trunk that is this telephone. */
async function reach(rest: Rest, phone: Phone): Promise<void> {
  const [business] = await rest.must('GET', '/businesses');
  await rest.must('PATCH', `/businesses/${business?.id}`, { destinations: [{ name: 'Billing', target: PERSON }] });
  await rest.must('POST', '/admin/trunks', { name: 'office', host: '127.0.0.1', port: phone.port });
  await waitFor('the engine knows the trunk', () => phone.requests.includes('OPTIONS') || undefined);
}

async function bridge(service: Service, phone: Phone, wish: Int16Array, index: number): Promise<Bridged> {
  let atCaller = Number.NaN;
  const caller = new Caller(service.sipAddress, index, 'demo', {
    onSamples: (samples) => {
      if (Number.isNaN(atCaller) && isTone(PERSON_HZ, samples)) atCaller = performance.now();
    },
  });
  try {
    await caller.answered();
    await caller.agentSound(0);
    await caller.agentQuiet(500);
    const before = phone.calls.length;
    await caller.call.speak(wish);
    const leg = await waitFor('the person is called', () =>
      phone.calls.slice(before).find(({ state }) => state === 'up'),
    );
    const from = phone.audio.heard.length;
    // The telephone has said hello by its own script; the agent's voice in it is the briefing.
    await waitFor(
      'the person is told',
      () => phone.audio.heard.slice(from).some(({ samples }) => isTone(440, samples)) || undefined,
    );
    void caller.call.speak(tone([CALLER_HZ], 20_000, 6_000));
    phone.audio.speak(tone([PERSON_HZ], 20_000, 6_000));
    await pause(500 + index * KEY_STEP_MS);
    const pressedAt = performance.now();
    leg.press('1');
    const first = await waitFor('the person hears the caller', () =>
      phone.audio.heard.slice(from).find(({ atMs, samples }) => atMs >= pressedAt && isTone(CALLER_HZ, samples)),
    );
    await waitFor('the caller hears the person', () => (Number.isNaN(atCaller) ? undefined : atCaller));
    if (atCaller < pressedAt) throw new Error('the caller heard the person before they had accepted');
    leg.hangUp();
    return { person: first.atMs - pressedAt, caller: atCaller - pressedAt };
  } finally {
    phone.audio.speak(new Int16Array(0));
    await caller.hangUp();
  }
}

export default part(USAGE, { calls: 20 }, async ({ calls }) => {
  const wish = await renderSpeech(WISH, 'flite-slt');
  const hello = await renderSpeech('Hello?', 'flite-rms');
  const bridged: Bridged[] = [];
  const notes: string[] = [];
  await withService({ ...INSTANT, LLM: 'receptionist', FAKE_STT_TEXT: WISH }, async (service) => {
    const rest = await new Rest(service).login();
    const phone = await Phone.start({
      talks: true,
      script: async (call) => {
        call.ring();
        call.answer();
        await call.pause(400);
        phone.audio.speak(hello);
      },
    });
    try {
      await reach(rest, phone);
      for (let index = 0; index < calls; index++) {
        try {
          bridged.push(await bridge(service, phone, wish, index));
        } catch (error) {
          notes.push(`a call failed: ${error instanceof Error ? error.message : error}`);
        }
      }
    } finally {
      phone.stop();
    }
  });
  const name = 'key to sound both ways';
  const both = bridged.map(({ person, caller }) => Math.max(person, caller));
  return {
    title: 'A person has accepted',
    rows: [
      rowOf(name, both, 'p95 <= 60'),
      rowOf(
        'key to the caller at the person',
        bridged.map(({ person }) => person),
      ),
      rowOf(
        'key to the person at the caller',
        bridged.map(({ caller }) => caller),
      ),
    ],
    samples: { [name]: both },
    notes,
  };
});
