// A tool of the MCP server: what a model reads about it, who may call it, and what it does (https://modelcontextprotocol.io/specification).
import type { CallContext, Scope } from '@kiln/contracts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Caller } from '../auth/caller.domain.js';
import type { GatewayServices } from '../services.port.js';

/** The request in which a tool is called. */
export interface ToolCall {
  caller: Caller;
  context: CallContext;
  http: Request;
  services: GatewayServices;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** `verb_noun`. A renamed tool keeps its former name as an alias. */
  name: string;
  title: string;
  /** What it does, when to use it and when not, and what it returns. */
  description: string;
  /** The scope that a key needs. */
  scope: Scope;
  /** Whether the holder of a portal token may call it, within the space of the token. */
  isForPortals: boolean;
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  input: Input;
  run: (input: z.output<Input>, call: ToolCall) => Promise<CallToolResult['content']>;
}

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** Erases the type of the input. The SDK checks the input by its schema before each call. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool;
