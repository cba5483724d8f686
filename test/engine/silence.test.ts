// The limits of silence lie in an order: where one of them moves past another, callers are lost or two engines speak on
// one call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSilent, SILENT_AFTER_MS } from '../../db/domain/heartbeat.ts';
import {
  ANSWER_WITHIN_MS,
  BEAT_EVERY_MS,
  BEATS_MISSED_MS,
  CUT_OFF_FOR_MS,
  DEAD_AFTER_MS,
  FENCED_AFTER_MS,
  GONE_AFTER_MS,
  LONGEST_GAP_MS,
  LOOK_EVERY_MS,
  PREDECESSOR_WAIT_MS,
  QUESTIONS,
  SOUND_FOR_MS,
  TURN_MS,
  TURNS_MS,
} from '../../engine/silence.ts';

/** From a death to the moment at which the other engines know it, at most. */
const NOTICED_MS = DEAD_AFTER_MS + LOOK_EVERY_MS + QUESTIONS * ANSWER_WITHIN_MS;

for (const [rule, before, after] of [
  ['a single late beat is no sign of anything', BEAT_EVERY_MS, BEATS_MISSED_MS - BEAT_EVERY_MS],
  ['an engine gets no new call before it counts as silent', BEATS_MISSED_MS, SILENT_AFTER_MS],
  ['one with the same folder waits until a killed one counts as silent', SILENT_AFTER_MS, PREDECESSOR_WAIT_MS],
  ['an engine is no longer offered calls when it is taken for dead', SILENT_AFTER_MS, DEAD_AFTER_MS],
  ['a pause that only costs a heartbeat ends no engine', BEATS_MISSED_MS, FENCED_AFTER_MS],
  ['one whose process has ended is known before its machine counts as lost', GONE_AFTER_MS, DEAD_AFTER_MS],
  ['no process is asked whether it has ended for a beat that is late', 2 * BEAT_EVERY_MS, GONE_AFTER_MS],
  // It stood still since its last beat, or since up to a beat after that.
  ['an engine that stood still ends before it can be taken for dead', FENCED_AFTER_MS, DEAD_AFTER_MS - BEAT_EVERY_MS],
  ['after an outage of the database all are heard of before one is judged', DEAD_AFTER_MS, SOUND_FOR_MS],
  ['each engine may have its turn', TURN_MS, TURNS_MS],
  ['a call is asked for, in its last turn too, while its caller waits', NOTICED_MS + TURNS_MS, LONGEST_GAP_MS],
  [
    'an engine that is only cut off keeps its calls longer than another could take them',
    LONGEST_GAP_MS,
    CUT_OFF_FOR_MS,
  ],
] as const) {
  test(rule, () => assert.ok(before < after, `${before} ms is not below ${after} ms`));
}

test('the end of a process is known to the others within five seconds', () => {
  assert.ok(GONE_AFTER_MS + LOOK_EVERY_MS + ANSWER_WITHIN_MS <= 5_000);
});

test('an engine is silent from its limit on', () => {
  assert.deepEqual([isSilent(0, SILENT_AFTER_MS - 1), isSilent(0, SILENT_AFTER_MS)], [false, true]);
});
