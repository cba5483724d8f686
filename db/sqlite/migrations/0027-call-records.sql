-- A call's record as lists give it, as JSON without its appointments: kept by a trigger, so that no writer can forget it and an
-- erasure cleans it. Null until the first change of a call, and of older calls until the API has added theirs; a reader
-- then writes it itself (db/queries/call-record-json.ts has the same expression).
alter table calls add column record_json text;

-- The last of the older calls without a record.
insert into cursors (name, value) select 'call-records', rowid from calls order by rowid desc limit 1;

create trigger call_records
after update of id, business_id, campaign_id, agent_id, phone_number_id, direction, from_number, to_number, caller_name,
  variables, metadata, status, outcome, end_reason, started_at, ended_at, duration_seconds, sentiment, summary, tags,
  transcript, latency, usage, fallbacks, sip_status, q850_cause, erased_at on calls
begin
  update calls set record_json = concat(
    '{"id":"', id,
    '","businessId":"', business_id,
    '","campaignId":"', campaign_id,
    '","agentId":"', agent_id,
    '","phoneNumberId":', json_quote(phone_number_id),
    ',"direction":"', direction,
    '","fromNumber":', json_quote(from_number),
    ',"toNumber":', json_quote(to_number),
    ',"callerName":', json_quote(caller_name),
    ',"variables":', variables,
    ',"metadata":', metadata,
    ',"status":"', status,
    '","outcome":', json_quote(outcome),
    ',"endReason":', json_quote(end_reason),
    ',"startedAt":"', date(started_at / 1000.0, 'unixepoch'), 'T', time(started_at / 1000.0, 'unixepoch', 'subsec'),
    'Z","endedAt":',
    coalesce('"' || date(ended_at / 1000.0, 'unixepoch') || 'T' || time(ended_at / 1000.0, 'unixepoch', 'subsec') || 'Z"', 'null'),
    ',"durationSeconds":', duration_seconds,
    ',"sentiment":', json_quote(sentiment),
    ',"summary":', json_quote(summary),
    ',"tags":', tags,
    ',"transcript":', transcript,
    ',"latency":', coalesce(latency, 'null'),
    ',"usage":', coalesce(usage, 'null'),
    ',"fallbacks":', fallbacks,
    ',"sipStatus":', coalesce(sip_status, 'null'),
    ',"q850Cause":', coalesce(q850_cause, 'null'),
    ',"appointments":[],"erasedAt":',
    coalesce('"' || date(erased_at / 1000.0, 'unixepoch') || 'T' || time(erased_at / 1000.0, 'unixepoch', 'subsec') || 'Z"', 'null'),
    '}')
  where rowid = new.rowid;
end;
