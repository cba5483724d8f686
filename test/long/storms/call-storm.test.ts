// Whole calls in a storm: lines, shards, callers, models and operators act at random, and writes are slow or fail. In
// every case a call ends once and leaves nothing behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShardEvent } from '../../../engine/shard/protocol.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import type { DialogueChunk } from '../../../models/llm/llm.ts';
import { CallStage, type CallStageOptions, type Script } from '../../engine/call/stage.ts';
import { AUDIO } from '../../engine/call/stage-leg.ts';

const CALLS = 400;
const TOOLS: Array<[string, Record<string, unknown>]> = [
  ['transfer_call', {}],
  ['end_call', {}],
  ['opt_out', {}],
  ['send_digits', { digits: '1w2#' }],
  ['check_availability', {}],
  ['schedule_appointment', { startsAt: '2001-09-10T10:00:00' }],
  ['no_such_tool', {}],
];

type Dice = ReturnType<typeof dice>;

function dice(seed: number) {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return {
    below,
    chance: (share: number): boolean => random() < share,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  };
}

function stormOptions(roll: Dice): CallStageOptions {
  let tools = 0;
  const model: Script = () => {
    if (roll.chance(0.1)) return 'fails';
    const said: DialogueChunk[] = roll.chance(0.9) ? [{ type: 'text', text: 'Certainly, one moment.' }] : [];
    if (roll.chance(0.3)) {
      const [name, args] = roll.pick(TOOLS);
      said.push({ type: 'tool-call', id: `t${tools++}`, name, arguments: args });
    }
    return said;
  };
  return {
    medium: roll.pick(['inbound', 'outbound', 'web']),
    model,
    contactId: roll.chance(0.5) ? 'cnt_1' : null,
    takesDigits: roll.chance(0.5),
    referStatus: roll.pick([200, 202, 405, null, 100]),
    faults: { open: roll.chance(0.05), neverCloses: roll.chance(0.1) },
    writeMs: roll.pick([1, 30, 2_000]),
    campaign: {
      voicemailAction: roll.pick(['hangup', 'leave_message']),
      voicemailMessage: roll.chance(0.7) ? 'Please call us back.' : null,
    },
    business: { maxCallDurationMinutes: roll.pick([1, 5]), greetingTemplate: 'Press 9 to stop these calls.' },
  };
}

/** One random thing that can happen to a running call. */
async function happen(stage: CallStage, roll: Dice): Promise<void> {
  const callId = 'call_1';
  const leg = roll.chance(0.3) ? (stage.legs.at(-1) ?? stage.leg) : stage.leg;
  const events: ShardEvent[] = [
    { type: 'opened', callId, address: '127.0.0.1', port: 20_000 },
    { type: 'amd', callId, verdict: roll.pick(['human', 'machine', 'machine-beep', 'uncertain']), atMs: 1 },
    { type: 'beep', callId, atMs: 1 },
    { type: 'socket-joined', callId },
    { type: 'media-lost', callId, reason: roll.pick(['rtp-timeout', 'socket-closed']) },
    { type: 'reply-heard', callId, epoch: roll.below(9), text: 'stale words', startedAtMs: 0, interrupted: true },
    { type: 'reply-dropped', callId, epoch: roll.below(9) },
    { type: 'digits-sent', callId, ok: true },
    { type: 'model-failed', callId, model: 'tts', message: 'gone' },
    { type: 'call-failed', callId, message: 'a fault of ours' },
  ];
  switch (roll.below(14)) {
    case 0:
      leg?.end({ by: roll.pick(['remote', 'network']), sipStatus: roll.pick([null, 404, 480, 486, 503, 603]) });
      return;
    case 1:
      leg?.report({ type: 'ringing', status: 180, earlyAudio: roll.chance(0.3) ? AUDIO : null });
      return;
    case 2:
    case 3:
      leg?.report({ type: 'answered', audio: AUDIO });
      return;
    case 4:
      leg?.report({ type: 'refer-progress', status: roll.pick([100, 180, 200, 503]), reason: '' });
      return;
    case 5:
      leg?.report({ type: 'audio-changed', audio: AUDIO });
      return;
    case 6:
    case 7:
    case 8:
      if (stage.shard.hasAudio())
        await stage.says(roll.pick(['yes', 'a person please', 'goodbye', '']), 0, roll.chance(0.8));
      return;
    case 9:
      if (stage.shard.hasAudio()) await stage.keys(roll.pick(['9', '12#', '9175551234#', '0']));
      return;
    case 10:
      if (stage.shard.hasAudio()) await stage.wants({ kind: 'idle', count: 1, last: roll.chance(0.3) });
      return;
    case 11:
      roll.pick([() => {}, () => {}, () => {}, () => stage.conductor.requestEnd(), () => stage.conductor.shutdown()])();
      return;
    default:
      if (stage.shard.hasAudio()) await stage.reports(roll.pick(events));
  }
}

test('in a storm each call ends exactly once and leaves no timer, leg or socket', async () => {
  const ends = new Map<string, number>();
  for (let seed = 1; seed <= CALLS; seed++) {
    const roll = dice(seed);
    const stage = new CallStage(stormOptions(roll));
    await stage.start();
    for (let step = 0; step < 25; step++) {
      await happen(stage, roll);
      if (roll.chance(0.2)) stage.clock.stepWall(roll.pick([-600_000, 86_400_000]));
      await stage.run(roll.pick([0, 20, 400, 2_500]));
    }
    stage.conductor.requestEnd();
    await stage.run(40_000);
    const context = `seed ${seed}\n${stage.timeline()}`;
    assert.equal(stage.of('endCall').length, 1, `one end is written: ${context}`);
    assert.equal(stage.ended.length, 1, `one end is reported: ${context}`);
    assert.equal(stage.clock.pending, 0, `every timer is gone: ${context}`);
    assert.equal(stage.leg === null || stage.leg.isOver, true, `the line is hung up: ${context}`);
    for (const person of stage.legs) assert.ok(person.isOver, `the person is hung up: ${context}`);
    assert.deepEqual(stage.shard.openAudio, [], `audio is closed: ${context}`);
    const order = stage.writes.filter(({ operation }) => operation !== 'appendFeed').map(({ operation }) => operation);
    if (order[0] === 'createInboundCall') assert.ok(order.indexOf('createInboundCall') < order.indexOf('endCall'));
    assert.equal(order.at(-1), 'endCall', `nothing is written after the end: ${context}`);
    const [end] = stage.of('endCall');
    const [answer] = stage.of('markAnswered');
    if (answer) assert.ok(Number(end?.endedAtMs) - Number(answer.nowMs) <= 25 * 3_000 + 45_000, `duration: ${context}`);
    assert.ok(!answer || Number(end?.endedAtMs) >= Number(answer.nowMs), `no negative duration: ${context}`);
    const outcome = `${stage.ended[0]?.status} ${stage.ended[0]?.outcome}`;
    ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
  }
  assert.ok(ends.size >= 8, `the storm reaches many ends: ${[...ends.keys()].join(', ')}`);
});
