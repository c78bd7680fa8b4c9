import { z } from 'zod';
import { TOKENS_DEFAULT, TOKENS_MAX } from '../tool-text.domain.js';

export const maxTokensSchema = z
  .int()
  .min(200)
  .max(TOKENS_MAX)
  .default(TOKENS_DEFAULT)
  .describe('The longest text to return, in tokens of about 4 bytes.');
