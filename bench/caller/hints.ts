// For somebody whose call came to nothing: why, and what to do.
import { createSocket } from 'node:dgram';
import type { SipTarget } from '../../engine/test-runs/caller/phone/phone-call.ts';

/** The final status of a call that was not answered; null: none came. */
export function hintFor(status: number | null, { uri, host, port }: SipTarget): string | null {
  const user = /^sip:([^@]*)@/.exec(uri)?.[1] ?? '';
  const where = `${host}:${port}`;
  switch (status) {
    case null:
    case 0:
    case 408:
      return `nothing answers at ${where} over UDP: npm start starts the service, and its "ready" line has its SIP address`;
    case 401:
    case 407:
      return 'a password is asked for: this caller has none';
    case 403:
      return `${where} takes no calls from this address: SIP_INBOUND_ALLOW, docs/trunks.md`;
    case 404:
      return `"${user}" is nobody's number there: demo is the demo's agent (unless DEMO=0), and the dashboard's page Phone numbers and GET /api/v1/phone-numbers list the numbers`;
    case 480:
      return `"${user}" is inactive or without a campaign, or its campaign is neither running nor completed`;
    case 488:
      return 'no codec in common: --codec names another';
    case 503:
      return 'all places for calls are taken (MAX_CALLS), or the service is ending: GET /readyz tells';
    default:
      return null;
  }
}

/**
 * Calls back once where the machine says that nobody listens at that UDP port, which a call itself would not hear of.
 * @returns a function that ends the watch
 */
export function watchForNobody({ host, port }: Pick<SipTarget, 'host' | 'port'>, nobody: () => void): () => void {
  const socket = createSocket('udp4');
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    socket.close();
  };
  socket.on('error', (error) => {
    if (isOver) return;
    end();
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') nobody();
  });
  // The keep-alive of RFC 5626 3.5.1, which is no request.
  socket.connect(port, host, () => {
    if (!isOver) socket.send('\r\n\r\n');
  });
  return end;
}
