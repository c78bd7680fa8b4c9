-- kiln: additive
-- What `attempts` was when the job was last retried by a caller: the limit on runs begins anew, the count goes on.
alter table jobs add column attempts_before_retry integer not null default 0;
