// The owner of a business is told by mail of a call over real SIP: with its summary, and the address of its page.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../support/conversation.ts';
import { useService } from '../support/use-service.ts';

const question = await renderSpeech('What are your opening hours?', 'flite-slt');
const PUBLIC_URL = 'https://calls.example.com';
const { service, rest } = useService({ LLM: 'receptionist', PUBLIC_URL });

/** Soft line breaks and encoded characters of a mail are undone. */
const readable = (mail: string): string =>
  mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

test('a call is a mail with summary and link, a second after its end, and stands in the log', async () => {
  const [business] = await rest.must('GET', '/businesses');
  const notify = [{ on: 'call_ended', by: 'mail', to: 'owner@example.com' }];
  await rest.must('PATCH', `/businesses/${business?.id}`, { notify });
  const { caller, number } = await greeted(service);
  await say(caller, question);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.ok(call.summary);
  const outbox = join(service.dataDir, 'outbox');
  const mail = await rest.eventually('the mail', async () => {
    const files = existsSync(outbox) ? readdirSync(outbox).filter((name) => name.endsWith('.eml')) : [];
    return files
      .map((name) => readable(readFileSync(join(outbox, name), 'utf8')))
      .find((text) => text.includes(call.id));
  });
  assert.match(mail, /^To: owner@example\.com\r$/m);
  assert.ok(mail.includes(number), mail);
  assert.ok(mail.includes(call.summary.slice(0, 40)), mail);
  assert.ok(mail.includes(`${PUBLIC_URL}/#/calls/${call.id}`), mail);
  const [message] = await rest.must('GET', `/businesses/${business?.id}/notices`);
  assert.deepEqual([message?.status, message?.on], ['sent', ['call_ended']]);
});
