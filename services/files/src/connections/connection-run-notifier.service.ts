import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Tells the worker that a run over the nodes of a connection is queued. */
@Injectable()
export class ConnectionRunNotifier extends WorkNotifier {}
