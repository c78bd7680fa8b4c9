-- kiln: additive
-- Runs that ended without a word: their worker died or was cut off. A job that keeps taking workers down is ended.
alter table jobs add column lost_leases integer not null default 0;
