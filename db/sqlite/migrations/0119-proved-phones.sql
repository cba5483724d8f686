-- Whether the phone number of an appointment is the one that called or wrote when it was booked. Numbers that models spelled
-- with blanks and marks are compared with others letter by letter: they lose them.
alter table appointments add column phone_proved integer not null default 0 check (phone_proved in (0, 1));
update appointments set phone = replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', '')
  where phone like '+%';
update appointments set phone_proved = 1
  where exists (
    select 1 from calls
    where calls.id = appointments.call_id and calls.account_id = appointments.account_id
      and appointments.phone = case calls.direction when 'inbound' then calls.from_number else calls.to_number end)
  or exists (
    select 1 from conversations
    where conversations.id = appointments.conversation_id and conversations.account_id = appointments.account_id
      and conversations.person_number = appointments.phone);
