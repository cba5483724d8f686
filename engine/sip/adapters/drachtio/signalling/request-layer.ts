// Requests outside a dialog (REGISTER and OPTIONS of the trunks, BYE for a dialog that drachtio has forgotten), behind
// the interface of the embedded transaction layer, so that both adapters share the trunk code.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { hostPort } from '../../../../../db/shared/net/url-host.ts';
import type { SipAgent } from '../../../dialog/sip-agent.ts';
import type { Destination } from '../../../stack/network/transport-layer.ts';
import { newCallId, newTag, type RequestSender } from '../../../stack/transaction/transaction-layer.ts';
import type { SipRequest } from '../../../stack/wire/message.ts';
import { type Drachtio, type DrachtioResponse, sendRequest } from './drachtio.ts';
import { madeUp, readAnswer, writeHeaders } from './raw-message.ts';

/** Headers that drachtio writes itself. */
const ITS_OWN = new Set(['via', 'max-forwards', 'content-length']);

export function proxyUri({ protocol, remote }: Destination): string {
  return `sip:${hostPort(remote.address, remote.port)};transport=${protocol}`;
}

export function createRequestSender(drachtio: () => Drachtio | null): RequestSender {
  return {
    request(request, destination, listener) {
      let isGivenUp = false;
      const failed = (detail: string): void => {
        if (!isGivenUp) listener.failed('transport', detail);
      };
      send(drachtio(), request, destination).then(
        (response) => {
          if (isGivenUp) return;
          const answer = readAnswer(response);
          if (answer !== null) listener.response(answer);
          else {
            const { cause, reason } = madeUp(response.status);
            listener.failed(cause, reason);
          }
        },
        (error: unknown) => failed(messageOf(error)),
      );
      return {
        giveUp() {
          isGivenUp = true;
        },
      };
    },
  };
}

/** Sends OPTIONS to a phone to keep its NAT binding open: drachtio sends no empty datagrams. */
export function keepAlive(agent: SipAgent, to: Destination): void {
  const uri = proxyUri(to);
  const headers = [
    { name: 'from', value: `${agent.contact(to)};tag=${newTag()}` },
    { name: 'to', value: `<${uri}>` },
    { name: 'call-id', value: newCallId() },
    { name: 'contact', value: agent.contact(to) },
  ];
  const request = { kind: 'request' as const, method: 'OPTIONS', uri, headers, body: Buffer.alloc(0) };
  agent.layer.request(request, to, { response() {}, failed() {} });
}

async function send(
  drachtio: Drachtio | null,
  request: SipRequest,
  destination: Destination,
): Promise<DrachtioResponse> {
  if (drachtio === null) throw new Error('no connection to drachtio');
  const headers = writeHeaders(request.headers.filter(({ name }) => !ITS_OWN.has(name)));
  const body = request.body.toString('utf8');
  return sendRequest(drachtio, request.uri, {
    method: request.method,
    headers,
    proxy: proxyUri(destination),
    ...(body === '' ? {} : { body }),
  });
}
