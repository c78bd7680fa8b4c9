// The content type of a remote engine's answer: its parameters say how the answer is read. Only the clients of engines give files this type.
import { bareContentType } from '@kiln/file-types/content-type';

const ANSWER_TYPE = 'application/vnd.kiln.engine-answer';

/** How an answer is read. Values are tokens (RFC 9110, 5.6.2). */
export type AnswerParameters =
  | { protocol: 'docling'; page_break: string; is_paged: 'true' | 'false' }
  | { protocol: 'unstructured' }
  | { protocol: 'transcription' };

export const isAnswer = (contentType: string): boolean => bareContentType(contentType) === ANSWER_TYPE;

export const answerType = (parameters: AnswerParameters): string =>
  [ANSWER_TYPE, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join('; ');

export const answerParameters = (contentType: string): AnswerParameters =>
  Object.fromEntries(
    contentType
      .split('; ')
      .slice(1)
      .map((parameter) => parameter.split('=', 2)),
  ) as AnswerParameters;
