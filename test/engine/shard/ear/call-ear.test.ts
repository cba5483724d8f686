import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallEar } from '../../../../engine/shard/ear/call-ear.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import type { TurnEvent, TurnPhase } from '../../../../engine/turn/machine.ts';
import { VAD_WINDOW_SAMPLES } from '../../../../models/vad/vad.ts';

const WINDOW_MS = 32;
const CALLER_DB = -20;

/** One window as the ear gets it. `voice`: the VAD's probability; `db`: its level in dBFS. */
interface Sound {
  voice: number;
  db: number;
  echo?: boolean;
  /** Share of its power in the upper half of the band; default 0.05. */
  sharp?: number;
  hertz?: number;
}

const speech = (windows: number, db: number): Sound[] => Array.from({ length: windows }, () => ({ voice: 0.9, db }));
const quiet = (windows: number): Sound[] => Array.from({ length: windows }, () => ({ voice: 0.01, db: -80 }));
const echo = (windows: number, db: number): Sound[] => speech(windows, db).map((each) => ({ ...each, echo: true }));

/** An ear whose line and machine are played by the test. */
class Line {
  phase: TurnPhase = 'listening';
  readonly events: TurnEvent[] = [];
  /** Levels of the frames that have arrived late, dBFS. */
  late: number[] = [];
  readonly ear: CallEar;
  #windows = 0;
  #current: Sound = { voice: 0, db: -80 };

  constructor() {
    this.ear = new CallEar({
      audio: {
        positionMs: 0,
        heard: {
          vadPositionMs: (sample) => sample / 8,
          finalityAt: () => null,
          windowPitch: () => this.#current.hertz ?? 0,
          isHearing: false,
          framePowers: () => this.late.map((db, frame) => ({ atMs: frame * 20, power: 10 ** (db / 10) })),
          windowSharpness: () => this.#current.sharp ?? 0.05,
          windowPower: () => 10 ** (this.#current.db / 10),
        },
        speechEndMs: (sample) => sample / 8,
        isEcho: () => this.#current.echo ?? false,
      },
      detection: null,
      nowMs: () => this.#windows * WINDOW_MS,
      phase: () => this.phase,
      step: (event) => this.events.push(event),
    });
  }

  /** Plays the windows and returns the events that came of them. */
  hear(...sounds: Sound[][]): TurnEvent[] {
    const before = this.events.length;
    for (const sound of sounds.flat()) {
      this.#current = sound;
      this.#windows++;
      this.ear.window(sound.voice, this.#windows * VAD_WINDOW_SAMPLES);
    }
    return this.events.slice(before);
  }

  /** A whole turn of the caller, understood. */
  turn(db: number, understood = true): void {
    const events = this.hear(speech(20, db), quiet(10));
    const started = events.find((event) => event.type === 'speech-started');
    this.ear.turnTaken({ understood, startedAtMs: started?.speechAtMs ?? 0 });
  }
}

const kinds = (events: readonly TurnEvent[]): string[] =>
  events
    .map((event) => `${event.type}${'faint' in event && event.faint ? ' faint' : ''}`)
    .filter((kind, index, all) => kind !== all[index - 1]);

/** A line on which the caller's level is known. */
function known(phase: TurnPhase): Line {
  const line = new Line();
  line.turn(CALLER_DB);
  line.phase = phase;
  return line;
}

test('a radio 15 or 25 dB under the caller is not heard while the agent has the floor', () => {
  for (const phase of ['thinking', 'speaking', 'doubting'] as const) {
    for (const under of [15, 25]) {
      assert.deepEqual(known(phase).hear(speech(50, CALLER_DB - under), quiet(20)), [], `${phase}, ${under} dB`);
    }
  }
});

test('a caller at their own level, or a little under it, interrupts at once', () => {
  const events = known('speaking').hear(speech(2, CALLER_DB - 4));
  assert.deepEqual(kinds(events), ['speech-started', 'speech-continued']);
});

test('a radio after the caller’s words does not prolong the turn by more than a quarter of a second', () => {
  const line = known('hearing');
  const events = line.hear(speech(20, CALLER_DB), speech(60, CALLER_DB - 15));
  const last = events.at(-1);
  assert.equal(last?.type, 'speech-stopped');
  const spokenToMs = (20 + 10 + 20) * WINDOW_MS;
  assert.ok(last?.type === 'speech-stopped' && last.lastSpeechAtMs - spokenToMs <= 256, JSON.stringify(last));
  assert.equal(events.filter(({ type }) => type === 'speech-stopped').length, 1);
});

test('weak syllables within the caller’s words are part of them', () => {
  const word = [...speech(4, CALLER_DB), ...speech(5, CALLER_DB - 18)];
  const events = known('hearing').hear(word, word, word, quiet(5));
  assert.deepEqual(kinds(events), ['speech-started', 'speech-continued', 'speech-paused', 'speech-stopped']);
});

test('while nobody else has the floor faint speech is heard, and called faint', () => {
  const line = known('listening');
  assert.deepEqual(kinds(line.hear(speech(1, CALLER_DB - 20))), ['speech-started faint']);
  line.phase = 'hearing';
  assert.deepEqual(kinds(line.hear(speech(10, CALLER_DB - 20), quiet(5))), [
    'speech-continued faint',
    'speech-paused',
    'speech-stopped',
  ]);
  line.phase = 'pausing';
  assert.deepEqual(kinds(line.hear(speech(5, CALLER_DB - 20))), ['speech-started faint', 'speech-continued faint']);
});

test('the caller’s own voice over a faint one ends its being faint, and then the faint one is silence again', () => {
  const line = known('listening');
  line.hear(speech(1, CALLER_DB - 20));
  line.phase = 'hearing';
  const events = line.hear(speech(5, CALLER_DB - 20), speech(10, CALLER_DB), speech(20, CALLER_DB - 20));
  assert.deepEqual(kinds(events), ['speech-continued faint', 'speech-continued', 'speech-paused', 'speech-stopped']);
  line.phase = 'pausing';
  assert.deepEqual(line.hear(speech(20, CALLER_DB - 20)), []);
});

test('a caller who has moved away from the phone is taken for themselves after two turns', () => {
  const line = known('listening');
  const far = CALLER_DB - 16;
  for (let turn = 0; turn < 2; turn++) {
    line.phase = 'listening';
    line.turn(far);
  }
  line.phase = 'speaking';
  assert.deepEqual(kinds(line.hear(speech(3, far))), ['speech-started', 'speech-continued']);
});

test('a radio that was taken for the caller is faint once the caller has spoken', () => {
  const line = new Line();
  line.turn(CALLER_DB - 15);
  line.turn(CALLER_DB);
  line.phase = 'speaking';
  assert.deepEqual(line.hear(speech(20, CALLER_DB - 15)), []);
});

test('a radio that precedes the caller’s words in a turn does not lower their level', () => {
  const line = known('listening');
  const radio = line.hear(speech(15, CALLER_DB - 20), quiet(5), speech(20, CALLER_DB), quiet(10));
  const started = radio.find((event) => event.type === 'speech-started');
  line.ear.turnTaken({ understood: true, startedAtMs: started?.speechAtMs ?? 0 });
  line.phase = 'speaking';
  assert.deepEqual(line.hear(speech(20, CALLER_DB - 13)), []);
});

/** How much a voice presses, and whether it may be the caller's, depends on its level; whether it is heard does not. */
const withoutLevel = (event: TurnEvent): object => ({
  ...event,
  pressMs: undefined,
  ...('distance' in event && event.distance === 'likely' ? { distance: 'unknown' } : {}),
});

test('before the first understood turn no voice near the loudest is gated', () => {
  const random = seededRandom(5);
  for (let call = 0; call < 50; call++) {
    const phases: TurnPhase[] = ['listening', 'hearing', 'pausing', 'thinking', 'speaking', 'doubting'];
    const gated = new Line();
    const level = new Line();
    for (let window = 0; window < 300; window++) {
      const voice = random();
      const phase = phases[Math.floor(random() * phases.length)] ?? 'listening';
      gated.phase = phase;
      level.phase = phase;
      // A turn that was not understood gates nothing.
      if (random() < 0.05) gated.ear.turnTaken({ understood: false, startedAtMs: 0 });
      gated.hear([{ voice, db: -26 + 12 * random() }]);
      level.hear([{ voice, db: -20 }]);
    }
    assert.deepEqual(gated.events.map(withoutLevel), level.events.map(withoutLevel));
    assert.ok(gated.events.every((event) => !('faint' in event)));
  }
});

test('a first turn ends though a radio goes on behind it', () => {
  const line = new Line();
  line.phase = 'hearing';
  const events = line.hear(speech(20, CALLER_DB), speech(30, CALLER_DB - 18));
  assert.deepEqual(kinds(events), ['speech-started', 'speech-continued', 'speech-paused', 'speech-stopped']);
});

test('our own voice on its way back is silence, and the caller’s voice over it is not', () => {
  const line = new Line();
  line.phase = 'speaking';
  assert.deepEqual(line.hear(echo(50, -40), quiet(5)), []);
  const events = line.hear(echo(10, -40), speech(10, CALLER_DB), echo(10, -40));
  assert.deepEqual(kinds(events), ['speech-started', 'speech-continued', 'speech-paused', 'speech-stopped']);
});

test('speech during which the line begins to carry something else is over without a word', () => {
  const line = new Line();
  assert.deepEqual(kinds(line.hear(speech(2, CALLER_DB))), ['speech-started', 'speech-continued']);
  line.ear.reset(true);
  assert.deepEqual(line.hear(quiet(5)), []);
  line.turn(CALLER_DB);
  line.phase = 'speaking';
  assert.deepEqual(kinds(line.hear(speech(2, CALLER_DB - 5))), ['speech-started', 'speech-continued']);
});

test('words that arrive late, when their speaker is silent again, are speech; a radio and a click in them are not', () => {
  const arrive = (late: number[], then = quiet(6)): string[] => {
    const line = known('listening');
    line.late = late;
    line.ear.lineBack(700);
    return kinds(line.hear(then));
  };
  const frames = (count: number, db: number): number[] => new Array<number>(count).fill(db);
  const yes = [...frames(10, -80), ...frames(20, CALLER_DB), ...frames(5, -80)];
  assert.deepEqual(arrive(yes), ['speech-started', 'speech-stopped']);
  assert.deepEqual(arrive(yes, speech(6, CALLER_DB)), ['speech-started', 'speech-continued'], 'the caller goes on');
  assert.deepEqual(arrive(frames(35, CALLER_DB - 15)), []);
  assert.deepEqual(arrive([...frames(30, -80), ...frames(3, CALLER_DB)]), []);
});

test('a voice that is softer and of another pitch is another person’s, one of the same pitch is the caller’s', () => {
  const heard = (db: number, hertz: number): unknown => {
    const line = new Line();
    const own = line.hear(
      speech(20, CALLER_DB).map((each) => ({ ...each, hertz: 180 })),
      quiet(10),
    );
    const started = own.find((event) => event.type === 'speech-started');
    line.ear.turnTaken({ understood: true, startedAtMs: started?.speechAtMs ?? 0 });
    line.phase = 'speaking';
    const last = line.hear(speech(20, db).map((each) => ({ ...each, hertz }))).at(-1);
    return last?.type === 'speech-continued' ? (last.distance ?? 'near') : last?.type;
  };
  assert.equal(heard(CALLER_DB, 100), 'near', 'as loud as the caller');
  assert.equal(heard(CALLER_DB - 7, 180), 'near');
  assert.equal(heard(CALLER_DB - 7, 100), 'other');
  assert.equal(heard(CALLER_DB - 9, 180), 'other', 'much softer');
});
