-- The Path of a softphone's REGISTER (RFC 3327), as header text: the way back through the proxy in front of the engines.
alter table sip_bindings add column path text;

-- What Kamailio's dispatcher reads (docs/cluster.md). Engines that take no calls now have the flag 4: Kamailio sends them
-- nothing new, and still knows their requests, and the requests inside calls that they have. `rweight` is their room.
drop view kamailio_dispatcher;
create view kamailio_dispatcher as
  select row_number() over (order by destination)::int as id, 1 as setid, destination, flags, 0 as priority,
    ('rweight=' || greatest(1, (100 * room / greatest(1, max(room) over ()))))::varchar as attrs, description
  from (
    select distinct on (sip_uri) sip_uri::varchar as destination,
      case when state = 'up' and telephony_up = 1
        and heartbeat_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - 10000
        then 0 else 4 end as flags,
      greatest(0, max_calls - active_calls) as room, hostname::varchar as description
    from engines
    where state not in ('stopped', 'dead') and sip_uri is not null
    order by sip_uri, heartbeat_at desc
  ) as known;

-- Kamailio asks which layout a table has before it reads it.
create view kamailio_version as select 'kamailio_dispatcher'::varchar as table_name, 4 as table_version;
