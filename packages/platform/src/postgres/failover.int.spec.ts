import { it } from '@jest/globals';
import { failOverUnderLoad, prepareFailover } from '../fixtures/failover.js';

prepareFailover();

it('a failover of Postgres loses nothing, and the connections to the demoted server are replaced', () =>
  failOverUnderLoad(120_000));
