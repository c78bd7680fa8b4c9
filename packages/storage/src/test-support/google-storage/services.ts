import type { Signatory } from './bearer.js';
import type { GoogleObjects } from './objects.js';
import type { ResumableSessions } from './sessions.js';

export interface Services {
  objects: GoogleObjects;
  sessions: ResumableSessions;
  signatory: Signatory;
  url: string;
}
