// The bucket of a customer with its connection: changes to the bucket without Kiln, and the requests that sync and process it.
import { expect } from '@jest/globals';
import aws4 from 'aws4';
import { bodyOf, type Answer, type KilnClient } from './kiln-client.js';

const JOB_MS = 120_000;

export interface Node {
  id: string;
  type: string;
  name: string;
  path: string;
  parent_id: string | null;
  excluded_by: string | null;
}

export interface Sync {
  id: string;
  status: string;
  synced_count: number;
  files_added: number;
  files_updated: number;
  files_deleted: number;
  error: { code: string; message: string } | null;
}

export interface Started {
  batch_id: string;
  queued: number;
  job_ids: string[];
  rest: string;
}

/** Where the bucket is, and the keys of its owner. */
export interface BucketPlace {
  url: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export class ConnectedBucket {
  constructor(
    private readonly client: KilnClient,
    private readonly connectionId: string,
    private readonly store: BucketPlace,
  ) {}

  /** Begins an upload through Kiln. */
  async begin(path: string): Promise<{ node_id: string; upload_url: string; upload_headers: Record<string, string> }> {
    return bodyOf(await this.client.post('/v1/nodes/upload/init', { connection_id: this.connectionId, path }), 200);
  }

  /** Writes to the bucket directly, without Kiln. */
  async put(path: string, bytes: BodyInit): Promise<string> {
    const { node_id, upload_url, upload_headers } = await this.begin(path);
    expect((await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: bytes })).status).toBe(200);
    return node_id;
  }

  /** Removes the object from the bucket, without Kiln. */
  async removeObject(path: string): Promise<void> {
    const { url, bucket, ...credentials } = this.store;
    const { host } = new URL(url);
    const request = { service: 's3', region: 'us-east-1', method: 'DELETE', host, path: `/${bucket}/${path}` };
    const { headers } = aws4.sign(request, credentials);
    const { status } = await fetch(`${url}${request.path}`, {
      method: 'DELETE',
      headers: headers as Record<string, string>,
    });
    expect(status).toBe(204);
  }

  sync() {
    return this.client.post<Sync>(`/v1/connections/${this.connectionId}/sync`, undefined);
  }

  process() {
    return this.client.post<Started>('/v1/files/process-batch', { connection_id: this.connectionId });
  }

  async nodesOf(query: string): Promise<Node[]> {
    return (await this.client.get<{ nodes: Node[] }>(`/v1/nodes?${query}`)).body.nodes;
  }

  /** Waits until the jobs are completed. Returns their files. */
  async completed(answer: Answer<Started>): Promise<string[]> {
    const { job_ids: jobIds } = bodyOf(answer, 201);
    const jobs = await Promise.all(jobIds.map((id) => this.client.waitForJob(id, JOB_MS)));
    expect(jobs.filter((job) => job.status !== 'completed')).toStrictEqual([]);
    return jobs.map((job) => job.file_id);
  }
}
