/** Starts the servers for all integration specs, unless the environment names running ones. */
import { sharedServers } from './running.config.js';

export default sharedServers.start;
