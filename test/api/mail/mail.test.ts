// Mails survive what they meet on their way: a mail server that is down, a refusal; and leave no secret behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail, MailTransport } from '../../../api/mail/mail.ts';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';

const PASSWORD = 'correct horse battery';

/** Fails as `fault` says, else keeps the mail. */
function faultyTransport() {
  const state = { sent: [] as Mail[], tries: 0, fault: null as { code: string; responseCode?: number } | null };
  const transport: MailTransport = {
    isLocal: true,
    async send(_id, mail) {
      state.tries++;
      if (state.fault !== null) throw Object.assign(new Error('no'), state.fault);
      state.sent.push(mail);
    },
  };
  return { state, transport };
}

async function withFaults(work: (api: TestApi, state: ReturnType<typeof faultyTransport>['state']) => Promise<void>) {
  const { state, transport } = faultyTransport();
  const api = await startApi({ mailTransport: transport });
  try {
    await work(api, state);
  } finally {
    await api.close();
  }
}

const mailsOf = (api: TestApi) => api.context.read.selectFrom('mails').selectAll().execute();
const register = async (api: TestApi, email: string) =>
  assert.equal((await api.ask('POST', '/auth/register', { email, password: PASSWORD })).status, 201);

test('a mail that fails is tried again with growing delays, and deleted when it is sent', async () => {
  await withFaults(async (api, state) => {
    state.fault = { code: 'ECONNECTION' };
    await register(api, 'ada@example.com');
    assert.equal(state.tries, 1);
    for (const [tries, delayMs] of [1_000, 5_000, 30_000].entries()) {
      api.clock.advance(delayMs - 1);
      await api.context.mail.wake();
      assert.equal(state.tries, tries + 1);
      api.clock.advance(1);
      await api.context.mail.wake();
      assert.equal(state.tries, tries + 2);
    }
    state.fault = null;
    // A clock that is set back by a day does not hold it back.
    api.clock.advance(-86_400_000);
    await api.context.mail.wake();
    assert.equal(state.sent.length, 1);
    assert.deepEqual(await mailsOf(api), []);
  });
});

test('a mail is given up when what it carries has expired, or its recipient is refused', async () => {
  await withFaults(async (api, state) => {
    state.fault = { code: 'ECONNECTION' };
    await register(api, 'ada@example.com');
    await api.ask('POST', '/auth/forgot-password', { email: 'ada@example.com' });
    assert.equal((await mailsOf(api)).length, 2);
    api.clock.advance(15 * 60_000);
    state.fault = null;
    await api.context.mail.wake();
    assert.deepEqual(
      state.sent.map(({ subject }) => subject),
      ['Verify your e-mail address'],
      'the code of the other is of no use any more',
    );
    assert.deepEqual(await mailsOf(api), []);
    state.fault = { code: 'EENVELOPE', responseCode: 550 };
    await register(api, 'nobody@example.com');
    assert.deepEqual(await mailsOf(api), []);
    assert.ok(api.logs.some((line) => line.includes('refuses its recipient')));
  });
});

test('one recipient that is put off does not hold up the others', async () => {
  await withFaults(async (api, state) => {
    state.fault = { code: 'EENVELOPE', responseCode: 450 };
    await register(api, 'grey@example.com');
    state.fault = null;
    await register(api, 'ada@example.com');
    assert.deepEqual(
      state.sent.map(({ to }) => to),
      ['ada@example.com'],
    );
    assert.equal((await mailsOf(api)).length, 1);
  });
});

test('what is rolled back sends no mail', async () => {
  await withFaults(async (api, state) => {
    const { db, mail } = api.context;
    const rolledBack = db.transaction().execute(async (tx) => {
      await mail.post(tx, { to: 'x@example.com', subject: 'x', text: 'x' });
      throw new Error('rolled back');
    });
    await assert.rejects(rolledBack, /rolled back/);
    await mail.wake();
    assert.equal(state.tries, 0);
  });
});
