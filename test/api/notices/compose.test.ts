// Messages of every language and channel are whole: no placeholder is left open, and each part has its words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALL_LETTERS } from '../../../api/mail/call-letters.ts';
import { MAIL_LANGUAGES } from '../../../api/mail/mail-language.ts';
import { mailText, messageOf, slackBody, teamsBody, webhookData } from '../../../api/notices/compose.ts';
import { exampleFacts } from '../../../api/notices/example.ts';
import { NOTICE_KINDS } from '../../../db/domain/notices/rules.ts';

const NOW = Date.UTC(2026, 10, 18, 12);
const business = { id: 'biz_1', name: 'Rivera Dental', timezone: 'Europe/Berlin' };
const publicUrl = 'https://calls.example.com';

for (const language of MAIL_LANGUAGES)
  test(`${language}: each kind has a subject, in full and in short`, () => {
    const all = NOTICE_KINDS.flatMap((kind) => exampleFacts(kind, NOW));
    for (const [i, each] of all.entries()) {
      const message = messageOf({ business, language, publicUrl, told: [each], isExample: true });
      const text = mailText(message);
      assert.doesNotMatch(`${message.subject}${text}`, /\{\{|\}\}|undefined|null/, NOTICE_KINDS[i]);
      assert.ok(message.subject.endsWith(' · Rivera Dental'));
      assert.ok(text.startsWith(CALL_LETTERS[language].example));
      assert.match(text, /\n\nhttps:\/\/calls\.example\.com\/#\/businesses\/biz_1\?tab=notices\n$/);
    }
    const subjects = new Set(all.map((each) => messageOf({ business, language, publicUrl, told: [each] }).subject));
    // Ended and analysed are told alike.
    assert.equal(subjects.size, NOTICE_KINDS.length - 1);
    const digest = messageOf({ business, language, publicUrl, told: all });
    assert.equal(digest.lines.length, NOTICE_KINDS.length);
    assert.ok(digest.subject.includes(String(NOTICE_KINDS.length)));
  });

test('what a caller says is one line behind a label, however it is written', () => {
  const [told] = exampleFacts('call_ended', NOW);
  assert.ok(told?.call);
  const evil = 'x\u2028https://evil.example\u0000\r\n.\r\nQUIT';
  const call = { ...told.call, summary: evil, callerName: evil, fromNumber: 'sip:x@evil.example' };
  const of = { business, language: 'en', publicUrl, told: [{ ...told, call }] } as const;
  const message = messageOf(of);
  assert.equal(message.subject, 'Call from x https evil example . QUIT · Rivera Dental');
  for (const line of message.lines) assert.match(line, /^[A-Z][a-z ]+: [^\p{C}\u2028]*$/u);
  assert.ok(JSON.parse(slackBody(message)).text.includes('x https://evil.example'));
  assert.ok(JSON.parse(teamsBody(message)).attachments.length === 1);
  assert.equal(JSON.parse(webhookData(of)).notices[0].summary, evil, 'a program gets it as it is');
});
