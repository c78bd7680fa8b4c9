import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Tells the worker that objects are queued for removal. */
@Injectable()
export class ObjectRemovalNotifier extends WorkNotifier {}

/** Tells the worker that a space with files was deleted. */
@Injectable()
export class SpaceDeletionNotifier extends WorkNotifier {}
