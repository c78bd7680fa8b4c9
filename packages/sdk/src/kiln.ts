import type { KilnOptions } from './core/options.js';
import { Transport } from './core/transport.js';
import { Resources } from './generated/resources.js';

/** A client of the Kiln API. It keeps no connection open, and needs no end. */
export class Kiln extends Resources {
  /** Throws TypeError for options that cannot work. */
  constructor(options: KilnOptions) {
    super(new Transport(options));
  }
}
