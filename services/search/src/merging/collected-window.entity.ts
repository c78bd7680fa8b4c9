import { Entity } from 'typeorm';
import { RemovedWindowEntity } from './removed-window.entity.js';

/**
 * The numbers that were removed during a purge, in a window of 32,768 numbers: a copy of the rows of `removed_ranges` that are `collected`.
 * Numbers are never reused, so a copy that is out of date only contains more removed numbers.
 */
@Entity('collected_windows')
export class CollectedWindowEntity extends RemovedWindowEntity {}
