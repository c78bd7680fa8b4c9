import { it } from '@jest/globals';
import { failOverUnderLoad, prepareFailover } from '../fixtures/failover.js';

prepareFailover();

it('within 30 s of a failover of Postgres, all connections to the demoted server are replaced', () =>
  failOverUnderLoad(30_000));
