// The conversation bench: its files, and its measuring instruments on sound that is known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AgentTrack } from '../../bench/conversation/agent-track.ts';
import type { Take } from '../../bench/conversation/play.ts';
import { scoreTake } from '../../bench/conversation/score.ts';
import { parseScenario, readScenarios, ScenarioError } from '../../bench/rig/conversation/scenario-file.ts';
import { MarkReader, writeMark } from '../../bench/rig/conversation/watermark.ts';
import { joinSamples } from '../../media/frame.ts';
import { decodeG711, encodeG711 } from '../../media/g711.ts';
import { say, silence } from '../support/models/sounds.ts';

const FRAME = 160;

const ONE_QUESTION = `
about: one question
agent:
  replies: [We are open from nine.]
caller:
  - on: agent-stops
    after: 600
    say: When do you open?
`;

describe('scenario files', () => {
  test('all of the bench can be read', () => {
    const scenarios = readScenarios();
    assert.ok(scenarios.length >= 20, `${scenarios.length}`);
    for (const { name, cues, silenceMs } of scenarios) assert.ok(cues.length + silenceMs > 0, name);
  });

  test('unfinished pieces are one turn, and an aside is none', () => {
    const pieces = ['say: my number is\n    as: unfinished', 'say: five', 'sound: cough'].map(
      (each) => `\n  - ${each}`,
    );
    const { expectedTurns, cues } = parseScenario('x', `about: x\nagent: { replies: [] }\ncaller:${pieces.join('')}`);
    assert.deepEqual(expectedTurns, ['my number is five']);
    assert.equal(cues[2]?.role, 'aside');
  });

  test('the example of docs/conversation.md can be read', () => {
    const page = readFileSync(new URL('../../docs/conversation.md', import.meta.url), 'utf8');
    const scenario = parseScenario('docs', /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
    assert.equal(scenario.cues.length, 4);
    assert.deepEqual(scenario.replies[1]?.call, 'transfer_call');
  });

  test('every scenario has its line in docs/conversation.md', () => {
    const page = readFileSync(new URL('../../docs/conversation.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/`([a-z0-9-]+)`/g)].map((match) => match[1] ?? '');
    const missing = readScenarios().filter(({ name }) => !named.some((each) => each === name || name.endsWith(each)));
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
    );
  });

  test('what is wrong is named with its place', () => {
    const wrong = ONE_QUESTION.replace('say:', 'shout:');
    assert.throws(
      () => parseScenario('x', wrong),
      (error) => error instanceof ScenarioError && /caller\/0/.test(error.message),
    );
  });
});

test('marks survive G.711 and are found wherever reading begins; a lost frame takes its mark with it', () => {
  const frames = Array.from({ length: 6 }, (_, frame) => {
    const codes = new Uint8Array(FRAME);
    const samples = new Int16Array(FRAME).map((_, n) => Math.round(4_000 * Math.sin((frame * FRAME + n) / 7)));
    encodeG711('pcmu', samples, codes);
    writeMark(codes, { utterance: 513, frame });
    decodeG711('pcmu', codes, 0, FRAME, samples);
    return frame === 3 ? silence(20) : samples;
  });
  const reader = new MarkReader();
  const stream = joinSamples(frames).subarray(37);
  const marks = [0, 100, 450].flatMap((from, index, all) => reader.read(stream.subarray(from, all[index + 1])));
  assert.deepEqual(
    marks,
    [0, 1, 2, 4, 5].map((frame) => ({ utterance: 513, frame })),
  );
});

/** A take of the `samples` that a caller hears. */
function heard(samples: Int16Array): Take {
  const frames = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, n) =>
    samples.slice(n * FRAME, (n + 1) * FRAME),
  );
  return {
    scenario: parseScenario('x', ONE_QUESTION),
    seed: 0,
    number: '',
    answeredAtMs: 0,
    frames: frames.map((_, n) => ({ atMs: n * 20, sequence: n, ssrc: 1, rms: 1_000, isSound: true })),
    samples: frames,
    cues: [],
    failure: null,
    wasRefused: false,
    wasLeft: false,
    wasTransferred: false,
    endedAtMs: frames.length * 20,
  };
}

describe("the agent's track", async () => {
  const text = 'We are open from nine in the morning, and on Saturday we close at four.';
  const samples = await say(text, { voiceId: 'flite-rms', leadMs: 0, tailMs: 0 });
  const at = 40 * FRAME;

  test('natural pauses are no holes, and every word is heard', () => {
    const track = new AgentTrack(heard(joinSamples([samples, silence(500)])), [{ text, samples }]);
    assert.deepEqual(track.holes, []);
    assert.ok(track.wordsHeard(0).every((isHeard) => isHeard));
  });

  test('a pause of the agent is a hole, and no word is lost', () => {
    const played = joinSamples([samples.slice(0, at), silence(360), samples.slice(at), silence(500)]);
    const track = new AgentTrack(heard(played), [{ text, samples }]);
    assert.equal(track.holes.length, 1);
    assert.equal(track.holes[0]?.startMs, 800);
    assert.equal(track.holes[0]?.endMs, 1_160);
    assert.ok(track.wordsHeard(0).every((isHeard) => isHeard));
  });

  test('what is cut off is lost', () => {
    const track = new AgentTrack(heard(joinSamples([samples.slice(0, at), silence(5_000)])), [{ text, samples }]);
    assert.equal(track.holes[0]?.endMs, null);
    assert.equal(track.wordsHeard(0).at(-1), false);
    assert.equal(track.wordsHeard(0)[0], true);
  });

  test('an agent that begins no other clause has fallen silent; one that goes on after a gap has not', () => {
    const clips = [{ text, samples }];
    const end = (samples.length / FRAME) * 20;
    const stopped = new AgentTrack(heard(joinSamples([samples, silence(3_000)])), clips);
    const stoppedAtMs = stopped.silenceAfter(end - 500, end + 2_000) ?? 0;
    assert.ok(Math.abs(stoppedAtMs - end) <= 200, `${stoppedAtMs}, the clip ends at ${end}`);
    const goesOn = new AgentTrack(heard(joinSamples([samples, silence(300), samples, silence(500)])), clips);
    assert.equal(goesOn.silenceAfter(end - 500, end + 2_000), null);
  });

  test('a duck is a yield and no hole', () => {
    const ducked = samples.map((sample, n) => (n >= at && n < at + FRAME * 15 ? Math.round(sample / 4) : sample));
    const track = new AgentTrack(heard(joinSamples([ducked, silence(500)])), [{ text, samples }]);
    assert.deepEqual(track.holes, []);
    const yieldedMs = track.yieldAfter(780, 2_000) ?? 0;
    assert.ok(yieldedMs >= 800 && yieldedMs <= 860, `${yieldedMs}`);
  });

  test('the silence that answers an interruption is no false yield to the noise in the room', () => {
    const scenario = parseScenario(
      'x',
      `about: x\nagent: { replies: ["${text}"] }\nbackground: { sound: radio, level: -20 }\ncaller:\n  - say: Stop.\n    as: interruption`,
    );
    const [cue] = scenario.cues;
    assert.ok(cue);
    const scoreOf = (pausesAt: number, startMs: number) => {
      const take = heard(joinSamples([samples.slice(0, pausesAt * FRAME), silence(5_000)]));
      return scoreTake(
        { ...take, scenario, cues: [{ cue, startMs, endMs: startMs + 900 }] },
        {
          speech: [{ text, samples }],
          script: [text],
          greeting: '',
          heardTurns: null,
          requests: [],
          wordDelayMs: null,
        },
      );
    };
    assert.equal(scoreOf(40, 500).falseYields, 0);
    // Before anybody interrupts, it is the noise.
    assert.equal(scoreOf(40, 1_500).falseYields, 1);
  });
});
