// Somebody else wants the agent silent: in every phase its reply ends, the caller's words do not, and it is no
// barge-in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  initialTurn,
  stepTurn,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from '../../../engine/turn/machine.ts';
import { plainConfig } from './stage.ts';

type Untimed = TurnEvent extends infer E ? (E extends { nowMs: number } ? Omit<E, 'nowMs'> : never) : never;

class Line {
  state: TurnState = initialTurn(plainConfig);
  effects: TurnEffect[] = [];
  #nowMs = 0;

  step(event: Untimed, afterMs = 100): this {
    this.#nowMs += afterMs;
    const [state, effects] = stepTurn(this.state, { ...event, nowMs: this.#nowMs } as TurnEvent, plainConfig);
    this.state = state;
    this.effects = effects;
    return this;
  }

  get epoch(): number {
    return this.state.context.epoch;
  }

  has(type: TurnEffect['type']): boolean {
    return this.effects.some((effect) => effect.type === type);
  }
}

/** The agent says its greeting. */
function speaking(): Line {
  const line = new Line().step({ type: 'answered' });
  const { epoch } = line;
  line.step({ type: 'clause-queued', epoch, interruptible: false }).step({ type: 'audio-ready', epoch });
  assert.equal(line.state.phase, 'speaking');
  return line;
}

/** The greeting is over, and nobody speaks. */
function listening(): Line {
  const line = speaking();
  const { epoch } = line;
  return line.step({ type: 'reply-complete', epoch }).step({ type: 'playout-drained', epoch });
}

test('in mid sentence, even a protected one: it ends at once, as no interruption of the caller’s', () => {
  const line = speaking().step({ type: 'silenced' });
  assert.equal(line.state.phase, 'listening');
  assert.ok(line.has('flush-playout'));
  assert.ok(!line.has('barge-in'));
});

test('while it thinks: the reply is not failed, and nothing stands in for it', () => {
  const line = new Line().step({ type: 'answered' }).step({ type: 'silenced' });
  assert.equal(line.state.phase, 'listening');
  assert.ok(!line.has('want-reply'));
  assert.ok(!line.has('drop-reply'), 'the caller’s words stay');
});

test('while the caller speaks: they go on', () => {
  const line = listening().step({ type: 'speech-started', speechAtMs: 400 }).step({ type: 'silenced' });
  assert.equal(line.state.phase, 'hearing');
});

test('a reply that was prepared in a pause is dropped, and the turn still ends', () => {
  const line = listening().step({ type: 'speech-started', speechAtMs: 400 });
  line.step({ type: 'speech-stopped', lastSpeechAtMs: 900, voicedMs: 500 }, 400);
  const utterance = line.state.context.utterance;
  const result = { text: 'when do you open', understood: true, confidence: 0.9 };
  line.step({ type: 'stt-final', utterance, result }, 50);
  assert.ok(line.has('want-reply'), 'a guess');
  line.step({ type: 'silenced' }, 10);
  assert.ok(line.has('drop-reply'));
  assert.equal(line.state.phase, 'pausing');
});

test('what is urgent is said in place of the reply, and before what waits', () => {
  const waits = { type: 'reply-requested', request: { kind: 'say', text: 'later' } } as const;
  const line = speaking().step(waits);
  line.step({ type: 'reply-requested', request: { kind: 'say', text: 'now', by: 'client' }, isUrgent: true });
  assert.ok(line.has('flush-playout'));
  const wanted = line.effects.find((effect) => effect.type === 'want-reply');
  assert.deepEqual(wanted?.cause, { kind: 'requested', request: { kind: 'say', text: 'now', by: 'client' } });
});
