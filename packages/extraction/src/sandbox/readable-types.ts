import { documentKindOf } from '@kiln/file-types/content-type';
import { isAnswer } from '../remote/answer-type.js';

/** Whether a child of the sandbox reads files of this type. */
export const isReadable = (contentType: string): boolean =>
  documentKindOf(contentType) !== null || isAnswer(contentType);
