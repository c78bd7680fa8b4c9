import type { Region } from '../../../ui/page-picture.js';

/** A place in a file that can be shown on its page. */
export interface Passage {
  fileId: string;
  filename: string;
  page: number;
  regions: readonly Region[];
  quote: string;
}
