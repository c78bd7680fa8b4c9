import { launchedSystem } from './running.config.js';

export default launchedSystem.stop;
