// moto: IAM, STS and S3 of AWS in Python. It enforces the policies of IAM once `enforce` was called, and checks no region.
import { startProgram, type Program } from './installed-program.js';

export interface Moto {
  url: string;
  /** Calls an action of the query APIs of IAM and STS, without rights of its own. Returns the response, which is XML. */
  call(service: 'iam' | 'sts', parameters: Record<string, string>): Promise<string>;
  /** From now on requests need rights. */
  enforce(): Promise<void>;
  close(): Promise<void>;
}

export async function startMoto(program: Program): Promise<Moto> {
  const environment = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', PYTHONDONTWRITEBYTECODE: '1' };
  const running = await startProgram(program, (port) => ['-H', '127.0.0.1', '-p', String(port)], environment);
  const url = `http://127.0.0.1:${running.port}`;
  const scope = (service: string) => `AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/${service}/aws4_request`;
  return {
    url,
    call: async (service, parameters) => {
      const headers = { authorization: `${scope(service)}, SignedHeaders=host, Signature=none` };
      const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(parameters) });
      const body = await response.text();
      if (!response.ok) throw new Error(body);
      return body;
    },
    enforce: async () => {
      await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body: '0' });
    },
    close: () => running.close(),
  };
}
