// Messages of every language and channel are whole: no placeholder is left open, and each part has its words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CALL_LETTERS } from '../../../api/mail/call-letters.ts';
import { MAIL_LANGUAGES } from '../../../api/mail/mail-language.ts';
import { composeMessage, mailText, slackBody, teamsBody, webhookData } from '../../../api/notices/compose.ts';
import { exampleFacts } from '../../../api/notices/example.ts';
import { ALERT_KIND, NOTICE_KINDS } from '../../../db/domain/notices/rules.ts';

const KINDS = [...NOTICE_KINDS, ALERT_KIND] as const;
const NOW = Date.UTC(2026, 10, 18, 12);
const business = { id: 'biz_1', name: 'Rivera Dental', timezone: 'Europe/Berlin' };
const publicUrl = 'https://calls.example.com';
const settingsAt = '/businesses/biz_1?tab=notices';

for (const language of MAIL_LANGUAGES)
  test(`${language}: each kind has a subject, in full and in short`, () => {
    const all = KINDS.flatMap((kind) => exampleFacts(kind, NOW));
    for (const [i, each] of all.entries()) {
      const message = composeMessage({ business, settingsAt, language, publicUrl, told: [each], isExample: true });
      const text = mailText(message);
      assert.doesNotMatch(`${message.subject}${text}`, /\{\{|\}\}|undefined|null/, KINDS[i]);
      assert.ok(message.subject.endsWith(' · Rivera Dental'));
      assert.ok(text.startsWith(CALL_LETTERS[language].example));
      assert.match(text, /\n\nhttps:\/\/calls\.example\.com\/#\/businesses\/biz_1\?tab=notices\n$/);
    }
    const subjects = new Set(
      all.map((each) => composeMessage({ business, settingsAt, language, publicUrl, told: [each] }).subject),
    );
    // Ended and analysed are told alike.
    assert.equal(subjects.size, KINDS.length - 1);
    const digest = composeMessage({ business, settingsAt, language, publicUrl, told: all });
    assert.equal(digest.lines.length, KINDS.length);
    assert.ok(digest.subject.includes(String(KINDS.length)));
  });

test('what a caller says is one line behind a label, however it is written', () => {
  const [told] = exampleFacts('call_ended', NOW);
  assert.ok(told?.call);
  const evil = 'x\u2028https://evil.example\u0000\r\n.\r\nQUIT';
  const call = { ...told.call, summary: evil, callerName: evil, fromNumber: 'sip:x@evil.example' };
  const of = { business, settingsAt, language: 'en', publicUrl, told: [{ ...told, call }] } as const;
  const message = composeMessage(of);
  assert.equal(message.subject, 'Call from x https evil example . QUIT · Rivera Dental');
  for (const line of message.lines) assert.match(line, /^[A-Z][a-z ]+: [^\p{C}\u2028]*$/u);
  assert.ok(JSON.parse(slackBody(message)).text.includes('x https://evil.example'));
  assert.ok(JSON.parse(teamsBody(message)).attachments.length === 1);
  assert.equal(JSON.parse(webhookData(of)).notices[0].summary, evil, 'a program gets it as it is');
});

test('an alert is told with its figure, its limit and its rule, and that it is over', () => {
  const [told] = exampleFacts(ALERT_KIND, NOW);
  assert.ok(told?.alert);
  const of = { business: { ...business, id: null }, settingsAt: '/alerts/alr_1', language: 'de', publicUrl } as const;
  const fires = composeMessage({ ...of, told: [told] });
  assert.equal(fires.subject, 'Alarm: Anteil der gescheiterten Anrufe · Rivera Dental');
  assert.deepEqual(fires.lines, [
    'Regel: Failed calls',
    'Wann: 18.11.2026, 13:00',
    'Wert: Anteil der gescheiterten Anrufe, 34\u00a0% (41 Anrufe in 60 Minuten)',
    'Gemeldet bei: mehr als 20\u00a0%',
  ]);
  assert.deepEqual(
    fires.links.map(({ url }) => url),
    ['https://calls.example.com/#/alerts/alr_1'],
  );
  const over = composeMessage({ ...of, told: [{ ...told, alert: { ...told.alert, isOver: true, value: null } }] });
  assert.equal(over.subject, 'Vorbei: Anteil der gescheiterten Anrufe · Rivera Dental');
  assert.ok(over.lines.some((line) => line.endsWith('zu wenige Anrufe')));
  const { alert, businessId } = { ...JSON.parse(webhookData({ ...of, told: [told] })).notices[0], businessId: null };
  assert.deepEqual([alert.threshold, alert.value, alert.isOver, businessId], [0.2, 0.34, false, null]);
});
