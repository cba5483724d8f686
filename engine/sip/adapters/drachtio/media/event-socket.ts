// The part of FreeSWITCH's event socket that is needed here: log in, then one command after the other, each with its
// answer.
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../../../clock.ts';

interface EventSocketOptions {
  host: string;
  port: number;
  secret: string;
  clock: Clock;
  opened(socket: EventSocket): void;
  event?(event: SwitchEvent): void;
  /** Called once, also if the socket could not be opened. */
  closed(reason: string): void;
}

/** An event that was subscribed to. */
export interface SwitchEvent {
  /** For a custom event, the name that its module gave it. */
  name: string;
  /** The channel's id. */
  channel: string;
  headers: Map<string, string>;
}

interface Waiting {
  resolve(body: string): void;
  reject(error: Error): void;
  cancel(): void;
}

const ANSWER_MS = 5_000;
/** Larger than the longest answer, a list of a few thousand channels. */
const MAX_BUFFER_BYTES = 16 * 1024 * 1024;

export class EventSocket {
  readonly #options: EventSocketOptions;
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #buffer = Buffer.alloc(0);
  #isClosed = false;

  constructor(options: EventSocketOptions) {
    const { host, port } = options;
    this.#options = options;
    this.#socket = connect({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, 10_000);
    this.#socket.setTimeout(ANSWER_MS, () => {
      if (this.#waiting.length > 0 || this.#socket.connecting) this.close('no answer');
    });
    this.#socket.on('error', (error) => this.close(error.message));
    this.#socket.on('close', () => this.close('connection closed'));
    this.#socket.on('data', (bytes) => this.#receive(bytes));
  }

  /** Our address as this FreeSWITCH reaches it. */
  get localAddress(): string {
    return this.#socket.localAddress ?? '127.0.0.1';
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? this.#options.host;
  }

  /** Runs an API command and resolves with its output. */
  api(command: string): Promise<string> {
    return this.#send(`api ${command}`);
  }

  /** Runs a dialplan application in a channel; resolves when it is queued there. */
  async execute(channel: string, application: string, argument: string): Promise<void> {
    const lines = ['call-command: execute', `execute-app-name: ${application}`, `execute-app-arg: ${argument}`];
    const message = [`sendmsg ${channel}`, ...lines].join('\n');
    const reply = await this.#send(message);
    if (!reply.startsWith('+OK')) throw new Error(`${application} was refused: ${reply}`);
  }

  async subscribe(events: string): Promise<void> {
    const reply = await this.#send(`event ${events}`);
    if (!reply.startsWith('+OK')) throw new Error(`could not subscribe to events: ${reply}`);
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    for (const { reject, cancel } of this.#waiting.splice(0)) {
      cancel();
      reject(new Error(reason));
    }
    this.#options.closed(reason);
  }

  #send(command: string): Promise<string> {
    if (this.#isClosed) return Promise.reject(new Error('connection closed'));
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(ANSWER_MS, () => this.close(`no answer to "${command.split(' ')[1]}"`));
      this.#waiting.push({ resolve, reject, cancel });
      this.#socket.write(`${command}\n\n`);
    });
  }

  #receive(bytes: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    if (this.#buffer.length > MAX_BUFFER_BYTES) return this.close('too long an answer');
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end < 0) return;
      const headers = this.#buffer.toString('utf8', 0, end);
      const length = Number(/^Content-Length: (\d+)/im.exec(headers)?.[1] ?? 0);
      if (this.#buffer.length < end + 2 + length) return;
      const body = this.#buffer.toString('utf8', end + 2, end + 2 + length);
      this.#buffer = this.#buffer.subarray(end + 2 + length);
      this.#handle(headers, body);
    }
  }

  #handle(headers: string, body: string): void {
    const type = /^Content-Type: (\S+)/im.exec(headers)?.[1];
    if (type === 'auth/request') {
      this.#send(`auth ${this.#options.secret}`).then(
        (reply) => {
          if (reply.startsWith('+OK')) this.#options.opened(this);
          else this.close('wrong password');
        },
        () => {},
      );
    } else if (type === 'command/reply') this.#answer(/^Reply-Text: (.*)$/im.exec(headers)?.[1] ?? '');
    else if (type === 'api/response') this.#answer(body);
    else if (type === 'text/event-plain') this.#options.event?.(readEvent(body));
    else if (type === 'text/rude-rejection') this.close('refused by its access list (apply-inbound-acl)');
    else if (type === 'text/disconnect-notice') this.close('FreeSWITCH is stopping');
  }

  #answer(text: string): void {
    const first = this.#waiting.shift();
    first?.cancel();
    first?.resolve(text);
  }
}

function readEvent(body: string): SwitchEvent {
  const lines = body.split('\n').map((line) => /^([^:]+): (.*)$/.exec(line));
  const headers = new Map(
    lines.flatMap((match) => (match ? [[match[1] ?? '', decoded(match[2] ?? '')] as const] : [])),
  );
  const name = headers.get('Event-Subclass') ?? headers.get('Event-Name') ?? '';
  return { name, channel: headers.get('Unique-ID') ?? '', headers };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
