-- Kamailio takes requests of who is not in its list for a stranger's. So an engine stands in the view from the moment at
-- which it can send, with the flag 4 until it takes calls; and for 20 s after its end, in which the next one of the same
-- address sends its first requests (engine/cluster/edge.ts).
create or replace view kamailio_dispatcher as
  select row_number() over (order by destination)::int as id, 1 as setid, destination, flags, 0 as priority,
    ('rweight=' || greatest(1, (100 * room / greatest(1, max(room) over ()))))::varchar as attrs, description
  from (
    select distinct on (sip_uri) sip_uri::varchar as destination,
      case when state = 'up' and telephony_up = 1 and heartbeat_at > now_ms - 10000 then 0 else 4 end as flags,
      greatest(0, max_calls - active_calls) as room, hostname::varchar as description
    from engines, (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as clock
    where sip_uri is not null and (state not in ('stopped', 'dead') or heartbeat_at > now_ms - 20000)
    -- One that runs before one that has ended, whose clock may have been ahead.
    order by sip_uri, state in ('stopped', 'dead'), heartbeat_at desc
  ) as known;
