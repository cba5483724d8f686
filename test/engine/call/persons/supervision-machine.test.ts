// The speaker beside the agent: one at a time, and whatever happens, the agent is back and nobody is left on a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NOBODY,
  obstacleTo,
  type SupervisionEffect,
  type SupervisionEvent,
  type SupervisionState,
  type Supervisor,
  stepSupervision,
} from '../../../../engine/call/persons/supervision-machine.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import { AUDIO } from '../stage-leg.ts';

const ADA: Supervisor = { by: 'socket', listenerId: 'lis_ada' };
const BOB: Supervisor = { by: 'socket', listenerId: 'lis_bob' };
const DESK: Supervisor = { by: 'phone', target: 'sip:desk' };
const local = { address: '127.0.0.1', port: 4_000 };

function play(...events: SupervisionEvent[]): { state: SupervisionState; effects: string[] } {
  let state = NOBODY;
  const effects: string[] = [];
  for (const event of events) {
    const [next, done] = stepSupervision(state, event);
    state = next;
    effects.push(...done.map(({ type }) => type));
  }
  return { state, effects };
}

test('a listener talks as soon as their audio is open, and a second one is refused', () => {
  const { state, effects } = play({ type: 'asked', who: ADA, wants: 'talk' }, { type: 'audio-opened', audio: local });
  assert.deepEqual(effects, ['open-audio', 'hear', 'take', 'answer']);
  assert.equal(obstacleTo(state, BOB), 'CALL_TAKEN_OVER');
  assert.equal(obstacleTo(state, ADA), null);
});

test('who whispers may talk, and whisper again, without their audio being opened anew', () => {
  const { effects } = play(
    { type: 'asked', who: ADA, wants: 'whisper' },
    { type: 'audio-opened', audio: local },
    { type: 'asked', who: ADA, wants: 'talk' },
    { type: 'asked', who: ADA, wants: 'whisper' },
    { type: 'gone' },
  );
  assert.deepEqual(effects, ['open-audio', 'hear', 'answer', 'take', 'answer', 'give-back', 'answer', 'close-audio']);
});

test('a telephone that is picked up after the call is over is hung up', () => {
  const { state, effects } = play(
    { type: 'asked', who: DESK, wants: 'talk' },
    { type: 'audio-opened', audio: local },
    { type: 'call-over' },
    { type: 'answered', audio: AUDIO },
  );
  assert.deepEqual(effects, ['open-audio', 'dial', 'hang-up', 'close-audio', 'hang-up']);
  assert.deepEqual(state, NOBODY);
});

test('a telephone that nobody answers is a refusal, with its reason', () => {
  const { effects } = play(
    { type: 'asked', who: DESK, wants: 'talk' },
    { type: 'audio-opened', audio: local },
    { type: 'gone' },
  );
  assert.deepEqual(effects, ['open-audio', 'dial', 'hang-up', 'close-audio', 'refuse']);
});

test('in every order of events the agent is taken from and given back in turns, and nothing stays open', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    let state = NOBODY;
    let isTaken = false;
    let isOpen = false;
    const perform = ({ type }: SupervisionEffect, at: string): void => {
      if (type === 'take') {
        assert.ok(!isTaken && isOpen, at);
        isTaken = true;
      }
      if (type === 'give-back') {
        assert.ok(isTaken, at);
        isTaken = false;
      }
      if (type === 'open-audio') {
        assert.ok(!isOpen, at);
        isOpen = true;
      }
      if (type === 'close-audio') isOpen = false;
    };
    for (let n = 0; n < 60; n++) {
      const who = pick([ADA, BOB, DESK]);
      const event = pick<SupervisionEvent>([
        { type: 'asked', who, wants: pick(['whisper', 'talk']) },
        { type: 'audio-opened', audio: local },
        { type: 'answered', audio: AUDIO },
        { type: 'audio-changed', audio: AUDIO },
        { type: 'gone' },
        { type: 'handed-back' },
      ]);
      if (event.type === 'asked' && obstacleTo(state, event.who) !== null) continue;
      const [next, effects] = stepSupervision(state, event);
      state = next;
      for (const effect of effects) perform(effect, `seed ${seed}, event ${n}`);
      assert.equal(isTaken, state.phase === 'talking', `seed ${seed}, event ${n}`);
      assert.equal(isOpen, state.phase !== 'none', `seed ${seed}, event ${n}`);
    }
    const [, effects] = stepSupervision(state, { type: 'call-over' });
    for (const effect of effects) if (effect.type !== 'give-back') perform(effect, `seed ${seed}, end`);
    assert.ok(!isOpen, `seed ${seed}`);
  }
});
