import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Notified when objects are queued for removal. */
@Injectable()
export class ObjectRemovalNotifier extends WorkNotifier {}

/** Notified when a space with files is deleted. */
@Injectable()
export class SpaceDeletionNotifier extends WorkNotifier {}
