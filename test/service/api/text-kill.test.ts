// The API process is killed while a carrier is asked to send a text, as it is started by users: whether the carrier had
// sent it by then or not, the next start sees to it that the person gets it once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { endApiProcess, startApiProcess } from '../../support/api/api-process.ts';
import { FakeCarriers } from '../../support/carriers/fake-carrier.ts';
import { FakeTwilio, TWILIO_KEY } from '../../support/carriers/fake-twilio.ts';
import { nightly } from '../../support/nightly.ts';

const OWN = '+14155550123';
const PERSON = '+14155550177';
const SEND = 'POST api.twilio.com/2010-04-01/Accounts/:account/Messages.json';

for (const kind of ['silent', 'silent-after'] as const) {
  test(`killed ${kind === 'silent' ? 'before' : 'after'} the carrier has sent it, the person gets it once`, {
    skip: kind === 'silent' && nightly,
  }, async () => {
    const twilio = new FakeTwilio();
    const http = await FakeCarriers.start(twilio.routes, new Map(twilio.authorizations));
    const dataDir = temporaryFolder('voice-text-kill');
    const start = () =>
      startApiProcess(dataDir, {
        ...{ CARRIER_API_BASE: http.url, EXTERNAL_IP: '203.0.113.20', DEMO: '1' },
        ...{ PUBLIC_URL: 'https://voice.example.com', RATE_LIMIT_PER_MINUTE: '1000000' },
      });
    let running = await start();
    const must = async (method: string, path: string, body?: unknown) => {
      const answer = await running.ask(method, path, body);
      const { data, error } = (await answer.json()) as { data: Record<string, unknown>; error?: string };
      assert.ok(answer.status < 300, `${path}: ${error}`);
      return data as Record<string, string> & Array<Record<string, string>>;
    };
    const carrier = await must('POST', '/admin/carriers', TWILIO_KEY);
    await must('POST', `/admin/carriers/${carrier.id}/trunk`, {});
    const campaignId = (await must('GET', '/campaigns'))[0]?.id;
    twilio.forSale.set(OWN, { kind: 'Local', country: 'US' });
    await must('GET', '/phone-numbers/search?country=US');
    await must('POST', '/phone-numbers/purchase', { phoneNumber: OWN, campaignId });
    const { id } = await must('POST', '/conversations', { campaignId, to: PERSON });
    http.planned = [{ route: SEND, kind }];
    await must('POST', `/conversations/${id}/messages`, { text: 'Your table is free now.' });
    await eventually(async () => http.planned.length === 0);
    await endApiProcess(running, 'SIGKILL');
    running = await start();
    await eventually(async () => {
      const [message] = await must('GET', `/conversations/${id}/messages`);
      return message?.status === 'sent';
    });
    assert.deepEqual(
      [...twilio.messages.values()].map(({ body, to }) => [body, to]),
      [['Your table is free now.', PERSON]],
    );
    await endApiProcess(running, 'SIGTERM');
    await http.close();
    assert.deepEqual(http.faults, []);
  });
}
