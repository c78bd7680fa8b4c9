// The tables that every service has in its schema.
import { InboxEntry } from './events/inbox.entity.js';
import { OutboxEntry } from './events/outbox.entity.js';

export const platformEntities = [OutboxEntry, InboxEntry] as const;
