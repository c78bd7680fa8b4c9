import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Notified when the removal of a file is queued. */
@Injectable()
export class RemovalNotifier extends WorkNotifier {}
