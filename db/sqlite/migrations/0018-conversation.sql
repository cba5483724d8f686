-- How an agent leads a conversation: the settings that were chosen, as JSON; what is absent has its default.
alter table agents add column conversation text not null default '{}';

-- Whether the business has chosen its silence threshold: no turn then ends sooner. Until now only another value than the
-- default shows it.
alter table businesses add column silence_threshold_chosen integer not null default 0 check (silence_threshold_chosen in (0, 1));
update businesses set silence_threshold_chosen = 1 where silence_threshold_ms <> 600;
