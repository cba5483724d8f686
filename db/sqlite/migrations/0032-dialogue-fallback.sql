-- Who answers a turn in which the language model fails: `receptionist` or `message`; null: as the business's content says
-- (db/domain/dialogue-fallback.ts).
alter table businesses add column dialogue_fallback text check (dialogue_fallback in ('receptionist', 'message'));
