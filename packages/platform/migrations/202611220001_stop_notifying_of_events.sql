-- kiln: additive
-- Processes ring for their own relay. NOTIFY woke every listener in the database for every commit of any service, and let
-- those commits wait for each other. Relays of the release before hear of events by their poll, every two seconds.

drop trigger outbox_wake_up on outbox;
drop function notify_outbox();
