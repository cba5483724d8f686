// Opens and closes each of the engine's ports before anything is loaded, so that a port in use is reported at once with
// the name of its variable.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type PortVariable, portFault } from '../db/shared/settings/ports.ts';
import type { EngineConfig } from './config.ts';

type Ports = Pick<EngineConfig, 'telephony' | 'sipHost' | 'sipPort' | 'sipTls' | 'mediaWsHost' | 'mediaWsPort'>;

/** @throws {ConfigError} naming the variable of a port that cannot be bound */
export async function checkPorts(ports: Ports): Promise<void> {
  const { telephony, mediaWsHost, mediaWsPort } = ports;
  if (telephony.kind === 'embedded') await checkSipPorts(ports);
  await check('MEDIA_WS_PORT', { host: mediaWsHost, port: mediaWsPort }, listenTcp);
}

async function checkSipPorts({ sipHost, sipPort, sipTls }: Ports): Promise<void> {
  await check('SIP_PORT', { host: sipHost, port: sipPort }, bindUdp);
  await check('SIP_PORT', { host: sipHost, port: sipPort }, listenTcp);
  if (sipTls) await check('SIP_TLS_PORT', { host: sipHost, port: sipTls.port }, listenTcp);
}

interface Address {
  host: string;
  port: number;
}

async function check(variable: PortVariable, at: Address, open: (at: Address) => Promise<void>): Promise<void> {
  if (at.port === 0) return;
  await open(at).catch((error: unknown) => {
    throw portFault(variable, at, error);
  });
}

async function bindUdp({ host, port }: Address): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(port, host);
  await once(socket, 'listening');
  socket.close();
  await once(socket, 'close');
}

async function listenTcp(at: Address): Promise<void> {
  const server = createServer();
  server.listen(at);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
