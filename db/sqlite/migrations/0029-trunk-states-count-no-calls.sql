-- Nothing counted them: a trunk's calls under way are those of `calls` that have not ended.
alter table trunk_states drop column active_calls;
