// Real: two gateway processes, Postgres, NATS, Redis, object store, and the official client. FAKES: the files, jobs and search services
// (responders on the real bus).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { filesOperations, jobsOperations, NO_SOURCES, searchOperations, type Scope } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readFileSync } from 'node:fs';
import { GatewayPair } from '../test/gateway-pair.js';
import { TEST_KEY, type GatewayProcess } from '../test/gateway-process.js';
import { AUDIENCE, ISSUER, TokenIssuer } from '../test/token-issuer.js';
import { METADATA_PATH } from './protected-resource.domain.js';
import { exampleFile, exampleJob } from '../routes/shared.examples.js';

const SNAPSHOT = new URL('../../src/mcp/tools.snapshot.json', import.meta.url);
const FILE = exampleFile.id;

describe('/mcp', () => {
  let pair: GatewayPair;
  let issuer: TokenIssuer;
  const clients: Client[] = [];

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    pair = await GatewayPair.start({
      KILN_JWT_ISSUER: ISSUER,
      KILN_JWT_AUDIENCE: AUDIENCE,
      KILN_JWT_JWKS_URL: issuer.jwksUrl,
    });
  });
  beforeEach(() => pair.fakes.reset());
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await pair.stop();
    await issuer.stop();
  });

  async function connect(
    authorization = `ApiKey ${TEST_KEY}`,
    gateway: GatewayProcess = pair.first,
    mode: 'auto' | 'legacy' = 'auto',
  ) {
    const client = new Client({ name: 'spec', version: '1' }, { versionNegotiation: { mode } });
    const url = new URL('/mcp', gateway.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
    clients.push(client);
    return client;
  }

  async function call(client: Client, name: string, input: Record<string, unknown>) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return { isError: isError === true, text: first?.type === 'text' ? first.text : '', content };
  }

  const keyWith = async (...scopes: Scope[]) => `ApiKey ${(await pair.newKey({ scopes })).value}`;

  it('lists the tools with the schemas and hints that tools.snapshot.json pins', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools).toStrictEqual(JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  it('lists the tools only that the scopes of the key allow, and refuses to call others', async () => {
    const client = await connect(await keyWith('files:read'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toStrictEqual(['list_files', 'read_file', 'read_chunks']);
    await expect(call(client, 'upload_text', { filename: 'a.txt', content: 'a' })).rejects.toThrow('upload_text');
    expect(pair.fakes.calls).toStrictEqual([]);
  });

  it('answers each request from any process, for clients of the protocol before sessions ended and after', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const client = await connect(undefined, pair.second, mode);
      expect((await call(client, 'list_files', {})).isError).toBe(false);
    }
  });

  it('reports a refusal to the model with its code, and an unexpected error with its request id only', async () => {
    const client = await connect();
    const missing = await call(client, 'read_file', { file_id: FILE });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^NOT_FOUND: .+ \(request .+\)$/) });
    pair.fakes.override(searchOperations.search, () => Promise.reject(new Error('password=hunter2')));
    const failed = await call(client, 'search_files', { query: 'tide' });
    expect(failed.isError).toBe(true);
    expect(failed.text).not.toContain('hunter2');
  });

  it('refuses input that does not fit the schema of the tool', async () => {
    const client = await connect();
    const refused = await call(client, 'search_files', { query: '', limit: 1_000 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('limit');
    expect(pair.fakes.calls).toStrictEqual([]);
  });

  it('accepts a question with as many passages as its schema admits', async () => {
    const client = await connect();
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'ask_question');
    const { maximum = 0 } = { ...(tool?.inputSchema.properties?.top_k as { maximum: number } | undefined) };
    const { isError, text } = await call(client, 'ask_question', { question: 'How high is the tide?', top_k: maximum });
    expect([isError, text]).toStrictEqual([false, text]);
    expect((await call(client, 'ask_question', { question: 'How high?', top_k: maximum + 1 })).isError).toBe(true);
  });

  it('tells the model that the end of an answer is missing', async () => {
    pair.fakes.overrideStream(searchOperations.answer, async function* cut() {
      yield { content: 'The tide is' };
      return { ...NO_SOURCES, truncated: true as const };
    });
    const { text } = await call(await connect(), 'ask_question', { question: 'How high is the tide?' });
    expect(text).toMatch(/The tide is\n\n\[truncated: the end of the answer is missing\]$/);
  });

  it('tells the model what is wrong with input that only the endpoint refuses', async () => {
    const client = await connect();
    const wrong = {
      search_files: { query: '   ' },
      ask_question: { question: '   ' },
      list_files: { search: 'a\u0000b' },
      upload_text: { filename: 'notes.md', content: 'a\u0000b' },
    };
    for (const [tool, input] of Object.entries(wrong)) {
      const { isError, text } = await call(client, tool, input);
      expect([tool, isError, text]).toStrictEqual([tool, true, expect.stringMatching(/^BAD_REQUEST: .*must/)]);
    }
    expect(pair.fakes.calls).toStrictEqual([]);
  });

  it('does not log a fault when the caller leaves during a call', async () => {
    const working = { ...exampleJob, status: 'processing' as const, timeline: [] };
    pair.fakes.override(jobsOperations.getJob, () => Promise.resolve(working));
    const params = { name: 'follow_job', arguments: { job_id: exampleJob.id, wait_seconds: 50 } };
    const leaving = new AbortController();
    const response = fetch(`${pair.first.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${TEST_KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-request-id': 'leaves-early',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: leaving.signal,
    });
    const answer = response.then((begun) => begun.text());
    await eventually(() => expect(pair.fakes.callsOf(jobsOperations.getJob)).not.toHaveLength(0));
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    const lines = () => pair.first.logs.filter(({ requestId }) => requestId === 'leaves-early');
    await eventually(() => expect(lines()).toContainEqual(expect.objectContaining({ msg: 'request', status: 499 })));
    expect(lines().filter(({ level }) => level === 'error')).toStrictEqual([]);
  });

  it('reads with a portal token within its space, whatever space the model names', async () => {
    const created = await pair.first.fetch('/v1/portal/tokens', {
      method: 'POST',
      headers: { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ space: 'customer-42' }),
    });
    const { token } = (await created.json()) as { token: string };
    const client = await connect(`PortalToken ${token}`);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await call(client, 'list_files', {});
    expect((await call(client, 'search_files', { query: 'tide', space: 'customer-1' })).text).toContain('FORBIDDEN');
    await call(client, 'read_file', { file_id: FILE });
    // The caller that left in the test before may have asked for its job once more.
    const calls = pair.fakes.calls.filter(({ subject }) => subject !== jobsOperations.getJob.subject);
    const inputs = calls.map(({ subject, input }) => [subject, (input as { space?: string }).space]);
    expect(inputs).toStrictEqual([
      [filesOperations.listFiles.subject, 'customer-42'],
      [filesOperations.getFile.subject, 'customer-42'],
    ]);
  });

  it('answers 401 without credentials, and names the metadata of the issuer', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const refused = await fetch(`${pair.first.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    expect(refused.status).toBe(401);
    const metadataUrl = `${pair.first.url}${METADATA_PATH}`;
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadataUrl}"`);
    const metadata = (await (await fetch(metadataUrl)).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({ resource: `${pair.first.url}/mcp`, authorization_servers: [ISSUER] });
  });

  it('answers each repeat under one Idempotency-Key, because streamed responses are not kept', async () => {
    const headers = {
      authorization: `ApiKey ${TEST_KEY}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'idempotency-key': 'agents-repeat-0001',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const gateway of pair.gateways) {
      const response = await gateway.fetch('/mcp', { method: 'POST', headers, body });
      expect([response.status, await response.text()]).toStrictEqual([200, expect.stringContaining('search_files')]);
    }
  });

  it('answers 405 to GET and DELETE, because there are no sessions, and 400 to what is no message', async () => {
    const headers = { authorization: `ApiKey ${TEST_KEY}`, 'content-type': 'application/json' };
    for (const method of ['GET', 'DELETE']) {
      expect((await pair.first.fetch('/mcp', { method, headers })).status).toBe(405);
    }
    for (const body of ['[]', '{}', '{"jsonrpc":"1.0"}', '{']) {
      expect((await pair.first.fetch('/mcp', { method: 'POST', headers, body })).status).toBe(400);
    }
  });
});
