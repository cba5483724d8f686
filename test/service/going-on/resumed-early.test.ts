// The engine is killed with -9, and the next one takes long to load its recogniser: callers have their line and the
// agent's word before that, and are understood after it.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { useService } from '../../support/use-service.ts';

const gate = join(temporaryFolder('voice-gate-'), 'closed');
const recogniser = fileURLToPath(new URL('../../support/models/engines/gated-stt.ts', import.meta.url));
const { service, rest } = useService({ STT: `module:${recogniser}`, FAKE_STT_GATE: gate }, { skip: nightly });

test('a call has its line and the apology back before the recogniser is loaded, which then hears the caller', {
  skip: nightly,
}, async () => {
  const { caller, number } = await greeted(service);
  writeFileSync(gate, '');
  const before = caller.frames.length;
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  try {
    await caller.until('the line is back', () => caller.frames.length > before + 10, 30_000);
    await caller.agentSound(caller.frames[before - 1]?.atMs ?? 0);
  } finally {
    rmSync(gate);
  }
  await caller.agentQuiet(900);
  await say(caller, await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  const said = call.transcript.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text);
  assert.equal(said.length, 1, `the caller was heard once: ${said.join(' | ')}`);
});
