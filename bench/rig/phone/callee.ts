// The far side of a trunk for benches and tests: a light SIP callee (UDP) that answers, refuses or rings depending on
// the dialled number. Independent of the engine's user agent; records when each INVITE arrived.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { headerValue, mediaOf, newTag, requestOfCallee, response, sdp } from './sip-text.ts';

export type Behaviour =
  /** Answers after `afterMs`; hangs up `hangUpAfterMs` later if given. With `audio`, somebody listens and speaks. */
  | { kind: 'answer'; afterMs?: number; hangUpAfterMs?: number; audio?: AnsweredAudio }
  /** Rings, then sends a final status, with a Reason header (RFC 3326) if `q850` is given. */
  | { kind: 'refuse'; status: number; q850?: number }
  /** 180, and then nothing. */
  | { kind: 'ring' };

export interface AnsweredAudio {
  /** Where the agent's packets go. */
  rtpPort: number;
  /** The call is up; the agent's packets come from there. */
  onAnswered(remote: { address: string; port: number }): void;
  onEnded(): void;
}

export interface HeardInvite {
  to: string;
  from: string;
  callId: string;
  /** `performance.now()`. */
  atMs: number;
}

interface Dialog {
  request: string;
  from: RemoteInfo;
  tag: string;
  state: 'ringing' | 'answered' | 'ended';
  timer: NodeJS.Timeout | null;
  audio: AnsweredAudio | null;
}

export class Callee {
  readonly invites: HeardInvite[] = [];
  /** Call-IDs that the caller ended, by CANCEL and by BYE. */
  readonly cancelled = new Set<string>();
  readonly hungUp = new Set<string>();
  readonly #behaviourOf: (number: string) => Behaviour;
  readonly #onInvite: (invite: HeardInvite) => void;
  readonly #socket: Socket = createSocket('udp4');
  readonly #rtp: Socket = createSocket('udp4');
  readonly #dialogs = new Map<string, Dialog>();
  port = 0;

  constructor(behaviourOf: (number: string) => Behaviour, onInvite: (invite: HeardInvite) => void = () => {}) {
    this.#behaviourOf = behaviourOf;
    this.#onInvite = onInvite;
  }

  async start(): Promise<this> {
    this.#socket.on('message', (data, from) => this.#receive(data.toString('latin1'), from));
    // Discards the agent's audio.
    this.#rtp.on('message', () => {});
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => this.#rtp.bind(0, '127.0.0.1', resolve));
    this.port = this.#socket.address().port;
    return this;
  }

  stop(): void {
    for (const dialog of this.#dialogs.values()) if (dialog.timer) clearTimeout(dialog.timer);
    this.#socket.close();
    this.#rtp.close();
  }

  get open(): number {
    return [...this.#dialogs.values()].filter((dialog) => dialog.state !== 'ended').length;
  }

  /** Ends the calls to this number. */
  hangUp(number: string): void {
    const invite = this.invites.findLast(({ to }) => to === number);
    const dialog = invite && this.#dialogs.get(invite.callId);
    if (dialog) this.#bye(dialog);
  }

  #receive(text: string, from: RemoteInfo): void {
    const [method = ''] = text.split(' ', 1);
    const callId = headerValue(text, 'Call-ID');
    const dialog = this.#dialogs.get(callId);
    switch (method) {
      case 'OPTIONS':
        return this.#respond(text, from, 200, 'health');
      case 'INVITE':
        // A retransmission, or a re-INVITE that refreshes the session: repeat the answer.
        if (dialog) return dialog.state === 'answered' ? this.#answer(dialog) : undefined;
        return this.#invited(text, from, callId);
      case 'CANCEL':
        this.#respond(text, from, 200, dialog?.tag ?? 'none');
        if (dialog?.state !== 'ringing') return;
        this.cancelled.add(callId);
        this.#end(dialog);
        return this.#respond(dialog.request, from, 487, dialog.tag);
      case 'BYE':
        this.#respond(text, from, dialog ? 200 : 481, dialog?.tag ?? 'none');
        if (!dialog) return;
        this.hungUp.add(callId);
        return this.#end(dialog);
    }
  }

  #invited(request: string, from: RemoteInfo, callId: string): void {
    const number = /^INVITE sips?:([^@;\s]+)/.exec(request)?.[1] ?? '';
    const caller = /sips?:([^@;>\s]+)/.exec(headerValue(request, 'From'))?.[1] ?? '';
    const invite = { to: number, from: caller, callId, atMs: performance.now() };
    this.invites.push(invite);
    const behaviour = this.#behaviourOf(number);
    const audio = behaviour.kind === 'answer' ? (behaviour.audio ?? null) : null;
    const tag = newTag();
    const dialog: Dialog = { request, from, tag, state: 'ringing', timer: null, audio };
    this.#dialogs.set(callId, dialog);
    this.#respond(request, from, 100, '');
    switch (behaviour.kind) {
      case 'ring':
        this.#respond(request, from, 180, dialog.tag);
        break;
      case 'refuse': {
        this.#respond(request, from, 180, dialog.tag);
        const reason = behaviour.q850 === undefined ? [] : [`Reason: Q.850;cause=${behaviour.q850}`];
        this.#respond(request, from, behaviour.status, dialog.tag, reason);
        dialog.state = 'ended';
        break;
      }
      case 'answer':
        this.#respond(request, from, 180, dialog.tag);
        dialog.timer = setTimeout(() => {
          dialog.state = 'answered';
          this.#answer(dialog);
          audio?.onAnswered(mediaOf(request));
          const { hangUpAfterMs } = behaviour;
          if (hangUpAfterMs !== undefined) dialog.timer = setTimeout(() => this.#bye(dialog), hangUpAfterMs);
        }, behaviour.afterMs ?? 0);
        break;
    }
    this.#onInvite(invite);
  }

  #end(dialog: Dialog): void {
    if (dialog.timer) clearTimeout(dialog.timer);
    if (dialog.state !== 'ended') dialog.audio?.onEnded();
    dialog.state = 'ended';
  }

  #answer(dialog: Dialog): void {
    const body = sdp(dialog.audio?.rtpPort ?? this.#rtp.address().port);
    this.#respond(dialog.request, dialog.from, 200, dialog.tag, [], body);
  }

  #bye(dialog: Dialog): void {
    if (dialog.state !== 'answered') return;
    this.#end(dialog);
    const { request, from, tag } = dialog;
    this.#socket.send(requestOfCallee(request, 'BYE', { port: this.port, tag }), from.port, from.address);
  }

  #respond(request: string, from: RemoteInfo, status: number, tag: string, extra: string[] = [], body = ''): void {
    const contact = `sip:callee@127.0.0.1:${this.port}`;
    this.#socket.send(response(request, status, { tag, contact, extra, body }), from.port, from.address);
  }
}
