// The callee of the benchmark at the service's own calls: as a voicemail, for which a message is left after the beep,
// and as a person, who is talked to.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCallee } from '../../../bench/caller/callee.ts';
import { addCampaign, addTrunk } from '../../../bench/rig/service/outbound-setup.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { nightly } from '../../support/nightly.ts';
import { useService } from '../../support/use-service.ts';

const { rest } = useService({ LLM: 'receptionist' });
const MESSAGE = 'This is Willow Hair Studio. Your appointment is due. Please call us back when you have the time.';

/** One that was free a moment ago. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}

async function called(as: 'machine' | 'person', ownNumber: string) {
  const out = temporaryFolder('callee');
  const port = await freePort();
  const seconds = as === 'machine' ? '30' : '15';
  const done = runCallee([
    '--out',
    out,
    '--as',
    as,
    '--port',
    String(port),
    '--voice',
    'flite-slt',
    '--seconds',
    seconds,
  ]);
  const trunkId = await addTrunk(rest, port);
  const voicemail = { action: 'leave_message', message: MESSAGE };
  const { id: campaignId, numberId: fromPhoneNumberId } = await addCampaign(rest, trunkId, ownNumber, { voicemail });
  await rest.must('POST', '/calls', { campaignId, fromPhoneNumberId, toNumber: '+12025550177' });
  assert.equal(await done, 0);
  const [call] = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')).calls;
  assert.ok(readFileSync(join(out, 'report.md'), 'utf8').startsWith(`Answered as a ${as}: `));
  assert.ok(readFileSync(join(out, 'call-001.wav')).length > 100_000);
  return call;
}

test('a message is left after the beep of a voicemail', async () => {
  const call = await called('machine', '+12025550142');
  assert.equal(call.outcome, 'left a message', JSON.stringify(call));
  assert.ok(call.waitedMs !== null);
});

test('a person is talked to', { skip: nightly }, async () => {
  const call = await called('person', '+13125550142');
  assert.equal(call.outcome, 'talked on', JSON.stringify(call));
});
