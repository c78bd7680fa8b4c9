// When a connection is synced, and what syncs do with the files of its objects.
import { z } from 'zod';
import { timestampSchema } from '../core/timestamps.js';
import { SPACE_LENGTH_MAX, spaceSchema } from '../files/schemas.js';
import { inventorySchema, inventoryViewSchema } from './inventories.js';
import { notificationsSchema, notificationsViewSchema } from './notifications.js';
import { ruleShape, ruleViewShape } from './rules.js';

export const deletionPolicies = ['delete', 'keep'] as const;
const onDeleteSchema = z.enum(deletionPolicies).meta({
  description:
    'What happens to the file that was made of an object, when Kiln finds that the object is gone. `delete`, the default: the file is ' +
    'deleted. `keep`: it stays, with its variants.',
  examples: ['delete'],
});
const fileSpaceSchema = spaceSchema.meta({
  description: 'The space of the files that are made of objects. Default: `default`.',
});

const SYNC_INTERVAL_MINUTES_MIN = 5;
/** Four weeks. */
const SYNC_INTERVAL_MINUTES_MAX = 40_320;
const syncIntervalSchema = z
  .int()
  .min(SYNC_INTERVAL_MINUTES_MIN)
  .max(SYNC_INTERVAL_MINUTES_MAX)
  .nullable()
  .meta({
    description:
      'Minutes between two scheduled syncs. A sync starts up to a tenth of the interval later, so that connections do not start together. ' +
      'Null, the default: syncs start only on request.',
    examples: [60],
  });
const pausedSchema = z.boolean().meta({
  description:
    'Whether scheduled syncs and notifications are paused. Syncs on request still run. Messages stay in the queue. Default: false.',
});

const autoProcessSchema = z.boolean().meta({
  description:
    'Whether syncs and notifications process the objects that the rules of the connection select: new ones, and by `on_change` changed ones. Default: false.',
});
export const changePolicies = ['reprocess', 'ignore'] as const;
const onChangeSchema = z.enum(changePolicies).meta({
  description:
    'What automatic processing does with an object whose file exists, when the object has changed. `reprocess`, the default: the file gets a ' +
    'new job. `ignore`: it keeps its result.',
  examples: ['reprocess'],
});

/** What callers set. Omitted fields of a change keep their values. */
export const policyShape = {
  auto_process: autoProcessSchema.optional(),
  on_change: onChangeSchema.optional(),
  ...ruleShape,
  on_delete: onDeleteSchema.optional(),
  space: fileSpaceSchema.optional(),
  sync_interval_minutes: syncIntervalSchema.optional(),
  paused: pausedSchema.optional(),
  notifications: notificationsSchema.optional(),
  inventory: inventorySchema.optional(),
};

/** Optional for one release: a service of the release before does not return them. */
export const policyViewShape = {
  ...policyShape,
  ...ruleViewShape,
  notifications: notificationsViewSchema.optional(),
  inventory: inventoryViewSchema.optional(),
  space: z.string().max(SPACE_LENGTH_MAX).optional(),
  next_sync_at: timestampSchema
    .nullable()
    .optional()
    .meta({
      description:
        'When the next scheduled sync starts; a time in the past means at once. Null without a schedule, and while it is paused.',
      examples: [null],
    }),
};

/** A service of an earlier release would ignore these fields. */
export const policyRevisionOf = (input: { [Field in keyof typeof policyShape]?: unknown }): number =>
  Object.keys(policyShape).some((field) => input[field as keyof typeof policyShape] !== undefined) ? 2 : 1;
