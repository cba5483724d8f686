// A hosted call with a model of turn ends: what the model is asked, and what its answer changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { rms } from '../../../../media/frame.ts';
import type { SttRequest } from '../../../../models/stt/stt.ts';
import type { TurnEndRequest } from '../../../../models/turn-end/turn-end.ts';
import { tone } from '../../../media/signals.ts';
import { hostCall } from '../hosted-stage.ts';
import { openCall } from '../open-call.ts';

const RATE_HZ = 16_000;
const FRAME = 320;
const COMMAND = openCall({ callId: 'call' }, { endpointing: 'adaptive', silenceThresholdMs: 600 });

type Question = Extract<TurnEndRequest, { type: 'judge' }>;

function messages<Message>(port: MessagePort): Message[] {
  const got: Message[] = [];
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
    got.push(next.message as Message);
  return got;
}

/** A caller who says `text` with a tone. The model answers where the test does. */
function conversation({ text = 'my brother', hasModel = true } = {}) {
  const stage = hostCall(COMMAND, { judgesTurnEnds: hasModel });
  const { call, events } = stage;
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'call', epoch: 1 });
  const requests: TurnEndRequest[] = [];
  const hearFrame = (frame: Int16Array) => {
    stage.hearFrame(frame);
    for (const request of messages<SttRequest>(stage.requests.stt))
      if (request.type === 'finish')
        call.answers.sttFinal(request.utterance, { text, confidence: 1, understood: true });
    requests.push(...messages<TurnEndRequest>(stage.requests.turnEnd));
  };
  const hear = (samples: Int16Array) => {
    for (let at = 0; at + FRAME <= samples.length; at += FRAME) hearFrame(samples.subarray(at, at + FRAME));
  };
  const hasEnded = () =>
    events.some(
      (event) =>
        (event.type === 'reply-committed' || (event.type === 'reply-wanted' && event.committed)) &&
        event.cause.kind === 'turn',
    );
  return {
    call,
    hear,
    requests,
    questions: () => requests.filter((request): request is Question => request.type === 'judge'),
    outcomes: () => events.flatMap((event) => (event.type === 'turn-end-judged' ? [event.outcome] : [])),
    /** Lets the caller be silent until their turn has ended: after how long. */
    silenceMs: () => {
      let ms = 0;
      for (; !hasEnded() && ms < 4_000; ms += 20) hearFrame(new Int16Array(FRAME));
      return ms;
    },
    hasEnded,
    stop: () => {
      call.end();
      stage.stop();
    },
  };
}

/**
 * Silence until the turn ends where the model says this 160 ms into the pause; null: it fails; undefined: nothing
 * comes.
 */
function turnEndMs(likelihood: number | null | undefined, hasModel = true): number {
  const talk = conversation({ hasModel });
  talk.hear(tone(300, RATE_HZ, 1_000, 0.3));
  talk.hear(new Int16Array(160 * 16));
  const [question] = talk.questions();
  assert.equal(question !== undefined, hasModel);
  if (question && likelihood !== undefined) talk.call.answers.turnEndJudged(question.pause, likelihood);
  const ms = 160 + talk.silenceMs();
  talk.stop();
  return ms;
}

test('what the model says of a pause decides how long it may last; without its word the rules decide', () => {
  const byRules = turnEndMs(undefined, false);
  const complete = turnEndMs(0.9);
  const incomplete = turnEndMs(0.1);
  assert.ok(byRules >= complete + 100 && incomplete > byRules, `${complete} ${byRules} ${incomplete}`);
  assert.equal(turnEndMs(null), byRules, 'it failed');
  assert.equal(turnEndMs(undefined), byRules, 'it did not answer');
});

test('it is asked once a pause, about the turn so far and half a second before it, at most 8 s', () => {
  const talk = conversation();
  talk.hear(new Int16Array(16_000));
  talk.hear(tone(300, RATE_HZ, 1_000, 0.3));
  talk.hear(new Int16Array(160 * 16));
  const [first] = talk.questions();
  assert.ok(first);
  assert.equal(first.sampleRateHz, RATE_HZ);
  const seconds = first.samples.length / RATE_HZ;
  assert.ok(seconds > 1.5 && seconds < 1.75, `${seconds} s`);
  talk.hear(tone(300, RATE_HZ, 9_000, 0.3));
  assert.deepEqual(talk.requests.at(-1), { type: 'cancel', callId: 'call' });
  talk.hear(new Int16Array(160 * 16));
  const questions = talk.questions();
  assert.equal(questions.length, 2);
  assert.equal(questions[1]?.samples.length, 8 * RATE_HZ);
  assert.ok(rms(questions[1]?.samples.subarray(0, FRAME) ?? new Int16Array(1)) > 100);
  talk.stop();
});

test('an answer that comes when the caller has gone on is counted as late and changes nothing', () => {
  const talk = conversation();
  talk.hear(tone(300, RATE_HZ, 1_000, 0.3));
  talk.hear(new Int16Array(160 * 16));
  const [first] = talk.questions();
  talk.hear(tone(300, RATE_HZ, 400, 0.3));
  assert.deepEqual(talk.outcomes(), ['late']);
  talk.call.answers.turnEndJudged(first?.pause ?? 0, 0.9);
  talk.hear(new Int16Array(160 * 16));
  // The second pause is another one.
  talk.call.answers.turnEndJudged(first?.pause ?? 0, 0.9);
  assert.deepEqual(talk.outcomes(), ['late']);
  talk.hear(new Int16Array(200 * 16));
  assert.equal(talk.hasEnded(), false);
  talk.call.answers.turnEndJudged(talk.questions()[1]?.pause ?? 0, 0.9);
  assert.deepEqual(talk.outcomes(), ['late', 'judged']);
  // By the rules alone 560.
  assert.ok(talk.silenceMs() <= 420);
  talk.stop();
});
