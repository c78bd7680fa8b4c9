import { sharedServers } from './running.config.js';

export default sharedServers.stop;
