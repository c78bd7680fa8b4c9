import type { Signatory } from './bearer.js';
import type { MultipartUploads } from './multipart-uploads.js';
import type { GoogleObjects } from './objects.js';
import type { ResumableSessions } from './sessions.js';

export interface Services {
  objects: GoogleObjects;
  sessions: ResumableSessions;
  multipart: MultipartUploads;
  signatory: Signatory;
  url: string;
}
