import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Tells the worker that nodes are selected for automatic processing. */
@Injectable()
export class NodeSelectionNotifier extends WorkNotifier {}
