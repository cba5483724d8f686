-- A call whose caller the agent left without an answer (outcome `agent_failed`) is no success of its campaign. No call had this
-- outcome before, so the totals are right as they stand.
drop trigger campaign_totals_insert;
drop trigger campaign_totals_delete;
drop trigger campaign_totals_update;

create trigger campaign_totals_insert after insert on calls begin
  insert into campaign_totals (campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds)
  values (new.campaign_id, new.account_id, 1,
    new.status = 'COMPLETED',
    new.status = 'COMPLETED' and coalesce(new.outcome, '') not in ('hung_up', 'agent_failed'),
    new.status = 'FAILED',
    new.status = 'VOICEMAIL',
    new.answered_at is not null and new.ended_at is not null,
    case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end)
  on conflict (campaign_id) do update set
    calls = calls + 1,
    completed = completed + excluded.completed,
    successful = successful + excluded.successful,
    failed = failed + excluded.failed,
    voicemails = voicemails + excluded.voicemails,
    answered = answered + excluded.answered,
    answered_seconds = answered_seconds + excluded.answered_seconds;
end;

create trigger campaign_totals_delete after delete on calls begin
  update campaign_totals set
    calls = calls - 1,
    completed = completed - (old.status = 'COMPLETED'),
    successful = successful
      - (old.status = 'COMPLETED' and coalesce(old.outcome, '') not in ('hung_up', 'agent_failed')),
    failed = failed - (old.status = 'FAILED'),
    voicemails = voicemails - (old.status = 'VOICEMAIL'),
    answered = answered - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where campaign_id = old.campaign_id;
end;

create trigger campaign_totals_update
after update of status, outcome, answered_at, ended_at, duration_seconds on calls
begin
  update campaign_totals set
    completed = completed + (new.status = 'COMPLETED') - (old.status = 'COMPLETED'),
    successful = successful
      + (new.status = 'COMPLETED' and coalesce(new.outcome, '') not in ('hung_up', 'agent_failed'))
      - (old.status = 'COMPLETED' and coalesce(old.outcome, '') not in ('hung_up', 'agent_failed')),
    failed = failed + (new.status = 'FAILED') - (old.status = 'FAILED'),
    voicemails = voicemails + (new.status = 'VOICEMAIL') - (old.status = 'VOICEMAIL'),
    answered = answered + (new.answered_at is not null and new.ended_at is not null)
      - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      + case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where campaign_id = new.campaign_id;
end;
