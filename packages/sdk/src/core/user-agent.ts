import { API_VERSION } from '../generated/version.js';
import { isBrowser } from './runtime.js';

/** Pages must not set this header: some browsers would ask the server for its permission first. */
export const userAgentHeaders = (): Record<string, string> =>
  isBrowser() ? {} : { 'user-agent': `kiln-sdk-js/${API_VERSION}` };
