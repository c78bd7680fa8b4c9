/**
 * Which parameters a model accepts. Models that reason refuse `max_tokens` in favour of `max_completion_tokens`, and some refuse any
 * `temperature`. Names of models do not tell, and gateways rename them, so the server's refusal is what teaches, once for each model.
 */
import { ProviderAnswerError } from '../http/exchange-faults.js';
import type { ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError } from '../http/provider-error.js';
import type { ProviderHttp } from '../http/provider-http.js';
import { recordOf } from '../http/record-of.js';
import type { ChatQuestion } from './chat-model.js';

export interface ChatDialect {
  limit: 'max_tokens' | 'max_completion_tokens';
  takesTemperature: boolean;
  takesSchema: boolean;
}

/** `max_completion_tokens` also counts what the model writes before its answer. */
const REASONING_TOKENS = 4_000;
const USUAL: ChatDialect = { limit: 'max_tokens', takesTemperature: true, takesSchema: true };
/** The base URLs and models are the operator's, so there are few. */
const known = new WeakMap<ProviderHttp, Map<string, ChatDialect>>();

/** What the client of a process has learned about one model of one server. */
export class LearnedDialect {
  private readonly dialects: Map<string, ChatDialect>;
  private readonly key: string;

  constructor(http: ProviderHttp, endpoint: ProviderEndpoint, model: string) {
    this.dialects = known.get(http) ?? new Map<string, ChatDialect>();
    known.set(http, this.dialects);
    this.key = JSON.stringify([endpoint.baseUrl, model]);
  }

  get current(): ChatDialect {
    return this.dialects.get(this.key) ?? USUAL;
  }

  /** Whether the same question can be asked again, because it was asked in `asked` and the error names another dialect. */
  learn(error: unknown, asked: ChatDialect): boolean {
    const refused = refusedParameter(error);
    if (refused === 'max_tokens' && asked.limit === 'max_tokens') {
      this.dialects.set(this.key, { ...this.current, limit: 'max_completion_tokens' });
      return true;
    }
    if (refused === 'temperature' && asked.takesTemperature) {
      this.dialects.set(this.key, { ...this.current, takesTemperature: false });
      return true;
    }
    if (refused === 'response_format' && asked.takesSchema) {
      this.dialects.set(this.key, { ...this.current, takesSchema: false });
      return true;
    }
    return false;
  }
}

/** What an answer may use beside its own tokens. */
export const reasoningTokensIn = ({ limit }: ChatDialect): number =>
  limit === 'max_completion_tokens' ? REASONING_TOKENS : 0;

export function parametersIn(dialect: ChatDialect, { tokensMax, temperature, schema }: ChatQuestion) {
  const { limit, takesTemperature, takesSchema } = dialect;
  return {
    ...(tokensMax === undefined ? {} : { [limit]: tokensMax + reasoningTokensIn(dialect) }),
    ...(temperature === undefined || !takesTemperature ? {} : { temperature }),
    ...(schema === undefined || !takesSchema
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
  };
}

/** A value that is out of range is refused as well, but the parameter is then not "unsupported". */
function refusedParameter(error: unknown): 'max_tokens' | 'temperature' | 'response_format' | null {
  const isRefused = error instanceof ProviderError && (error.statusCode === 400 || error.statusCode === 422);
  if (!isRefused || !(error.cause instanceof ProviderAnswerError)) return null;
  const { text } = error.cause;
  const { code, param } = errorIn(text);
  // vLLM names both parameters when the context of the model has no room for the answer.
  const isTooLarge = /\btoo large\b/i.test(text);
  if (!isTooLarge && /\bmax_tokens\b/.test(text) && /\bmax_completion_tokens\b/.test(text)) return 'max_tokens';
  // Servers word this refusal in many ways: an unknown field, a type that must be "text", a schema that they cannot follow.
  if (/\b(?:response_format|json_schema)\b/.test(typeof param === 'string' ? param : text)) return 'response_format';
  const isUnsupported = /unsupported|not support/i.test(typeof code === 'string' ? `${code} ${text}` : text);
  if (!isUnsupported) return null;
  const about = typeof param === 'string' ? param : text;
  return /\bmax_tokens\b/.test(about) ? 'max_tokens' : /\btemperature\b/.test(about) ? 'temperature' : null;
}

function errorIn(text: string): Record<string, unknown> {
  try {
    return recordOf(recordOf(JSON.parse(text))['error']);
  } catch {
    return {};
  }
}
