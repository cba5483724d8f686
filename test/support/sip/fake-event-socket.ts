// The part of FreeSWITCH's event socket that the engine uses, with answers of the real one. A channel that the engine
// has invited connects to the engine, like the dialplan's `socket` application.
import { connect, createServer, type Socket } from 'node:net';

const sofiaStatus = (
  sipPort: number,
): string => `                     Name	   Type	                                      Data	State
=================================================================================================
             drachtio_mrf	profile	        sip:mod_sofia@127.0.0.1:${sipPort}	RUNNING (0)
=================================================================================================
1 profile 0 aliases
`;

function apiAnswer(command: string, channels: readonly { uuid: string; cid_num: string }[], sipPort: number): string {
  if (command === 'sofia status') return sofiaStatus(sipPort);
  if (command.startsWith('module_exists ') || command.startsWith('uuid_exists ')) return 'true';
  if (command === 'show channels count') return `\n${channels.length} total.\n\n`;
  if (command === 'show channels as json') return JSON.stringify({ row_count: channels.length, rows: channels });
  return '+OK Success\n';
}

export interface FakeEventSocket {
  port: number;
  /** Null answers as FreeSWITCH does; else a command may get another answer, or none (`hang`). */
  answer: ((command: string) => string | 'hang' | null) | null;
  /** API commands, in order. */
  commands: string[];
  /** The answer of `show channels`. */
  channels: Array<{ uuid: string; cid_num: string }>;
  /** Connects the channel of this INVITE, as received by drachtio, to the engine. */
  connectChannel(invite: string): void;
  /** Sends a subscribed event with these headers. */
  emit(headers: Record<string, string>): void;
  /** Simulates the death of FreeSWITCH: all its connections break. */
  close(): void;
}

export async function fakeEventSocket(port = 0, sipPort = 5080): Promise<FakeEventSocket> {
  const commands: string[] = [];
  const channels: FakeEventSocket['channels'] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket, handle: (command: string) => string | null): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const answer = handle(text.slice(0, end).trim());
        if (answer !== null) socket.write(answer);
        text = text.slice(end + 2);
      }
    });
  };
  const reply = (text: string): string => `Content-Type: command/reply\nReply-Text: ${text}\n\n`;
  const server = createServer((socket) => {
    serve(socket, (command) => {
      if (!command.startsWith('api ')) return reply(command.startsWith('auth ') ? '+OK accepted' : '+OK');
      commands.push(command.slice(4));
      const other = fake.answer?.(command.slice(4)) ?? null;
      if (other === 'hang') return null;
      const body = other ?? apiAnswer(command.slice(4), channels, sipPort);
      return `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`;
    });
    socket.write('Content-Type: auth/request\n\n');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const fake: FakeEventSocket = {
    port: address.port,
    answer: null,
    commands,
    channels,
    connectChannel(invite) {
      const [, host, channelPort] = /X-esl-outbound: *([^:\s]+):(\d+)/i.exec(invite) ?? [];
      const id = /drachtio-fsmrf:(\S+)/.exec(invite)?.[1];
      // As the dialplan of docs/examples/freeswitch: to nobody who does not know the secret.
      const knowsSecret = /^X-Engine-Secret: ClueCon\r?$/im.test(invite);
      if (host === undefined || id === undefined || !knowsSecret) return;
      serve(connect({ host, port: Number(channelPort) }), (command) =>
        command === 'connect'
          ? `Content-Type: command/reply\nReply-Text: +OK\nEvent-Name: CHANNEL_DATA\nUnique-ID: channel-${id}\nChannel-Unique-ID: channel-${id}\nvariable_sip_user_agent: drachtio-fsmrf%3A${id}\n\n`
          : reply('+OK'),
      );
    },
    emit(headers) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${encodeURIComponent(value)}\n`);
      const body = `${lines.join('')}\n`;
      for (const socket of sockets) {
        socket.write(`Content-Length: ${Buffer.byteLength(body)}\nContent-Type: text/event-plain\n\n${body}`);
      }
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return fake;
}
