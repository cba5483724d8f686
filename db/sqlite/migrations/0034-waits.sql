-- Turns whose first words were no answer, and the longest of these waits: {"count": 2, "longestMs": 8400}; null without one.
alter table calls add column waits text;
