// Support for transfer tests: a caller who asks for a person until the agent understands, the person's telephone at a
// trunk, and tones by which each side recognises the other.
import assert from 'node:assert/strict';
import type { Caller } from '../../../bench/rig/conversation/scenario.ts';
import type { Rest } from '../../../bench/rig/service/rest.ts';
import { answers, Phone, refuses, rings } from '../../../engine/test-runs/caller/phone/phone.ts';

export const PERSON = '+12125550177';
export const CALLER_HZ = 1_250;
export const PERSON_HZ = 700;

/** Callers are transferred to `PERSON`. */
export async function transferToPerson(rest: Rest): Promise<void> {
  const { body } = await rest.request('GET', '/businesses');
  const changed = await rest.request('PATCH', `/businesses/${body.data[0]?.id}`, { transferNumber: PERSON });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
}

/** Asks for a person until the agent says that it connects the call: a busy machine may lose a word. */
export async function askForPerson(rest: Rest, caller: Caller, number: string, wish: Int16Array): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const sentAt = await caller.call.speak(wish);
    await caller.agentSound(sentAt);
    const isConnecting = await rest
      .eventually('the agent connects', async () =>
        /connecting you|put you through/.test(await agentSaid(rest, number)),
      )
      .catch(() => false);
    if (isConnecting) return;
  }
  throw new Error(`the agent never understood: ${await agentSaid(rest, number)}`);
}

export async function agentSaid(rest: Rest, number: string): Promise<string> {
  const [call] = await rest.callsFrom(number);
  const { body } = await rest.request('GET', `/calls/${call?.id}/transcript`);
  const said = body.data ?? call?.transcript ?? [];
  return said.flatMap(({ speaker, text }) => (speaker === 'agent' ? [text] : [])).join(' | ');
}

const PICKUPS = { answer: answers(), ring: rings, busy: refuses(486) };

/** A trunk to a telephone for the duration of `run`. */
export async function withPerson(
  rest: Rest,
  pickup: keyof typeof PICKUPS,
  run: (person: Phone) => Promise<void>,
): Promise<void> {
  const person = await Phone.start({ script: PICKUPS[pickup], talks: true });
  const { status, body } = await rest.request('POST', '/admin/trunks', {
    name: 'office',
    host: '127.0.0.1',
    port: person.port,
  });
  assert.equal(status, 201, JSON.stringify(body));
  try {
    await rest.eventually('the engine knows the trunk', async () => person.requests.includes('OPTIONS'));
    await run(person);
  } finally {
    await rest.request('DELETE', `/admin/trunks/${body.data.id}`);
    person.stop();
  }
}
