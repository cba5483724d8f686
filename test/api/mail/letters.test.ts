// Mails as people get them: in their language, as text and as HTML, from an installation with a name.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACCOUNT_LETTERS } from '../../../api/mail/account-letters.ts';
import { filled, LETTERS, type Letter } from '../../../api/mail/letters.ts';
import { createMailTransport } from '../../../api/mail/mail.ts';
import { mailHtml } from '../../../api/mail/mail-html.ts';
import { acceptedLanguage, MAIL_LANGUAGES } from '../../../api/mail/mail-language.ts';
import { mailedCode, mailedToken, PASSWORD, registered } from '../../../bench/rig/api/sign-in.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const lastMail = (to: string) => api.mails.findLast((mail) => mail.to === to);

test('registration, invitation and reset are in the language that the browser asks for', async () => {
  const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' };
  const email = 'greta@example.com';
  await api.ask('POST', '/auth/register', { email, password: PASSWORD }, german);
  assert.equal(lastMail(email)?.subject, 'Bestätigen Sie Ihre E-Mail-Adresse');
  assert.ok(mailedToken(api, email));
  await api.ask('POST', '/auth/forgot-password', { email }, { 'accept-language': 'fr' });
  assert.match(lastMail(email)?.subject ?? '', /nouveau mot de passe/);
  assert.match(mailedCode(api, email), /^\d{6}$/);
  const guest = 'guest@example.com';
  await api.tenant.ask('POST', '/account/users', { email: guest }, { 'accept-language': 'nl' });
  assert.match(lastMail(guest)?.subject ?? '', /^Uitnodiging voor Tenant/);
});

test('a program that asks for no language gets that of the user, else English', async () => {
  const { email } = await registered(api);
  assert.equal(lastMail(email)?.subject, 'Verify your e-mail address');
  const spanish = 'lola@example.com';
  await api.ask('POST', '/auth/register', { email: spanish, password: PASSWORD }, { 'accept-language': 'es-MX' });
  await api.ask('POST', '/auth/forgot-password', { email: spanish });
  assert.match(lastMail(spanish)?.subject ?? '', /nueva contraseña/);
});

test('an order for a number that an ADMIN moves is told to the users of the account, each in their language', async () => {
  const phoneNumber = '+12125550188';
  const body = { phoneNumber, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
  const order = (await api.tenant.ask('POST', '/phone-numbers/port-in', body)).json.data;
  const { db } = api.context;
  await db.updateTable('users').set({ language: 'it' }).where('id', '=', api.tenant.userId).execute();
  await db.updateTable('portOrders').set({ status: 'SUBMITTED' }).where('id', '=', order.id).execute();
  const move = (patch: object) => api.admin.ask('PATCH', `/admin/port-orders/${order.id}`, patch);
  assert.equal((await move({ status: 'IN_REVIEW' })).status, 200);
  const { tenant } = api;
  assert.equal(lastMail(tenant.email)?.subject, `Il Suo numero ${phoneNumber}: in esame`);
  await move({ status: 'REJECTED', reason: 'The name differs from the bill' });
  assert.match(lastMail(tenant.email)?.text ?? '', /rifiutata\.\n\nMotivo: The name differs from the bill/);
  const count = api.mails.length;
  assert.equal((await move({ status: 'COMPLETED' })).status, 409);
  assert.equal(api.mails.length, count, 'what did not move sends nothing');
});

test('every letter of every language has its placeholders and nothing is left open', () => {
  const values = {
    url: 'https://x.example/?token=1',
    account: 'Ada',
    code: '123456',
    number: '+1',
    status: 's',
    details: '',
  };
  for (const language of MAIL_LANGUAGES) {
    const letters = LETTERS[language];
    for (const kind of ['verification', 'invitation', 'reset', 'port'] as const) {
      const needed = kind === 'reset' ? /^123456$/m : kind === 'port' ? /\+1/ : /^https:\/\/x\.example\/\?token=1$/m;
      const { subject, text } = filled(letters[kind], values);
      assert.match(text, needed, `${language} ${kind}`);
      assert.doesNotMatch(subject + text, /\{\{|\}\}/, `${language} ${kind}`);
    }
  }
});

test('every notice of every language has the placeholders of the English one', () => {
  const placeholders = (written: string | Letter): string[] => {
    const text = typeof written === 'string' ? written : written.subject + written.text;
    return [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();
  };
  for (const language of MAIL_LANGUAGES) {
    for (const [kind, written] of Object.entries(ACCOUNT_LETTERS[language])) {
      const english = ACCOUNT_LETTERS.en[kind as keyof typeof ACCOUNT_LETTERS.en];
      assert.deepEqual(placeholders(written), placeholders(english), `${language} ${kind}`);
    }
  }
});

test('a mail is text and HTML, with a link, and words of a stranger stay words', async () => {
  const dataDir = temporaryFolder('voice-mail');
  const from = '"Praxis Dr. Weiß" <phone@praxis.example>';
  const transport = createMailTransport({ smtpUrl: null, dataDir, from, domain: 'praxis.example' });
  const text = 'You are invited to "<img src=x>".\n\nhttps://praxis.example/accept-invite?a=1&b=2\n';
  await transport.send('mail_1', { to: 'ada@example.com', subject: 'Hello', text });
  const [file = ''] = readdirSync(join(dataDir, 'outbox'));
  const written = readFileSync(join(dataDir, 'outbox', file), 'utf8');
  assert.match(written, /multipart\/alternative/);
  assert.match(written, /text\/plain/);
  assert.match(written, /text\/html/);
  assert.match(written, /^Auto-Submitted: auto-generated\r$/m, 'no program answers it');
  const html = mailHtml({ text, language: 'de' }, 'Praxis Dr. Weiß');
  assert.match(html, /<html lang="de">/);
  assert.match(html, /Praxis Dr\. Weiß/);
  assert.match(html, /<a href="https:\/\/praxis\.example\/accept-invite\?a=1&amp;b=2"/);
  assert.doesNotMatch(html, /<img/);
});

test('the header for languages is read by weight, and what is none of ours is passed over', () => {
  for (const [header, language] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['pl, en;q=0.5, fr;q=0.7', 'fr'],
    ['pt-BR', 'pt'],
    ['en;q=0, it;q=0.1', 'it'],
    ['*', null],
    ['', null],
    [undefined, null],
  ] as const)
    assert.equal(acceptedLanguage(header), language, header);
});
