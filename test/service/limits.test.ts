// Past MAX_CALLS: a new call gets a Retry-After and leaves nothing; the API says the same; running calls continue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCaller } from '../support/conversation.ts';
import { missingPeer, runPeer } from '../support/sip/peers.ts';
import { useService } from '../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '1' });

test('MAX_CALLS stands, and what the machine would carry is said beside it', async () => {
  const { calls } = (await rest.request('GET', '/admin/status')).body.data;
  const limit = calls?.limit;
  assert.deepEqual([calls?.max, limit?.reason], [1, 'set']);
  assert.ok(limit && limit.tts.factor > 0 && limit.carries >= 1);
  assert.match(
    limit.message,
    /^MAX_CALLS is set; without it: \d+ calls? at a time from \d+ cores?; soundswallower takes /,
  );
});

test('a call past the limit is 503 with Retry-After and leaves no call', { skip: missingPeer('sipp') }, async () => {
  const { caller, number } = testCaller(service);
  await caller.answered();
  const { code, output } = await runPeer(
    'sipp',
    [
      service.sipAddress,
      '-i',
      '127.0.0.1',
      '-nostdin',
      '-m',
      '1',
      '-timeout',
      '20',
      '-s',
      'demo',
      '-sf',
      'test/fixtures/sipp/no-room.xml',
    ],
    { timeoutMs: 30_000 },
  );
  assert.equal(code, 0, output.slice(-1_500));
  const { body: campaigns } = await rest.request('GET', '/campaigns');
  await rest.eventually('the API knows that it is full', async () => {
    const answer = await rest.request('POST', '/calls/web', { campaignId: campaigns.data[0]?.id });
    return answer.status === 503;
  });
  await caller.hangUp();
  await rest.endedCall(number);
  assert.deepEqual(await rest.callsFrom('+15550197778'), []);

  const again = testCaller(service);
  await again.caller.answered();
  await again.caller.hangUp();
});
