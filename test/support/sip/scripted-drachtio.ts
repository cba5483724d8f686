// A drachtio with scripted peers: it passes the engine requests from any address, keeps the engine's answers and
// requests, and lets a script answer those requests.
import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { header, parseMessage, type SipRequest, type SipResponse } from '../../../engine/sip/stack/wire/message.ts';
import { DrachtioFramer } from './drachtio-recorder.ts';

/** A request of the engine, as drachtio sends it. */
export interface SentRequest {
  method: string;
  uri: string;
  /** The engine's text, with the headers that drachtio adds. */
  text: string;
  body: string;
  callId: string;
  /** A response of the peer, and its tag. One of an INVITE begins a dialog. */
  respond(status: number, body?: string, more?: readonly string[]): string;
}

export interface ScriptedDrachtio {
  port: number;
  /** Requests that the engine sent. */
  requests: SipRequest[];
  /**
   * Receives a request, given by its lines without Content-Length; resolves with the engine's final response. One whose
   * To has a tag belongs to the dialog of its Call-ID, if there is one.
   */
  receive(lines: readonly string[], from: { address: string; port: number }, body?: string): Promise<SipResponse>;
  /** The next answer of the engine to an INVITE cannot be sent, for this reason: as when a CANCEL came before it. */
  refuseNextAnswer(reason: string): void;
  close(): void;
}

/** Of the engine, in the dialogs of requests to it. */
export const TO_TAG = 'engine';

const part = (lines: readonly string[], pattern: RegExp): string =>
  lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])[0] ?? '';

/** drachtio's name of the dialog that a request with these lines begins. */
function dialogOf(lines: readonly string[]): string {
  return `${callIdOf(lines)};from-tag=${part(lines, /^From: .*;tag=(.*)/)}`;
}

const callIdOf = (lines: readonly string[]): string => part(lines, /^Call-ID: (.*)/);

export async function startScriptedDrachtio(
  takes: ((request: SentRequest) => void) | null = null,
): Promise<ScriptedDrachtio> {
  /** Values that a dialog's requests share, by call id. */
  const dialogs = new Map<string, { from: string; to: string; cseq: number }>();
  /** drachtio's names of the dialogs that a 2xx has begun, by call id. */
  const names = new Map<string, string>();
  const requests: SipRequest[] = [];
  /** By transaction: a request to the engine. */
  const waiting = new Map<string, { lines: readonly string[]; answered: (response: SipResponse) => void }>();
  let socket: Socket | null = null;
  let refusal: string | null = null;
  /** Texts that are written in one turn of the event loop arrive together. */
  const write = (text: string): void => {
    const to = socket;
    if (to === null) return;
    if (to.writableCorked === 0) {
      to.cork();
      setImmediate(() => to.uncork());
    }
    to.write(`${Buffer.byteLength(text)}#${text}`);
  };
  const take = (id: string, request: SipRequest, dialogId: string, by: (request: SentRequest) => void): void => {
    const named = (name: string): string | undefined => header(request, name);
    const callId = dialogId.startsWith('sip:') ? named('call-id') : (dialogId.split(';')[0] ?? '') || named('call-id');
    const key = callId ?? randomUUID();
    const from = named('from') ?? '<sip:engine@10.0.0.1>';
    const dialog = dialogs.get(key) ?? {
      from: from.includes(';tag=') ? from : `${from};tag=${randomUUID()}`,
      to: named('to') ?? `<${request.uri}>`,
      cseq: 0,
    };
    dialogs.set(key, dialog);
    if (request.method !== 'ACK' && request.method !== 'CANCEL') dialog.cseq += 1;
    const cseq = `CSeq: ${dialog.cseq} ${request.method}`;
    const transaction = randomUUID();
    const via = `Via: SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK${transaction}`;
    const shared = [via, `From: ${dialog.from}`, `Call-ID: ${key}`, cseq];
    const own = request.headers
      .filter(
        ({ name }) => !['from', 'to', 'call-id', 'cseq', 'content-length', 'contact'].includes(name.toLowerCase()),
      )
      .map(({ name, value }) => `${name}: ${value}`);
    const body = request.body.toString();
    const written = (start: string, lines: readonly string[], content: string): string =>
      [start, ...lines, `Content-Length: ${Buffer.byteLength(content)}`, '', content].join('\r\n');
    const text = written(
      `${request.method} ${request.uri} SIP/2.0`,
      [...shared, `To: ${dialog.to}`, 'Contact: <sip:10.0.0.1:5060>', ...own],
      body,
    );
    const at = ['udp', '10.0.0.1', 5060, '12:00:00.000000', transaction];
    write(
      `${randomUUID()}|response|${id}|OK|application|${Buffer.byteLength(text)}|${at.join('|')}|Msg sent:|\r\n${text}`,
    );
    by({
      ...{ method: request.method, uri: request.uri, text, body, callId: key },
      respond(status, content = '', more = []) {
        if (status > 100 && !dialog.to.includes(';tag=')) dialog.to += `;tag=${randomUUID()}`;
        const lines = [...shared, `To: ${dialog.to}`, 'Contact: <sip:peer@127.0.0.1:5080>', ...more];
        const typed = content === '' ? lines : [...lines, 'Content-Type: application/sdp'];
        const answer = written(`SIP/2.0 ${status} Scripted`, typed, content);
        const name = `${key};from-tag=${dialog.from.split(';tag=')[1]}`;
        if (request.method === 'INVITE' && status >= 200 && status < 300) names.set(key, name);
        const meta = [Buffer.byteLength(answer), 'udp', '127.0.0.1', 5080, '12:00:00.000000', transaction];
        write(`${randomUUID()}|sip|network|${meta.join('|')}|${name}|\r\n${answer}`);
        return /;tag=(.*)$/.exec(dialog.to)?.[1] ?? '';
      },
    });
  };
  const handle = (payload: string): void => {
    const end = payload.indexOf('\r\n');
    const [id = '', command, transaction = ''] = payload.slice(0, end < 0 ? undefined : end).split('|');
    if (command === 'authenticate') {
      return write(`${randomUUID()}|response|${id}|OK|udp/10.0.0.1:5060|v0.9.10|udp/10.0.0.1:5060`);
    }
    if (command !== 'sip') return write(`${randomUUID()}|response|${id}|OK`);
    const text = payload.slice(end + 2);
    // drachtio writes this header, not the engine.
    const message = parseMessage(Buffer.from(text.includes('\r\n\r\n') ? text : `${text}\r\n\r\n`))?.message;
    if (message?.kind === 'request') {
      requests.push(message);
      if (takes !== null) return take(id, message, payload.slice(0, end).split('|')[3] ?? '', takes);
    } else if (message !== undefined && message.status >= 200) confirm(id, transaction, message);
  };
  /** Tells the engine what was sent for its final response. */
  const confirm = (id: string, transaction: string, response: SipResponse): void => {
    const request = waiting.get(transaction);
    if (request === undefined) return;
    const given = (name: string): string => request.lines.find((line) => line.startsWith(`${name}: `)) ?? '';
    const isInvite = given('CSeq').endsWith(' INVITE');
    if (isInvite && refusal !== null) {
      write(`${randomUUID()}|response|${id}|NOK|${refusal}`);
      refusal = null;
      return;
    }
    const headers = response.headers.map(({ name, value }) => `${name}: ${value}`);
    const to = given('To').includes(';tag=') ? given('To') : `${given('To')};tag=${TO_TAG}`;
    const copied = [given('Via'), given('From'), to, given('Call-ID'), given('CSeq')];
    const name = names.get(callIdOf(request.lines)) ?? dialogOf(request.lines);
    if (isInvite && response.status < 300) names.set(callIdOf(request.lines), name);
    const start = `SIP/2.0 ${response.status} Scripted`;
    const length = `Content-Length: ${response.body.length}`;
    const contact = 'Contact: <sip:10.0.0.1:5060>';
    const text = [start, ...copied, contact, ...headers, length, '', response.body.toString()].join('\r\n');
    const at = ['udp', '10.0.0.1', 5060, '12:00:00.000000', transaction, name];
    write(
      `${randomUUID()}|response|${id}|OK|application|${Buffer.byteLength(text)}|${at.join('|')}||Msg sent:|\r\n${text}`,
    );
    request.answered(response);
  };
  const server = createServer((client) => {
    socket = client;
    const framer = new DrachtioFramer();
    client.on('error', () => {});
    client.on('data', (bytes) => {
      for (const payload of framer.push(bytes)) handle(payload);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    requests,
    receive(lines, from, body = '') {
      const isInside = lines.some((line) => /^To: .*;tag=/.test(line));
      const dialogId = (isInside && names.get(callIdOf(lines))) || '';
      const text = [...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
      const transaction = randomUUID();
      const meta = [Buffer.byteLength(text), 'udp', from.address, from.port, '12:00:00.000000', transaction];
      return new Promise((resolve) => {
        waiting.set(transaction, { lines, answered: resolve });
        write(`${randomUUID()}|sip|network|${meta.join('|')}|${dialogId}|10.0.0.1|5060|\r\n${text}`);
      });
    },
    refuseNextAnswer(reason) {
      refusal = reason;
    },
    close() {
      socket?.destroy();
      server.close();
    },
  };
}
