// What a caller can set, for the client and for each request.
import { retryTable } from './retry.js';

type Credentials =
  | { apiKey: string; bearer?: undefined; portalToken?: undefined }
  /** A JWT, or a function that returns one before each attempt. */
  | { bearer: string | (() => string | Promise<string>); apiKey?: undefined; portalToken?: undefined }
  /** A token of one space, read only, or a function that returns one before each attempt. */
  | { portalToken: string | (() => string | Promise<string>); apiKey?: undefined; bearer?: undefined };

export interface Limits {
  /** The time of one attempt, from the connection to the last byte of the response. Default 60,000. */
  timeoutMs?: number;
  /** The time of all attempts and the pauses between them. Default 300,000. */
  deadlineMs?: number;
  /** How often a request is repeated. Default 3. With 0 it is sent once. */
  maxRetries?: number;
}

export type KilnOptions = Credentials &
  Limits & {
    /** The address of the gateway: `https://kiln.example.com`. */
    baseUrl: string;
    /** In place of the global `fetch`, for example for a proxy. */
    fetch?: typeof fetch;
  };

export interface RequestOptions extends Limits {
  /** Ends the request. It rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Identifies a POST over several calls. Default: a random key for each call, the same for all its attempts. */
  idempotencyKey?: string;
}

/** Limits without gaps. */
export interface RequestLimits {
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
}

const DEFAULTS = { timeoutMs: 60_000, deadlineMs: 300_000, maxRetries: retryTable.maxRetries };

/** The first of several options that is given counts. Throws TypeError for a value that is no number from 0. */
export function limitsOf(options: RequestOptions, byDefault: Limits = {}): RequestLimits {
  const pick = (name: keyof Limits): number => {
    const value = options[name] ?? byDefault[name] ?? DEFAULTS[name];
    if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${name} must be a number from 0`);
    return value;
  };
  return {
    timeoutMs: pick('timeoutMs'),
    deadlineMs: pick('deadlineMs'),
    maxRetries: pick('maxRetries'),
    signal: options.signal,
  };
}
