// How SQLite reads contacts: by an index of its own for each question, whatever the campaign's size, and never by
// sorting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryPlans } from '../../../support/api/query-plan.ts';

const plan = queryPlans();

const numbers = (count: number): string => Array(count).fill('?').join();

test('numbers of an import are looked up one by one, however many', () => {
  for (const count of [1, 10, 250]) {
    assert.match(
      plan(`select id from contacts where account_id = ? and phone_number in (${numbers(count)}) and campaign_id = ?`),
      /contacts_number \(account_id=\? AND phone_number=\? AND campaign_id=\?\)/,
    );
  }
});

test('a number is found in its campaign, and in all campaigns of its account', () => {
  assert.match(
    plan('select * from contacts where campaign_id = ? and phone_number = ? and account_id = ?'),
    /contacts_number \(account_id=\? AND phone_number=\? AND campaign_id=\?\)/,
  );
  assert.match(
    plan(`select * from contacts where account_id = ? and phone_number = ? and status <> 'DO_NOT_CALL'`),
    /contacts_number \(account_id=\? AND phone_number=\?\)/,
  );
});

test('pages are read in order, with a status and without', () => {
  const page = (where: string) =>
    plan(`select * from contacts where account_id = ? and campaign_id = ?${where}
      order by created_at desc, id desc limit ? offset ?`);
  assert.equal(page(''), 'SEARCH contacts USING INDEX contacts_list (account_id=? AND campaign_id=?)');
  assert.equal(
    page(' and status = ?'),
    'SEARCH contacts USING INDEX contacts_status (account_id=? AND campaign_id=? AND status=?)',
  );
  assert.equal(
    page(' and status = ? and created_at <= ?'),
    'SEARCH contacts USING INDEX contacts_status (account_id=? AND campaign_id=? AND status=? AND created_at<?)',
  );
  assert.equal(
    page(' and created_at <= ?'),
    'SEARCH contacts USING INDEX contacts_list (account_id=? AND campaign_id=? AND created_at<?)',
  );
});

test('due contacts come in the order of the dialler', () => {
  const due = (where: string) =>
    plan(`select contacts.id, do_not_call.id from contacts left join do_not_call on do_not_call.phone_number = contacts.phone_number
        and do_not_call.account_id = ? where contacts.campaign_id = ? and contacts.status = ? and ${where} limit ?`);
  const listed = 'SEARCH do_not_call USING INDEX do_not_call_number (account_id=? AND phone_number=?) LEFT-JOIN';
  assert.equal(
    due('contacts.next_attempt_at <= ? order by contacts.next_attempt_at').replace('COVERING INDEX do', 'INDEX do'),
    `SEARCH contacts USING INDEX contacts_due (campaign_id=? AND status=? AND next_attempt_at<?); ${listed}`,
  );
  assert.equal(
    due('contacts.next_attempt_at is null').replace('COVERING INDEX do', 'INDEX do'),
    `SEARCH contacts USING INDEX contacts_due (campaign_id=? AND status=? AND next_attempt_at=?); ${listed}`,
  );
});

test('open calls are read by an index that holds no others', () => {
  assert.match(
    plan('select trunk_id, campaign_id, contact_id from calls where ended_at is null'),
    /calls_(live|open)$/,
  );
});

test('listed contacts are counted from the shorter list', () => {
  const byList = plan(`select count(contacts.id) from do_not_call
    left join contacts on contacts.account_id = ? and contacts.phone_number = do_not_call.phone_number
      and contacts.campaign_id = ? and contacts.status = 'PENDING' where do_not_call.account_id = ?`);
  assert.match(
    byList,
    /^SEARCH do_not_call .*contacts_number \(account_id=\? AND phone_number=\? AND campaign_id=\?\)/,
  );
  const byCampaign = plan(`select count(do_not_call.id) from contacts
    left join do_not_call on do_not_call.account_id = ? and do_not_call.phone_number = contacts.phone_number
    where contacts.campaign_id = ? and contacts.status = 'PENDING' and contacts.account_id = ?`);
  assert.match(
    byCampaign,
    /^SEARCH contacts USING INDEX contacts_.*do_not_call_number \(account_id=\? AND phone_number=\?\)/,
  );
});
