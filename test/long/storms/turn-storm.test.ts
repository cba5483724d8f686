// Seeded storms. One throws events in any order at the machine, most of them stale or absurd: the referee's laws must
// hold. The other lets callers talk, pause, cough, press keys and be put on hold at random in a plausible world:
// nothing they say is lost or answered twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import {
  type AgentRequest,
  initialTurn,
  type TurnConfig,
  type TurnEvent,
  type TurnTimer,
} from '../../../engine/turn/machine.ts';
import { Referee } from '../../engine/turn/referee.ts';
import { plainConfig, Stage, type StageOptions } from '../../engine/turn/stage.ts';

class Dice {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }
  chance(probability: number): boolean {
    return this.#next() < probability;
  }
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

const timers: TurnTimer[] = [
  ...(['finish', 'endpoint', 'stt-deadline', 'reply-deadline', 'idle', 'digits', 'max-utterance', 'doubt'] as const),
];

/** An event that may or may not make sense: ids near the current ones, increasing times. */
function anyEvent(dice: Dice, nowMs: number, near: { epoch: number; utterance: number; serial: number }): TurnEvent {
  const epoch = Math.max(0, near.epoch + 1 - dice.below(3));
  const utterance = Math.max(0, near.utterance + 1 - dice.below(3));
  const text = dice.pick([
    '',
    'yes',
    'uh-huh',
    'what are your opening hours',
    'i want to and',
    'stop',
    'one two three',
  ]);
  switch (dice.below(19)) {
    case 0:
    case 1:
      return { type: 'speech-started', nowMs, speechAtMs: nowMs - 40 };
    case 2:
    case 3:
      return { type: 'speech-continued', nowMs, voicedMs: dice.below(900) };
    case 4:
    case 5:
      return { type: 'speech-stopped', nowMs, lastSpeechAtMs: nowMs - dice.below(300), voicedMs: dice.below(900) };
    case 6:
      return { type: 'stt-partial', nowMs, utterance, text };
    case 7:
    case 8: {
      const result = { text, confidence: dice.pick([0, 0.5, 0.95]), understood: dice.chance(0.8) };
      return { type: 'stt-final', nowMs, utterance, result };
    }
    case 9:
      return { type: 'stt-failed', nowMs, utterance };
    case 10:
      return { type: 'digit', nowMs, digit: dice.pick(['1', '2', '#', '*']) };
    case 11:
      return { type: 'clause-queued', nowMs, epoch, interruptible: dice.chance(0.8) };
    case 12:
    case 13:
      return { type: 'audio-ready', nowMs, epoch };
    case 14:
      return dice.chance(0.7) ? { type: 'reply-complete', nowMs, epoch } : { type: 'reply-failed', nowMs, epoch };
    case 15:
      return { type: 'playout-drained', nowMs, epoch };
    case 16:
      return dice.chance(0.5)
        ? { type: 'expects', nowMs, expects: dice.pick(['anything', 'yes-no', 'digits', 'date-time', 'email']) }
        : { type: 'reply-requested', nowMs, request: { kind: 'say', text: `words ${nowMs}` } };
    case 17:
      return { type: 'held', nowMs, held: dice.chance(0.3) };
    default:
      return { type: 'timer-fired', nowMs, timer: dice.pick(timers), serial: Math.max(1, near.serial - dice.below(4)) };
  }
}

test('in any order of events, the turn-taking rules hold', () => {
  let stepped = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const dice = new Dice(seed);
    const config: TurnConfig = { ...plainConfig, interruptionSensitivity: dice.pick([0, 0.3, 0.5, 1]) };
    const referee = new Referee();
    let state = initialTurn(config);
    let nowMs = 0;
    const near = { epoch: 0, utterance: 0, serial: 0 };
    const events = 150;
    for (let index = 0; index < events; index++) {
      nowMs += dice.below(400);
      const event: TurnEvent =
        index === 0
          ? { type: 'answered', nowMs }
          : index === events - 20
            ? { type: 'ended', nowMs }
            : anyEvent(dice, nowMs, near);
      try {
        const [after, effects] = referee.step(state, event, config);
        state = after;
        for (const effect of effects) {
          if (effect.type === 'want-reply') near.epoch = effect.epoch;
          if (effect.type === 'begin-utterance') near.utterance = effect.utterance;
          if (effect.type === 'arm-timer') near.serial = effect.serial;
        }
      } catch (error) {
        throw new Error(`seed ${seed}, event ${index}: ${JSON.stringify(event)}`, { cause: error });
      }
      stepped++;
    }
    assert.equal(state.phase, 'ended');
  }
  assert.equal(stepped, 60_000);
});

const openers = ['please', 'actually', 'tomorrow', 'thursday', 'number', 'a haircut', 'my name is', 'about the colour'];

/** A scene of up to a minute, and everything said in it that needs an answer. */
function scene(seed: number): { stage: Stage; said: string[]; keys: string; requests: AgentRequest[] } {
  const dice = new Dice(seed);
  const options: StageOptions = {
    sttMs: dice.pick([0, 40, 150, 400, 900]),
    thinkMs: dice.pick([0, 100, 350, 1_200]),
    speakMs: dice.pick([300, 1_500, 4_000]),
    partials: dice.chance(0.5),
    greeting: dice.pick([null, { interruptible: true }, { interruptible: false }]),
    config: {
      interruptionSensitivity: dice.pick([0, 0.3, 0.5, 1]),
      silenceThresholdMs: dice.pick([300, 600, 1_000]),
      maxUtteranceMs: dice.pick([2_500, 30_000]),
    },
  };
  const stage = new Stage(options).answered();
  const said: string[] = [];
  const requests: AgentRequest[] = [];
  let keys = '';
  let atMs = 200;
  for (let index = 0; index < 25; index++) {
    atMs += 60 + dice.below(dice.pick([400, 2_000, 5_000]));
    const forMs = 150 + dice.below(dice.pick([300, 1_500, 4_000]));
    const kind = dice.below(11);
    if (kind < 6) {
      // A unique word in each burst, so that it can be found again.
      const text = `${dice.pick(openers)} w${seed}x${index}`;
      said.push(`w${seed}x${index}`);
      stage.says(atMs, forMs, text);
      atMs += forMs + 140;
    } else if (kind === 6) {
      stage.says(atMs, 200, dice.pick(['uh-huh', 'mhm', 'yeah okay']));
      atMs += 340;
    } else if (kind === 7) {
      stage.says(atMs, dice.pick([50, 90]), { text: '', confidence: 0, understood: false });
      atMs += 230;
    } else if (kind === 8) {
      const digit = dice.pick(['1', '7', '#']);
      keys += digit;
      stage.at(atMs, { type: 'digit', digit });
    } else if (kind === 9) {
      const backMs = atMs + 200 + dice.below(3_000);
      stage.at(atMs, { type: 'held', held: true }).at(backMs, { type: 'held', held: false });
      atMs = backMs;
    } else {
      const request = { kind: 'say', text: `words ${index}` } as const;
      requests.push(request);
      stage.at(atMs, { type: 'reply-requested', request });
    }
  }
  // The last words are settled, and everything that was waiting has run.
  stage.run(atMs + 60_000);
  return { stage, said, keys, requests };
}

test('nothing that a caller says is lost or answered twice', () => {
  let turns = 0;
  let bargeIns = 0;
  let falseInterruptions = 0;
  let withdrawn = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const { stage, said, keys, requests } = scene(seed);
    const answered = [...stage.referee.turns.values()];
    for (const word of said) {
      const count = answered.filter((text) => text.split(' ').includes(word)).length;
      assert.equal(count, 1, `seed ${seed}: "${word}" is in ${count} turns\n${stage.timeline()}`);
    }
    assert.equal(stage.referee.digits.join(''), keys, `seed ${seed}: every key arrives once`);
    assert.deepEqual(stage.referee.requests, requests, `seed ${seed}: every requested reply is wanted once`);
    turns += answered.length;
    bargeIns += stage.referee.bargeIns;
    falseInterruptions += stage.of('false-interruption').length;
    withdrawn += stage.of('drop-reply').length;
  }
  // The storm was real: each of these paths was taken often.
  for (const count of [turns, bargeIns, falseInterruptions, withdrawn]) assert.ok(count > 200, `${count}`);
});
