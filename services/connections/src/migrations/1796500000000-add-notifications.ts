import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table connections
  add column notification_type        text check (notification_type in ('sqs', 'pubsub', 'storage_queue')),
  add column notification_queue       text,
  add column notification_error_code  text,
  add column notification_error       text,
  add column notification_received_at timestamptz(3),
  add check ((notification_type is null) = (notification_queue is null)),
  add check ((notification_error_code is null) = (notification_error is null));

alter table node_uploads add column placed boolean not null default false;

create table queue_polls (
  tenant_id      uuid    not null,
  connection_id  uuid    not null,
  due_at         timestamptz default now(),
  lease          uuid,
  failures       integer not null default 0,
  empty_polls    integer not null default 0,
  counted_since  uuid,
  nodes_removed  bigint  not null default 0,
  nodes_added    bigint  not null default 0,
  sync_requested boolean not null default false,
  primary key (tenant_id, connection_id)
) with (fillfactor = 50);
create index queue_polls_due on queue_polls (tenant_id, due_at) where due_at is not null;

-- Triggers, so that every change of a connection that concerns its queue starts or stops the polls.
create function keep_queue_poll() returns trigger language plpgsql as $$
declare
  is_polled constant boolean := new.notification_queue is not null and not new.paused;
begin
  if new.deleted_at is not null then
    delete from queue_polls where tenant_id = new.tenant_id and connection_id = new.id;
  else
    insert into queue_polls (tenant_id, connection_id, due_at) values (new.tenant_id, new.id, case when is_polled then now() end)
    on conflict (tenant_id, connection_id) do update
      set due_at = excluded.due_at, lease = null, failures = 0, empty_polls = 0;
  end if;
  return null;
end
$$;
create trigger connections_poll_their_queues after insert on connections for each row
  when (new.notification_queue is not null) execute function keep_queue_poll();
create trigger connections_change_their_polls after update on connections for each row
  when ((old.notification_queue is not null or new.notification_queue is not null)
    and (old.notification_type, old.notification_queue, old.paused, old.version, old.deleted_at)
      is distinct from (new.notification_type, new.notification_queue, new.paused, new.version, new.deleted_at))
  execute function keep_queue_poll();
`;

/** Queues to which buckets report changes of their objects. */
export class AddNotifications1796500000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}
