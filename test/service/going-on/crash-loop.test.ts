// A call that kills its engine: it goes on once, is ended the second time, and takes no other call with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted } from '../../support/conversation.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService(
  { LLM: `module:${fileURLToPath(new URL('../../../bench/rig/fakes/deadly-llm.ts', import.meta.url))}` },
  { prepare: () => greetBriefly(rest) },
);

test('the call that kills its engine twice is ended, and no other', async () => {
  const bystander = await greeted(service);
  const deadly = await greeted(service, { from: '+15550190666' });
  const question = await renderSpeech('What are your opening hours?', 'flite-slt');
  const enginesSeen = () => service.output().split('engine up').length;
  const engines = enginesSeen();
  void deadly.caller.call.speak(question);
  await rest.eventually('the second engine', async () => enginesSeen() > engines);
  await deadly.caller.until('the line is back', () => isBack(deadly.caller.frames), 30_000);
  assert.equal(deadly.caller.ended, false);
  void deadly.caller.call.speak(question);
  await deadly.caller.until('its end', () => deadly.caller.ended, 30_000);
  // Its telephone is hung up on first, and then its end is written.
  const read = async () => (await rest.callsFrom('+15550190666'))[0];
  await rest.eventually('its end in the record', async () => (await read())?.status !== 'IN_PROGRESS');
  const ended = await read();
  assert.deepEqual([ended?.status, ended?.endReason], ['FAILED', 'crash']);
  assert.equal(bystander.caller.ended, false);
  await bystander.caller.hangUp();
  const call = await rest.endedCall(bystander.number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
});

/** There was a hole, and packets come again. */
function isBack(frames: ReadonlyArray<{ atMs: number }>): boolean {
  return frames.some(({ atMs }, at) => at > 0 && atMs - (frames[at - 1]?.atMs ?? atMs) > 500);
}
