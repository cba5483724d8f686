// The service's listening ports in the environment: two variables with one port, and an unavailable port, are
// configuration errors.
import { ConfigError, type Environment, readInteger, readText } from './environment.ts';

/** In the order of priority: of two variables with one port, the later one is reported. */
const PORTS = [
  { variable: 'API_PORT', fallback: 8080, hostVariable: 'API_HOST' },
  { variable: 'MEDIA_WS_PORT', fallback: 8081, hostVariable: 'MEDIA_WS_HOST' },
  { variable: 'SIP_PORT', fallback: 5060, hostVariable: 'SIP_HOST' },
  { variable: 'SIP_TLS_PORT', fallback: null, hostVariable: 'SIP_HOST' },
  { variable: 'METRICS_PORT', fallback: null, hostVariable: 'API_HOST' },
  { variable: 'CONTROL_PORT', fallback: null, hostVariable: 'CONTROL_HOST' },
] as const;

export type PortVariable = (typeof PORTS)[number]['variable'];

/**
 * Call it only under the supervisor: separately started processes may be on different machines.
 * @throws {ConfigError} if two variables name the same port
 */
export function refuseSharedPorts(environment: Environment): void {
  if (environment.SUPERVISED !== '1') return;
  const taken: Array<{ variable: PortVariable; host: string; port: number }> = [];
  for (const { variable, fallback, hostVariable } of PORTS) {
    const port = readInteger(environment, variable, fallback, { min: 0, max: 65_535 });
    const host = readText(environment, hostVariable, '127.0.0.1');
    if (port === null || port === 0) continue;
    const other = taken.find((one) => one.port === port && (one.host === host || isAny(one.host) || isAny(host)));
    if (other) throw new ConfigError(variable, `${port} is the port of ${other.variable} already`);
    taken.push({ variable, host, port });
  }
}

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The configuration error that explains an error of `listen` or `bind`; any other error unchanged. */
export function portFault(variable: PortVariable, at: { host: string; port: number }, error: unknown): unknown {
  const hostVariable = PORTS.find((port) => port.variable === variable)?.hostVariable ?? variable;
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'EADDRINUSE':
      return new ConfigError(variable, `port ${at.port} on ${at.host} is in use by another program`);
    case 'EACCES':
      return new ConfigError(variable, `port ${at.port} on ${at.host} may not be opened by this user`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(hostVariable, `${at.host} is not an address of this machine`);
    default:
      return error;
  }
}
