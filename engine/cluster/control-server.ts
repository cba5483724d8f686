// The engine's control port: what other processes of the installation ask this engine directly, on an internal address.
// The rows of the database remain the truth; here one asks what only this process knows, or what should not wait.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostPort } from '../../db/shared/net/url-host.ts';
import { ControlSignatures, controlKey } from '../../db/shared/secrets/control-signature.ts';
import { portFault } from '../../db/shared/settings/ports.ts';
import { type Disk, serveDisk } from './disk-server.ts';

const REQUEST_TIMEOUT_MS = 15_000;
const VOICE = /^\/voices\/([^/?]{1,200})\/sample$/;
const CALL_END = /^\/calls\/(\w{1,64})\/end$/;

interface ControlOptions {
  host: string;
  port: number;
  sealingKey: Buffer;
  now(): number;
  /** WAV of the voice's sample sentence. Rejects when the voice cannot be rendered. */
  renderSample(voiceId: string): Promise<Buffer>;
  endCall(callId: string): void;
  disk: Disk;
}

export interface ControlServer {
  /** `http://host:port` as it listens. */
  url: string;
  close(): Promise<void>;
}

/** @throws {ConfigError} when the port cannot be opened */
export async function startControl(options: ControlOptions): Promise<ControlServer> {
  const signatures = new ControlSignatures(controlKey(options.sealingKey));
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    // Nothing that is asked has a body.
    request.resume();
    answer(options, signatures, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(503).end();
    });
  });
  const at = { host: options.host, port: options.port };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portFault('CONTROL_PORT', at, error)));
    server.listen(at.port, at.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostPort(at.host, port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { now, renderSample, endCall, disk }: ControlOptions,
  signatures: ControlSignatures,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '' } = request;
  if (!signatures.accepts(request.headers.authorization, { method, path }, now())) {
    response.writeHead(401).end();
    return;
  }
  const [, callId] = CALL_END.exec(path) ?? [];
  const [, voiceId] = VOICE.exec(path) ?? [];
  if (method === 'GET' && path === '/alive') response.writeHead(204).end();
  else if (method === 'POST' && callId !== undefined) {
    endCall(callId);
    response.writeHead(204).end();
  } else if (method === 'GET' && voiceId !== undefined) {
    const wav = await renderSample(decodeURIComponent(voiceId));
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wav.length }).end(wav);
  } else if (!(await serveDisk(disk, request, response))) response.writeHead(404).end();
}
