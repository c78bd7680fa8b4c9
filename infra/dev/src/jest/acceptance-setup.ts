/** Launches the system for all acceptance specs, unless the environment names a running one. */
import { launchedSystem } from './running.config.js';

export default launchedSystem.start;
