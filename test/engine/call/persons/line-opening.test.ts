// The lines beside the caller's hear as the caller's own does: they take the recogniser's blocks and the service's
// noise suppression, and a person who is asked is understood after a move as before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConductorDeps } from '../../../../engine/call/context.ts';
import type { MovedPerson } from '../../../../engine/call/going-on/moved.ts';
import { openMovedPerson } from '../../../../engine/call/persons/moved-person.ts';
import type { OpenCall } from '../../../../engine/shard/protocol.ts';
import { CallStage } from '../stage.ts';
import { AUDIO } from '../stage-leg.ts';
import { setupOf } from '../stage-setup.ts';

const recogniser = { patienceMs: 1_500, blockMs: 200, hearsWords: false, denoise: true };

const heardBy = ({ sttBlockMs, denoise }: OpenCall) => ({ sttBlockMs, denoise });
const AS_THE_CALLER = { sttBlockMs: 200, denoise: true };

test('a supervisor is heard without the noise around them', async () => {
  const stage = new CallStage({ recogniser });
  await stage.start(8_000);
  void stage.conductor.controls.switchTo('lis_1', 'whisper');
  await stage.run(100);
  assert.deepEqual(heardBy(stage.audio('call_1').command), AS_THE_CALLER);
  assert.deepEqual(heardBy(stage.audio('call_1:supervisor').command), AS_THE_CALLER);
  await stage.hangsUp();
});

/** The command by which a person's line is opened on another machine. */
async function movedTo(isAsked: boolean): Promise<OpenCall> {
  const opened: OpenCall[] = [];
  const deps = {
    telephony: {},
    shards: {
      open(command: OpenCall, onEvent: (event: object) => void) {
        opened.push(command);
        queueMicrotask(() => onEvent({ type: 'opened', callId: command.callId, address: '127.0.0.1', port: 20_000 }));
      },
      send: () => true,
    },
    recogniser,
    llmTimeoutMs: 8_000,
  } as unknown as ConductorDeps;
  const leg = { audio: AUDIO } as MovedPerson['leg'];
  const person: MovedPerson = {
    ...{ leg, ringing: null, port: 30_000, trunkId: null, answeredAtMs: 1, beganAtMs: 1, lastEpoch: 2 },
    audioId: 'call_1:human:0:0',
  };
  const call = { id: 'call_1', callerName: null } as Parameters<typeof openMovedPerson>[1]['call'];
  await openMovedPerson(deps, { call, setup: setupOf({}), isAsked }, person);
  const [command] = opened;
  assert.ok(command);
  return command;
}

test('a person who was asked is heard on another machine as on the first', async () => {
  const { vocabulary, turn, ...command } = await movedTo(true);
  assert.deepEqual(heardBy(command as OpenCall), AS_THE_CALLER);
  assert.ok(vocabulary.phrases.includes('who is calling'), 'the words of a person who is asked');
  assert.equal(turn.guessing, false);
});

test('so is one who heard an announcement, in the words of the business alone', async () => {
  const { vocabulary, ...command } = await movedTo(false);
  assert.deepEqual(heardBy(command as OpenCall), AS_THE_CALLER);
  assert.ok(!vocabulary.phrases.includes('who is calling'));
});
